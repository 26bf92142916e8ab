/** Cascading delete, one level per event: deleting a child emits its own event, which triggers the next level. */
import type { EventBridgeEvent } from 'aws-lambda'
import { removeAgent } from '../../lib/agents/deploy.ts'
import { getPackagePrefix } from '../../lib/agents/package-store.ts'
import { deleteGuestMark, listDeletedGuests } from '../../lib/auth/deleted-guests.ts'
import { removeSecret } from '../../lib/auth/secret-store.ts'
import { removeClip } from '../../lib/clips/create.ts'
import { Actions, removeAction } from '../../lib/entities/actions.ts'
import { AgentExports } from '../../lib/entities/agent-exports.ts'
import { AgentVersions } from '../../lib/entities/agent-versions.ts'
import { Agents } from '../../lib/entities/agents.ts'
import { Assistants } from '../../lib/entities/assistant.ts'
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
import { Proposals } from '../../lib/entities/proposals.ts'
import { ExpiredResources, RetentionPolicies } from '../../lib/entities/retention.ts'
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
import { forgetAudience } from '../../lib/events/audience.ts'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import { releaseExtraction } from '../../lib/files/extraction-policy.ts'
import { buildObjectKey, buildUnlockedKey, removeFile } from '../../lib/files/upload.ts'
import { removeJob } from '../../lib/jobs/lifecycle/remove.ts'
import { deleteObject, deletePrefix } from '../../lib/objects/store.ts'
import { deleteSheetData } from '../../lib/records/index.ts'
import { formatTablePrefix } from '../../lib/tables/location.ts'
import { type Actor, begin, type Tx, toActor } from '../../lib/tx.ts'
import { removeSpace, removeWorkbook } from '../../lib/workbooks/remove.ts'
import { removeSheet } from '../../lib/workbooks/update.ts'
import type { RoleAssignment } from '../../schemas/access/assignments.ts'
import { Event } from '../../schemas/events/shape.ts'

/** Resources per transaction, which holds 100 writes and events. */
const BATCH_SIZE = 20

export const handler = handleEvent(async ({ detail }: EventBridgeEvent<string, unknown>): Promise<void> => {
  const { topic, context } = Event.parse(detail)
  const actor = toActor(context)
  if (topic === 'environment:deleted') await removeEnvironmentChildren(actor, context.environmentId)
  if (topic === 'agent:deleted' && context.agentId)
    await removeAgentChildren(actor, context.environmentId, context.agentId)
  if (topic === 'space:deleted' && context.spaceId)
    await removeSpaceChildren(actor, context.spaceId, context.environmentId)
  if (topic === 'workbook:deleted' && context.workbookId)
    await removeWorkbookChildren(actor, context.workbookId, context.spaceId)
  if (topic === 'sheet:deleted' && context.sheetId) {
    await removeSheetChildren(actor, context.sheetId, context.spaceId)
    await removeTable({ environmentId: context.environmentId, sheetId: context.sheetId })
  }
  if (topic === 'thread:deleted') await removeThreadChildren(actor, String(context.threadId))
  if (topic === 'document:deleted') await removeDocumentChildren(actor, String(context.documentId), context.spaceId)
  if (topic === 'file:deleted' && context.fileId && context.spaceId)
    await removeFileChildren(actor, context as FileLocation)
})

