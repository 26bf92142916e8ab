/**
 * Takes away what hung below a thing that was deleted, one level at a time: what it removes tells so by its own event, and
 * that event brings the next level here. Each delivery reads afresh what is still there, so it can be repeated; an event
 * that somebody made up about a thing that still exists changes nothing.
 */
import type { EventBridgeEvent } from 'aws-lambda'
import { removeAgent } from '../../lib/agents/deploy.ts'
import { packagesOf } from '../../lib/agents/packages.ts'
import { deletedGuestsOf, forgetMark } from '../../lib/auth/deleted-guests.ts'
import { removeSecret } from '../../lib/auth/stored-secrets.ts'
import { removeClip } from '../../lib/clips/create.ts'
import { Actions, removeAction } from '../../lib/entities/actions.ts'
import { AgentExports } from '../../lib/entities/agent-exports.ts'
import { AgentVersions } from '../../lib/entities/agent-versions.ts'
import { Agents } from '../../lib/entities/agents.ts'
import { Autobuilds } from '../../lib/entities/autobuilds.ts'
import { Canvases, removeCanvas } from '../../lib/entities/canvases.ts'
import { Clips } from '../../lib/entities/clips.ts'
import { Documents, removeDocument } from '../../lib/entities/documents.ts'
import { Entitlements } from '../../lib/entities/entitlements.ts'
import { Environments } from '../../lib/entities/environments.ts'
import { Files, type StoredFile } from '../../lib/entities/files.ts'
import { Guests } from '../../lib/entities/guests.ts'
import { Jobs } from '../../lib/entities/jobs.ts'
import { Keys } from '../../lib/entities/keys.ts'
import { MappingMemories } from '../../lib/entities/mapping-memories.ts'
import { Programs, type StoredProgram } from '../../lib/entities/programs.ts'
import { Expired, RetentionPolicies } from '../../lib/entities/retention.ts'
import { Secrets } from '../../lib/entities/secrets.ts'
import { Sheets } from '../../lib/entities/sheets.ts'
import { Snapshots } from '../../lib/entities/snapshots.ts'
import { Spaces } from '../../lib/entities/spaces.ts'
import { Messages, removeThread, Threads } from '../../lib/entities/threads.ts'
import { UserChanges } from '../../lib/entities/user-changes.ts'
import { Users } from '../../lib/entities/users.ts'
import { Views } from '../../lib/entities/views.ts'
import { type StoredWebhook, Webhooks } from '../../lib/entities/webhooks.ts'
import { Workbooks } from '../../lib/entities/workbooks.ts'
import { followUp } from '../../lib/events/follow-up.ts'
import { extractionForgotten } from '../../lib/files/extraction.ts'
import { objectKeyOf, removeFile } from '../../lib/files/upload.ts'
import { removeJob } from '../../lib/jobs/remove.ts'
import { deleteObject, deletePrefix } from '../../lib/objects/store.ts'
import { erase } from '../../lib/records/index.ts'
import { type Actor, actorOf, begin, type Tx } from '../../lib/tx.ts'
import { removeSpace, removeWorkbook } from '../../lib/workbooks/remove.ts'
import { removeSheet } from '../../lib/workbooks/update.ts'
import { Event } from '../../schemas/events.ts'
import type { HeldRole } from '../../schemas/held-role.ts'

/** Things in one transaction, which holds 100 writes and events. */
const BATCH = 20

export const handler = followUp(async ({ detail }: EventBridgeEvent<string, unknown>): Promise<void> => {
  const { topic, context } = Event.parse(detail)
  const actor = actorOf(context)
  if (topic === 'environment:deleted') await belowEnvironment(actor, context.environmentId)
  if (topic === 'agent:deleted' && context.agentId) await belowAgent(actor, context.environmentId, context.agentId)
  if (topic === 'space:deleted' && context.spaceId) await belowSpace(actor, context.spaceId, context.environmentId)
  if (topic === 'workbook:deleted' && context.workbookId)
    await belowWorkbook(actor, context.workbookId, context.spaceId)
  if (topic === 'sheet:deleted' && context.sheetId) await belowSheet(actor, context.sheetId, context.spaceId)
  if (topic === 'thread:deleted') await belowThread(actor, String(context.threadId))
  if (topic === 'document:deleted') await belowDocument(actor, String(context.documentId), context.spaceId)
  if (topic === 'file:deleted' && context.fileId && context.spaceId) await belowFile(actor, context as FilePlace)
})

