/** Calls the listeners of commits once more: for one commit, or for all records of a sheet. */
import * as commits from '../../schemas/commits.ts'
import type { Event } from '../../schemas/events.ts'
import { RECORDS_PER_CALL } from '../../schemas/records.ts'
import { newId } from '../core/ids.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import { envelope } from '../events/envelope.ts'
import * as engine from '../records/index.ts'
import type { Actor } from '../tx.ts'
import { commitPayload, dataUrlOf, originOf } from './events.ts'
import { tell } from './publish.ts'
import { sheetRef } from './sheet-ref.ts'

/** False when the sheet has no such commit. */
export async function replayCommit(sheet: StoredSheet, commitId: string, actor: Actor): Promise<boolean> {
  const done = await engine.recordsOfCommit(sheetRef(sheet), commitId)
  if (!done) return false
  const updated = new Set(done.updated).size
  await tell(calls(sheet, actor, { commitId, records: done.createdCount + updated, only: true }))
  return true
}

/** Calls for every record the sheet has; judges them anew first when its rules have changed. */
export async function replayAll(sheet: StoredSheet, actor: Actor): Promise<void> {
  const { commitId, counts } = await engine.versionOf(sheetRef(sheet))
  if (commitId) await tell(calls(sheet, actor, { commitId, records: counts.total, only: false }))
}

/** One commit:created a page of records, each with where to read it. */
function* calls(
  sheet: StoredSheet,
  { actorId }: Actor,
  { commitId, records, only }: { commitId: string; records: number; only: boolean },
): Generator<Event> {
  const origin = originOf(sheet)
  const context = { ...origin.context, actorId, commitId, versionId: commitId }
  const pages = Math.ceil(records / RECORDS_PER_CALL)
  for (let page = 1; page <= pages; page++) {
    const id = newId('event')
    const of = { event: id, page: pages > 1 ? page : undefined, ...(only ? { commitId } : {}) }
    yield envelope(commits.created, context, commitPayload(commitId, origin), {
      id,
      namespaces: origin.namespaces,
      dataUrl: dataUrlOf(sheet.id, of),
    })
  }
}