async function removeEnvironmentChildren(actor: Actor, environmentId: string): Promise<void> {
  if (await Environments.get(environmentId)) return
  await removeInBatches(actor, await Keys.list('inEnvironment', { environmentId }), (tx, key) => {
    if (key.type !== 'AGENT') tx.write(Keys.remove(key))
  })
  await removeInBatches(actor, await Agents.inEnvironment(environmentId), removeAgent, 1)
  await removeInBatches(actor, await Webhooks.inEnvironment(environmentId), removeWebhook)
  await removeInBatches(actor, await Spaces.inEnvironment(environmentId), removeSpace)
  await removeInBatches(actor, await Guests.inEnvironment(environmentId), Guests.delete, 1)
  for await (const marks of listDeletedGuests(environmentId))
    await removeInBatches(actor, marks, (tx, mark) => deleteGuestMark(tx, environmentId, mark))
  await removeInBatches(actor, await RetentionPolicies.inEnvironment(environmentId), (tx, policy) =>
    tx.write(RetentionPolicies.remove(policy), RetentionPolicies.removeFromSet(environmentId, policy.id)),
  )
  for await (const expired of ExpiredResources.list(environmentId))
    await removeInBatches(actor, expired, (tx, id) => tx.write(ExpiredResources.remove(environmentId, id)))
  await removeInBatches(actor, await Secrets.inEnvironment(environmentId), removeSecret)
  await removeInBatches(actor, await Assistants.getMany([environmentId]), (tx, settings) =>
    tx.write(Assistants.remove(settings)),
  )
  await removeRolesOfUsers(actor, (role) => role.environmentId === environmentId)
  await removeInBatches(actor, await MappingMemories.inEnvironment(environmentId), (tx, memory) =>
    tx.write(MappingMemories.remove(memory)),
  )
  await removeInBatches(actor, await Autobuilds.inEnvironment(environmentId), (tx, autobuild) =>
    Autobuilds.delete(tx, autobuild),
  )
  await removeInBatches(actor, [environmentId], (tx, id) => Entitlements.set(tx, id, []))
  await removeInBatches(actor, [environmentId], (tx, id) => tx.write(forgetAudience(id)))
  const jobs = await Jobs.inEnvironment(environmentId, 'asc')
  await removeInBatches(
    actor,
    jobs.filter(({ spaceId }) => spaceId === undefined),
    removeJob,
  )
  const programs = await Programs.inEnvironment(environmentId)
  await removeInBatches(
    actor,
    programs.filter(({ jobId }) => jobId === undefined),
    removeProgram,
  )
}

async function removeAgentChildren(actor: Actor, environmentId: string, agentId: string): Promise<void> {
  if (await Agents.get(agentId)) return
  await removeInBatches(actor, await AgentVersions.ofAgent(agentId), (tx, version) =>
    tx.write(AgentVersions.remove(version)),
  )
  await removeInBatches(actor, await AgentExports.ofAgent(agentId), (tx, agentExport) =>
    tx.write(AgentExports.remove(agentExport)),
  )
  await deletePrefix(getPackagePrefix(agentId))
  const secrets = await Secrets.inEnvironment(environmentId)
  await removeInBatches(
    actor,
    secrets.filter((secret) => secret.actorId === agentId),
    removeSecret,
  )
}

async function removeSpaceChildren(actor: Actor, spaceId: string, environmentId: string): Promise<void> {
  if (await Spaces.get(spaceId)) return
  const secrets = await Secrets.inEnvironment(environmentId)
  await removeInBatches(
    actor,
    secrets.filter((secret) => secret.spaceId === spaceId),
    removeSecret,
  )
  await removeInBatches(actor, [spaceId], (tx, id) => Entitlements.set(tx, id, []))
  await removeInBatches(actor, await Workbooks.inSpace(spaceId), removeWorkbook)
  await removeInBatches(actor, await Files.inSpace(spaceId), removeWithBytes)
  // Parents before their parts, so that no part becomes ready.
  await removeInBatches(actor, await Jobs.inSpace(spaceId, 'asc'), removeJob)
  await removeInBatches(actor, await Programs.inSpace(spaceId), removeProgram)
  await removeInBatches(actor, await Documents.inSpace(spaceId), removeDocument)
  await removeInBatches(actor, await Actions.inSpace(spaceId), removeAction)
  await removeInBatches(actor, await Threads.inSpace(spaceId), removeThread)
  await removeInBatches(actor, await Canvases.inSpace(spaceId), removeCanvas, 1)
  await removeInBatches(actor, await Guests.inSpace(spaceId), (tx, guest) => {
    const spaces = guest.spaces.filter(({ id }) => id !== spaceId)
    Guests.change(tx, guest, { ...guest, spaces, updatedAt: tx.now })
  })
  const isInSpace = (role: RoleAssignment) => role.spaceId === spaceId
  await removeRolesOfUsers(actor, isInSpace)
  await removeRolesOfAgents(actor, environmentId, isInSpace)
  const webhooks = await Webhooks.inEnvironment(environmentId)
  await removeInBatches(
    actor,
    webhooks.filter((webhook) => webhook.spaceId === spaceId),
    removeWebhook,
  )
}

async function removeRolesOfUsers(actor: Actor, isRevoked: (role: RoleAssignment) => boolean): Promise<void> {
  const users = (await Users.inAccount(actor.accountId)).filter(({ actorRoles }) => actorRoles.some(isRevoked))
  await removeInBatches(actor, users, (tx, user) =>
    UserChanges.change(tx, user, {
      ...user,
      actorRoles: user.actorRoles.filter((role) => !isRevoked(role)),
      updatedAt: tx.now,
    }),
  )
}