async function belowEnvironment(actor: Actor, environmentId: string): Promise<void> {
  if (await Environments.get(environmentId)) return
  await each(actor, await Keys.list('inEnvironment', { environmentId }), (tx, key) => {
    if (key.type !== 'AGENT') tx.write(Keys.remove(key))
  })
  await each(actor, await Agents.inEnvironment(environmentId), removeAgent, 1)
  await each(actor, await Webhooks.inEnvironment(environmentId), removeWebhook)
  await each(actor, await Spaces.inEnvironment(environmentId), removeSpace)
  await each(actor, await Guests.inEnvironment(environmentId), Guests.delete, 1)
  for await (const marks of deletedGuestsOf(environmentId))
    await each(actor, marks, (tx, mark) => forgetMark(tx, environmentId, mark))
  await each(actor, await RetentionPolicies.inEnvironment(environmentId), (tx, policy) =>
    tx.write(RetentionPolicies.remove(policy), RetentionPolicies.forget(environmentId, policy.id)),
  )
  for await (const expired of Expired.in(environmentId))
    await each(actor, expired, (tx, id) => tx.write(Expired.leave(environmentId, id)))
  await each(actor, await Secrets.inEnvironment(environmentId), removeSecret)
  await removeRolesOfUsers(actor, (role) => role.environmentId === environmentId)
  await each(actor, await MappingMemories.inEnvironment(environmentId), (tx, memory) =>
    tx.write(MappingMemories.remove(memory)),
  )
  await each(actor, await Autobuilds.inEnvironment(environmentId), (tx, autobuild) => Autobuilds.delete(tx, autobuild))
  await each(actor, [environmentId], (tx, id) => Entitlements.set(tx, id, []))
  const rest = await Jobs.inEnvironment(environmentId, 'asc')
  await each(
    actor,
    rest.filter(({ spaceId }) => spaceId === undefined),
    removeJob,
  )
  const programs = await Programs.inEnvironment(environmentId)
  // Those of jobs go with them.
  await each(
    actor,
    programs.filter(({ jobId }) => jobId === undefined),
    removeProgram,
  )
}

async function belowAgent(actor: Actor, environmentId: string, agentId: string): Promise<void> {
  if (await Agents.get(agentId)) return
  await each(actor, await AgentVersions.ofAgent(agentId), (tx, version) => tx.write(AgentVersions.remove(version)))
  await each(actor, await AgentExports.ofAgent(agentId), (tx, made) => tx.write(AgentExports.remove(made)))
  await deletePrefix(packagesOf(agentId))
  const secrets = await Secrets.inEnvironment(environmentId)
  await each(
    actor,
    secrets.filter((secret) => secret.actorId === agentId),
    removeSecret,
  )
}

async function belowSpace(actor: Actor, spaceId: string, environmentId: string): Promise<void> {
  if (await Spaces.get(spaceId)) return
  const secrets = await Secrets.inEnvironment(environmentId)
  await each(
    actor,
    secrets.filter((secret) => secret.spaceId === spaceId),
    removeSecret,
  )
  await each(actor, [spaceId], (tx, id) => Entitlements.set(tx, id, []))
  await each(actor, await Workbooks.inSpace(spaceId), removeWorkbook)
  await each(actor, await Files.inSpace(spaceId), removeWithBytes)
  // Parents before their parts: nothing becomes ready on the way.
  await each(actor, await Jobs.inSpace(spaceId, 'asc'), removeJob)
  await each(actor, await Programs.inSpace(spaceId), removeProgram)
  await each(actor, await Documents.inSpace(spaceId), removeDocument)
  await each(actor, await Actions.inSpace(spaceId), removeAction)
  await each(actor, await Threads.inSpace(spaceId), removeThread)
  await each(actor, await Canvases.inSpace(spaceId), removeCanvas, 1)
  // Nobody is told that guests lost a space that is gone.
  await each(actor, await Guests.inSpace(spaceId), (tx, guest) => {
    const spaces = guest.spaces.filter(({ id }) => id !== spaceId)
    Guests.change(tx, guest, { ...guest, spaces, updatedAt: tx.now })
  })
  const isHere = (role: HeldRole) => role.spaceId === spaceId
  await removeRolesOfUsers(actor, isHere)
  await removeRolesOfAgents(actor, environmentId, isHere)
  const webhooks = await Webhooks.inEnvironment(environmentId)
  await each(
    actor,
    webhooks.filter((webhook) => webhook.spaceId === spaceId),
    removeWebhook,
  )
}

