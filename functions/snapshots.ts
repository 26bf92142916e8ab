/** Snapshots over HTTP. */

import { restoreRecords } from '../lib/commits/restore.ts'
import { sheetRef } from '../lib/commits/sheet-ref.ts'
import { createSnapshot, summaryOf } from '../lib/commits/snapshots.ts'
import { refuseLocked, told } from '../lib/commits/write.ts'
import { notFound } from '../lib/core/errors.ts'
import { Sheets, type StoredSheet } from '../lib/entities/sheets.ts'
import { Snapshots, type StoredSnapshot } from '../lib/entities/snapshots.ts'
import { largeJson } from '../lib/http/large.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as engine from '../lib/records/index.ts'
import { success } from '../schemas/page.ts'
import * as snapshots from '../schemas/snapshots.ts'

/** A snapshot goes with its sheet: while that is being removed there is none. */
async function sheetOf(snapshot: StoredSnapshot): Promise<StoredSheet> {
  const sheet = await Sheets.get(snapshot.sheetId)
  if (!sheet) throw notFound('snapshot', snapshot.id)
  return sheet
}

export const create = serve(snapshots.create)(async ({ sheet, body, tx }) => {
  const { label, threadId } = body
  return { data: await createSnapshot(tx, sheet, { label, threadId }) }
})

export const list = serve(snapshots.listed)(async ({ sheet, query }) => {
  const all = await Snapshots.inSheet(sheet.id)
  return { data: all.filter(({ threadId }) => query.threadId === undefined || threadId === query.threadId) }
})

export const get = serve(snapshots.get)(async ({ snapshot, query }) => {
  const sheet = await sheetOf(snapshot)
  return { data: query.includeSummary ? { ...snapshot, summary: await summaryOf(sheet, snapshot) } : snapshot }
})

export const remove = serve(snapshots.remove)(async ({ snapshot, tx }) => {
  tx.write(Snapshots.remove(snapshot))
  return success
})

export const restore = serve(snapshots.restore)(async ({ snapshot, body, query, request, caller, tx }) => {
  const sheet = await sheetOf(snapshot)
  refuseLocked(sheet)
  const parts = body ?? { created: true, updated: true, deleted: true }
  if (Object.values(parts).some(Boolean))
    await restoreRecords(sheet, tx, { to: snapshot.seq, ...parts }, told(request, query, caller))
  return { data: snapshot }
})

export const records = serve(snapshots.records)(async ({ snapshot, query, request }) => {
  const sheet = await sheetOf(snapshot)
  const { records: found } = await engine.diffRecords(sheetRef(sheet), { from: snapshot.seq, ...query })
  return largeJson(request, sheet, 'snapshot-records', { data: found })
})

export const handler = lambda(create, list, get, remove, restore, records)
