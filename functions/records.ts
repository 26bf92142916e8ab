/** Records over HTTP. A page is answered as bytes copied from the stored columns. */

import { bulkChanges } from '../lib/commits/bulk.ts'
import { completeOnce } from '../lib/commits/complete.ts'
import { knownFields, selectionOf, sortOf } from '../lib/commits/selection.ts'
import { sheetRef } from '../lib/commits/sheet-ref.ts'
import { refuseLocked, told, writeRecords } from '../lib/commits/write.ts'
import { invalidField, notFound } from '../lib/core/errors.ts'
import type { StoredSheet } from '../lib/entities/sheets.ts'
import { Events } from '../lib/events/store.ts'
import { largeJson, largeReply } from '../lib/http/large.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as engine from '../lib/records/index.ts'
import * as commits from '../schemas/commits.ts'
import { success } from '../schemas/page.ts'
import * as records from '../schemas/records.ts'
import { DIRECT_BYTES } from '../schemas/sizes.ts'

/**
 * A member `values` that looks like one cell was read as a cell of that name. In a sheet without such a field it would be
 * dropped as an unknown field, and all of the record's values with it.
 */
function refuseStrayValues(sheet: StoredSheet, records: readonly { values: object }[]): void {
  const isField = sheet.config.fields.some(({ key }) => key === 'values')
  const stray = isField ? -1 : records.findIndex(({ values }) => Object.hasOwn(values, 'values'))
  const message = 'is not a field of the sheet: a record is {"email": "a@b.c"}, or {"values": {"email": "a@b.c"}}'
  if (stray >= 0) throw invalidField(`${stray}.values`, message)
}

/** The records themselves are answered after an insert of at most this many, where they fit an answer. */
const RECORDS_ANSWERED = 1000

const written = ({ commitId, ignoredFields = [] }: { commitId: string | undefined; ignoredFields?: string[] }) => ({
  ...(commitId ? { commitId, versionId: commitId } : {}),
  ...(ignoredFields.length > 0 ? { ignoredFields } : {}),
})

export const insert = serve(records.insert)(async ({ sheet, body, query, request, caller, tx }) => {
  refuseLocked(sheet)
  const writer = writeRecords(sheet, tx, told(request, query, caller))
  refuseStrayValues(sheet, body)
  const result = await writer.insert(body)
  const records = body.length <= RECORDS_ANSWERED ? await insertedIn(sheet, body.length, result.commitId) : undefined
  return {
    data: { success: true as const, ...(records ? { records } : {}), counts: result.counts, ...written(result) },
  }
})

/** The records of the insert just made; undefined when they are too large for an answer: the write stands all the same. */
async function insertedIn(sheet: StoredSheet, count: number, commitId: string | undefined) {
  if (count === 0) return []
  const page = commitId === undefined ? undefined : await engine.list(sheetRef(sheet), { commitId })
  if (!page || page.records.length > DIRECT_BYTES) return undefined
  return JSON.parse(page.records.toString('utf8')) as engine.WireRecord[]
}

export const list = serve(records.list)(async ({ sheet, query, request }) => {
  const ref = sheetRef(sheet)
  const page = await engine.list(ref, {
    ...(await selectionOf(sheet, query)),
    ...sortOf(query),
    pageSize: query.pageSize,
    pageNumber: query.pageNumber,
    includeMessages: query.includeMessages,
    // A listener's hook compares a cell with what it writes back: a `links` without links makes each record look changed.
    includeLinks: query.includeLinks && query.for ? 'found' : (query.includeLinks ?? false),
    includeLength: query.includeLength ?? false,
    ...(query.fields ? { fields: knownFields(sheet, 'fields', query.fields) } : {}),
  })
  const counts = query.includeCounts
    ? await engine.counts(ref)
    : page.total === undefined
      ? undefined
      : { total: page.total }
  const rest = {
    ...(counts ? { counts } : {}),
    ...(page.commitId ? { commitId: page.commitId, versionId: page.commitId } : {}),
  }
  const tail = JSON.stringify(rest).slice(1)
  const body = Buffer.concat([
    Buffer.from('{"data":{"success":true,"records":'),
    page.records,
    Buffer.from(tail === '}' ? '}}' : `,${tail}}`),
  ])
  return largeReply(request, sheet, { name: 'records.json', type: 'application/json' }, [body])
})

export const update = serve(records.update)(async ({ sheet, body, query, request, caller, tx }) => {
  refuseLocked(sheet)
  const answers = query.for && (await commitOfEvent(sheet, query.for))
  const result = await writeRecords(sheet, tx, { ...told(request, query, caller), answers }).update(body)
  // A listener that writes its answer is done with the commit it was called for.
  if (answers && sheet.trackChanges) await completeOnce(tx, sheet, answers)
  const missing = [...new Set(result.missing)]
  if (missing.length > 0 && missing.length === new Set(body.map(({ id }) => id)).size) {
    await tx.commit()
    throw notFound('record', missing[0]!)
  }
  return { data: { success: true as const, ...(missing.length > 0 ? { missing } : {}), ...written(result) } }
})

/** The commit of the sheet that an event calls listeners for. */
async function commitOfEvent(sheet: StoredSheet, eventId: string): Promise<string | undefined> {
  const event = await Events.get(eventId)
  const about = event?.topic === commits.created.topic ? event.context : undefined
  return event?.environmentId === sheet.environmentId && about?.sheetId === sheet.id ? about.commitId : undefined
}

export const remove = serve(records.remove)(async ({ sheet, query, request, caller, tx }) => {
  refuseLocked(sheet)
  if (query.ids.length === 0) throw invalidField('ids', 'names at least one record')
  const result = await writeRecords(sheet, tx, told(request, query, caller)).remove(query.ids)
  if (result.removed === 0) throw notFound('record', query.ids[0]!)
  return success
})

export const bulkUpdate = serve(records.bulkUpdate)(async ({ sheet, body, query, request, caller, tx }) => {
  refuseLocked(sheet)
  const { fieldUpdates } = body
  knownFields(sheet, 'fieldUpdates', Object.keys(fieldUpdates))
  const bulk = bulkChanges(sheet, tx, told(request, query, caller))
  const result = await bulk.update(await selectionOf(sheet, query), fieldUpdates)
  return { data: { success: true as const, updated: result.updated, ...written(result) } }
})

export const findReplace = serve(records.findReplace)(async ({ sheet, body, query, request, caller, tx }) => {
  refuseLocked(sheet)
  const { fieldKey, find, replace } = body
  knownFields(sheet, 'fieldKey', [fieldKey])
  const bulk = bulkChanges(sheet, tx, told(request, query, caller))
  const result = await bulk.findReplace(await selectionOf(sheet, query), { field: fieldKey, find, replace })
  return { data: { success: true as const, updated: result.updated, ...written(result) } }
})

export const indices = serve(records.indices)(async ({ sheet, query }) => {
  const { ids, ...rest } = query
  return engine.indices(sheetRef(sheet), ids, { ...(await selectionOf(sheet, rest)), ...sortOf(query) })
})

export const history = serve(records.history)(async ({ sheet, params, query, request }) => {
  const found = await engine.recordHistory(sheetRef(sheet), params.recordId, query)
  if (!found) throw notFound('record', params.recordId)
  return largeJson(request, sheet, 'history', { data: found })
})

export const handler = lambda(insert, list, update, remove, bulkUpdate, findReplace, indices, history)
