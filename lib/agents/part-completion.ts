/** Completes a commit that an agent is called for in parts once a run asked for it and all of its parts are done. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as commits from '../../schemas/commits/events.ts'
import type { Event } from '../../schemas/events/shape.ts'
import { MAX_RECORDS_PER_CALL } from '../../schemas/records/limits.ts'
import { completeOnce } from '../commits/complete.ts'
import { toSheetRef } from '../commits/sheet-ref.ts'
import { Agents } from '../entities/agents.ts'
import { RETENTION_SECONDS } from '../entities/executions.ts'
import { Sheets, type StoredSheet } from '../entities/sheets.ts'
import { type CommitPart, parseCommitPart } from '../events/commit-parts.ts'
import { countCommitRecords, readCommit } from '../records/index.ts'
import { documents, getTableName } from '../table/client.ts'
import type { Actor } from '../tx.ts'

interface Listener {
  role: string
  actorId: string
}

export async function completeForListener(
  actor: Actor,
  sheet: StoredSheet,
  commitId: string,
  { role, actorId }: Listener,
  part?: CommitPart,
): Promise<boolean> {
  const isInParts =
    role === 'agent' &&
    sheet.trackChanges &&
    (part ? part.parts > 1 : await isCalledForParts(sheet, commitId, actorId)) &&
    !(await recordProgress(commitId, actorId, { set: 'requested = :requested', values: { ':requested': true } }))
  return isInParts ? (await readCommit(sheet.id, commitId)) !== undefined : completeOnce(actor, sheet, commitId)
}

async function isCalledForParts(sheet: StoredSheet, commitId: string, agentId: string): Promise<boolean> {
  const agent = await Agents.get(agentId)
  if (!agent?.topics.includes(commits.created.topic)) return false
  const [commit, counts] = await Promise.all([
    readCommit(sheet.id, commitId),
    countCommitRecords(toSheetRef(sheet), [commitId]),
  ])
  if (agent.ignoreOwnCommits && commit?.createdBy === agentId) return false
  const { created = 0, updated = 0 } = counts.get(commitId) ?? {}
  return created + updated > (agent.recordsPerEvent ?? MAX_RECORDS_PER_CALL)
}

export async function recordPartDone(event: Event, agentId: string): Promise<void> {
  const whole = parseCommitPart(event)
  const { commitId, sheetId, environmentId, accountId } = event.context
  if (!whole?.trackChanges || whole.parts === 1 || !commitId || !sheetId) return
  const done = { add: `done${whole.parts} :part`, values: { ':part': new Set([whole.part]) } }
  if (!(await recordProgress(commitId, agentId, done))) return
  const sheet = await Sheets.get(sheetId)
  if (sheet?.environmentId !== environmentId) return
  await completeOnce({ accountId, actorId: agentId }, sheet, commitId)
}

interface Progress {
  set?: string
  add?: string
  values: Record<string, unknown>
}

async function recordProgress(commitId: string, agentId: string, { set, add, values }: Progress): Promise<boolean> {
  const { Attributes = {} } = await documents.send(
    new UpdateCommand({
      TableName: getTableName(),
      Key: { pk: `agent-parts#${commitId}#${agentId}`, sk: '-' },
      UpdateExpression: `SET ${set ? `${set}, ` : ''}expires = :expires${add ? ` ADD ${add}` : ''}`,
      ExpressionAttributeValues: { ...values, ':expires': Math.floor(Date.now() / 1000) + RETENTION_SECONDS },
      ReturnValues: 'ALL_NEW',
    }),
  )
  if (Attributes.requested !== true) return false
  return Object.entries(Attributes).some(([name, parts]) => parts instanceof Set && name === `done${parts.size}`)
}