/** A user may be left without any role: it has itself, and waits for another one. */
async function removeRolesOfUsers(actor: Actor, gone: (role: HeldRole) => boolean): Promise<void> {
  const users = (await Users.inAccount(actor.accountId)).filter(({ actorRoles }) => actorRoles.some(gone))
  await each(actor, users, (tx, user) =>
    UserChanges.change(tx, user, {
      ...user,
      actorRoles: user.actorRoles.filter((role) => !gone(role)),
      updatedAt: tx.now,
    }),
  )
}

async function removeRolesOfAgents(
  actor: Actor,
  environmentId: string,
  gone: (role: HeldRole) => boolean,
): Promise<void> {
  await each(actor, await Agents.inEnvironment(environmentId), (tx, agent) => {
    const actorRoles = agent.actorRoles?.filter((role) => !gone(role))
    if (actorRoles && actorRoles.length < agent.actorRoles!.length)
      tx.write(Agents.replace(agent, { ...agent, actorRoles }))
  })
}

async function belowWorkbook(actor: Actor, workbookId: string, spaceId: string | undefined): Promise<void> {
  if (await Workbooks.get(workbookId)) return
  await removeAround(actor, workbookId, spaceId)
  await each(actor, await Sheets.inWorkbook(workbookId), removeSheet)
}

async function belowSheet(actor: Actor, sheetId: string, spaceId: string | undefined): Promise<void> {
  if (await Sheets.get(sheetId)) return
  await each(actor, await Snapshots.inSheet(sheetId), (tx, snapshot) => tx.write(Snapshots.remove(snapshot)))
  await each(actor, await Views.inSheet(sheetId), (tx, view) => tx.write(Views.remove(view)))
  await removeAround(actor, sheetId, spaceId)
  // A clip goes with its source, and with its own sheet.
  await each(actor, await Clips.ofSheet(sheetId), removeClip, 1)
  const clip = await Clips.bySheet(sheetId)
  if (clip) await each(actor, [clip], removeClip, 1)
  await erase(sheetId)
}

type FilePlace = { environmentId: string; spaceId: string; fileId: string }

/** The request that removed the file has tried to take its bytes away; this is for those that did not get that far. */
async function belowFile(actor: Actor, place: FilePlace): Promise<void> {
  if (await Files.get(place.fileId)) return
  await deleteObject(objectKeyOf(place))
  await each(actor, [place.fileId], (tx, id) => tx.write(extractionForgotten(id)))
  await removeAround(actor, place.fileId, place.spaceId)
}

async function belowDocument(actor: Actor, documentId: string, spaceId: string | undefined): Promise<void> {
  if (await Documents.get(documentId)) return
  await removeAround(actor, documentId, spaceId)
}

async function belowThread(actor: Actor, threadId: string): Promise<void> {
  if (await Threads.get(threadId)) return
  await each(actor, await Messages.inThread(threadId), (tx, message) => tx.write(Messages.remove(message)))
}

/**
 * The actions on a thing and the threads about it. Of the actor's own account alone: an event that somebody made up could
 * name anything.
 */
async function removeAround(actor: Actor, targetId: string, spaceId: string | undefined): Promise<void> {
  const own = ({ accountId }: { accountId: string }) => accountId === actor.accountId
  await each(actor, (await Actions.onTarget(targetId)).filter(own), removeAction)
  const threads = spaceId === undefined ? [] : await Threads.inSpace(spaceId)
  await each(
    actor,
    threads.filter((thread) => own(thread) && thread.resourceId === targetId),
    removeThread,
  )
}

/** Removes in transactions of at most `batch` things. */
async function each<T>(
  actor: Actor,
  things: T[],
  remove: (tx: Tx, thing: T) => void | Promise<void>,
  batch = BATCH,
): Promise<void> {
  for (let first = 0; first < things.length; first += batch) {
    const tx = begin(actor)
    for (const thing of things.slice(first, first + batch)) await remove(tx, thing)
    await tx.commit()
  }
}

const removeWebhook = (tx: Tx, webhook: StoredWebhook): void => tx.write(Webhooks.remove(webhook))

const removeProgram = (tx: Tx, program: StoredProgram): void => tx.write(Programs.remove(program))

/** The bytes first: those of a file whose item is gone could not be found again. */
async function removeWithBytes(tx: Tx, file: StoredFile): Promise<void> {
  await deleteObject(file.objectKey)
  removeFile(tx, file)
}
