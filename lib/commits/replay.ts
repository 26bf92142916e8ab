/** Calls listeners again for one commit, or for all records of a sheet. */
import * as commits from '../../schemas/commits/events.ts'
import type { Event } from '../../schemas/events/shape.ts'
import { IDS_PER_GROUP, newGroupId, withGroupIndex } from '../core/ids.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import { buildDataUrl, listParts } from '../events/commit-parts.ts'
import { buildEvent } from '../events/envelope.ts'
import * as engine from '../records/index.ts'
import type { Actor } from '../tx.ts'
import { buildCommitOrigin, buildCommitPayload } from './events.ts'
import { publishInBatches } from './publish.ts'
import { toSheetRef } from './sheet-ref.ts'

export async function replayCommit(sheet: StoredSheet, commitId: string, actor: Actor): Promise<boolean> {
  const effect = await engine.readCommitRecords(toSheetRef(sheet), commitId)
  if (!effect) return false
  const updated = new Set(effect.updated).size
  await publishInBatches(
    buildReplayEvents(sheet, actor, { commitId, records: effect.createdCount + updated, onlyCommit: true }),
  )
  return true
}

export async function replaySheet(sheet: StoredSheet, actor: Actor): Promise<void> {
  const { commitId, counts } = await engine.readVersion(toSheetRef(sheet))
  if (commitId)
    await publishInBatches(buildReplayEvents(sheet, actor, { commitId, records: counts.total, onlyCommit: false }))
}

function* buildReplayEvents(
  sheet: StoredSheet,
  { actorId }: Actor,
  { commitId, records, onlyCommit }: { commitId: string; records: number; onlyCommit: boolean },
): Generator<Event> {
  const origin = buildCommitOrigin(sheet)
  const context = { ...origin.context, actorId, commitId, versionId: commitId }
  let firstId = ''
  for (const part of listParts(records)) {
    const index = (part.part - 1) % IDS_PER_GROUP
    if (index === 0) firstId = newGroupId('event')
    const id = withGroupIndex(firstId, index)
    yield buildEvent(commits.created, context, buildCommitPayload(commitId, origin, part), {
      id,
      namespaces: origin.namespaces,
      dataUrl: buildDataUrl(sheet.id, { event: id, part, ...(onlyCommit ? { commitId } : {}) }),
    })
  }
}