async function removeRolesOfAgents(
  actor: Actor,
  environmentId: string,
  isRevoked: (role: RoleAssignment) => boolean,
): Promise<void> {
  await removeInBatches(actor, await Agents.inEnvironment(environmentId), (tx, agent) => {
    const actorRoles = agent.actorRoles?.filter((role) => !isRevoked(role))
    if (actorRoles && actorRoles.length < agent.actorRoles!.length)
      tx.write(Agents.replace(agent, { ...agent, actorRoles }))
  })
}

async function removeWorkbookChildren(actor: Actor, workbookId: string, spaceId: string | undefined): Promise<void> {
  if (await Workbooks.get(workbookId)) return
  await removeAttached(actor, workbookId, spaceId)
  await removeInBatches(actor, await Sheets.inWorkbook(workbookId), removeSheet)
}

async function removeTable(location: { environmentId: string; sheetId: string }): Promise<void> {
  if (!(await Sheets.get(location.sheetId))) await deletePrefix(formatTablePrefix(location))
}

async function removeSheetChildren(actor: Actor, sheetId: string, spaceId: string | undefined): Promise<void> {
  if (await Sheets.get(sheetId)) return
  await removeInBatches(actor, await Snapshots.inSheet(sheetId), (tx, snapshot) => tx.write(Snapshots.remove(snapshot)))
  await removeInBatches(actor, await Views.inSheet(sheetId), (tx, view) => tx.write(Views.remove(view)))
  await removeAttached(actor, sheetId, spaceId)
  await removeInBatches(actor, await Clips.ofSheet(sheetId), removeClip, 1)
  const clip = await Clips.bySheet(sheetId)
  if (clip) await removeInBatches(actor, [clip], removeClip, 1)
  await deleteSheetData(sheetId)
}

type FileLocation = { environmentId: string; spaceId: string; fileId: string }

/** Repeats the deletion of the bytes, in case the request did not get that far. */
async function removeFileChildren(actor: Actor, location: FileLocation): Promise<void> {
  if (await Files.get(location.fileId)) return
  await Promise.all([buildObjectKey(location), buildUnlockedKey(location)].map(deleteObject))
  await removeInBatches(actor, [location.fileId], (tx, id) => tx.write(releaseExtraction(id)))
  await removeAttached(actor, location.fileId, location.spaceId)
}

async function removeDocumentChildren(actor: Actor, documentId: string, spaceId: string | undefined): Promise<void> {
  if (await Documents.get(documentId)) return
  await removeAttached(actor, documentId, spaceId)
}

async function removeThreadChildren(actor: Actor, threadId: string): Promise<void> {
  if (await Threads.get(threadId)) return
  await removeInBatches(actor, await Messages.inThread(threadId), (tx, message) => tx.write(Messages.remove(message)))
  await removeInBatches(actor, await Proposals.inThread(threadId), (tx, proposal) =>
    tx.write(Proposals.remove(proposal)),
  )
}

async function removeAttached(actor: Actor, targetId: string, spaceId: string | undefined): Promise<void> {
  const isOwnAccount = ({ accountId }: { accountId: string }) => accountId === actor.accountId
  await removeInBatches(actor, (await Actions.onTarget(targetId)).filter(isOwnAccount), removeAction)
  const threads = spaceId === undefined ? [] : await Threads.inSpace(spaceId)
  await removeInBatches(
    actor,
    threads.filter((thread) => isOwnAccount(thread) && thread.resourceId === targetId),
    removeThread,
  )
}

async function removeInBatches<T>(
  actor: Actor,
  items: T[],
  remove: (tx: Tx, item: T) => void | Promise<void>,
  batchSize = BATCH_SIZE,
): Promise<void> {
  for (let offset = 0; offset < items.length; offset += batchSize) {
    const tx = begin(actor)
    for (const item of items.slice(offset, offset + batchSize)) await remove(tx, item)
    await tx.commit()
  }
}

const removeWebhook = (tx: Tx, webhook: StoredWebhook): void => tx.write(...Webhooks.remove(webhook))

const removeProgram = (tx: Tx, program: StoredProgram): void => tx.write(...Programs.remove(program))

/** Delete the object first: without its item a file's object cannot be found again. */
async function removeWithBytes(tx: Tx, file: StoredFile): Promise<void> {
  await deleteObject(file.objectKey)
  removeFile(tx, file)
}
