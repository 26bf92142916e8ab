import { restoreRecords } from '../lib/commits/restore.ts'
import { toSheetRef } from '../lib/commits/sheet-ref.ts'
import { createSnapshot, summarizeSnapshot } from '../lib/commits/snapshots.ts'
import { assertUnlocked, writeOptionsFrom } from '../lib/commits/write.ts'
import { notFound } from '../lib/core/errors.ts'
import { Sheets, type StoredSheet } from '../lib/entities/sheets.ts'
import { Snapshots, type StoredSnapshot } from '../lib/entities/snapshots.ts'
import { createLargeJsonReply } from '../lib/http/large-response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as engine from '../lib/records/index.ts'
import { success } from '../schemas/kit/page.ts'
import * as snapshots from '../schemas/snapshots/endpoints.ts'

async function loadSheet(snapshot: StoredSnapshot): Promise<StoredSheet> {
  const sheet = await Sheets.get(snapshot.sheetId)
  if (!sheet) throw notFound('snapshot', snapshot.id)
  return sheet
}

export const create = serve(snapshots.create)(async ({ sheet, body, tx }) => {
  const { label, threadId } = body
  return { data: await createSnapshot(tx, sheet, { label, threadId }) }
})

export const list = serve(snapshots.listed)(async ({ sheet, query }) => {
  const snapshotsOfSheet = await Snapshots.inSheet(sheet.id)
  return {
    data: snapshotsOfSheet.filter(({ threadId }) => query.threadId === undefined || threadId === query.threadId),
  }
})

export const get = serve(snapshots.get)(async ({ snapshot, query }) => {
  const sheet = await loadSheet(snapshot)
  return { data: query.includeSummary ? { ...snapshot, summary: await summarizeSnapshot(sheet, snapshot) } : snapshot }
})

export const remove = serve(snapshots.remove)(async ({ snapshot, tx }) => {
  tx.write(Snapshots.remove(snapshot))
  return success
})

export const restore = serve(snapshots.restore)(async ({ snapshot, body, query, request, caller, tx }) => {
  const sheet = await loadSheet(snapshot)
  assertUnlocked(sheet)
  const changeKinds = body ?? { created: true, updated: true, deleted: true }
  if (Object.values(changeKinds).some(Boolean))
    await restoreRecords(sheet, tx, { to: snapshot.seq, ...changeKinds }, writeOptionsFrom(request, query, caller))
  return { data: snapshot }
})

export const records = serve(snapshots.records)(async ({ snapshot, query, request }) => {
  const sheet = await loadSheet(snapshot)
  const { records: changes } = await engine.diffRecords(toSheetRef(sheet), { from: snapshot.seq, ...query })
  return createLargeJsonReply(request, sheet, 'snapshot-records', { data: changes })
})

export const handler = lambda(create, list, get, remove, restore, records)
