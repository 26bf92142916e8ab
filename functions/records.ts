/** Records over HTTP. Pages are sent as bytes copied from the stored columns. */

import { completeForListener } from '../lib/agents/part-completion.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { createBulkWriter } from '../lib/commits/bulk.ts'
import { assertKnownFields, parseSelection, parseSort } from '../lib/commits/selection.ts'
import { toSheetRef } from '../lib/commits/sheet-ref.ts'
import { assertUnlocked, createRecordWriter, requireVersion, writeOptionsFrom } from '../lib/commits/write.ts'
import { invalidField, notFound } from '../lib/core/errors.ts'
import type { StoredSheet } from '../lib/entities/sheets.ts'
import { parseCommitPart } from '../lib/events/commit-parts.ts'
import { Events, type StoredEvent } from '../lib/events/store.ts'
import { createLargeJsonReply, createLargeReply } from '../lib/http/large-response.ts'
import type { Request } from '../lib/http/request.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { shareReads } from '../lib/jobs/parts/share-reads.ts'
import * as engine from '../lib/records/index.ts'
import type { Tx } from '../lib/tx.ts'
import * as commits from '../schemas/commits/events.ts'
import { INLINE_RESPONSE_BYTES } from '../schemas/kit/byte-limits.ts'
import { message } from '../schemas/messages/index.ts'
import type { ColumnChanges } from '../schemas/records/columns.ts'
import * as columns from '../schemas/records/columns.ts'
import * as records from '../schemas/records/endpoints.ts'

const EXAMPLES = { flat: '{"email": "a@b.c"}', nested: '{"values": {"email": "a@b.c"}}' }

/** Without a field named `values`, a nested `values` would be dropped silently as an unknown field. */
function assertNoNestedValues(sheet: StoredSheet, records: readonly { values: object }[]): void {
  const isField = sheet.config.fields.some(({ key }) => key === 'values')
  const nestedIndex = isField ? -1 : records.findIndex(({ values }) => Object.hasOwn(values, 'values'))
  if (nestedIndex >= 0) throw invalidField(`${nestedIndex}.values`, message('records.nestedValues', EXAMPLES))
}

const MAX_RECORDS_PER_RESPONSE = 1000

const toWriteResult = ({
  commitId,
  ignoredFields = [],
}: {
  commitId: string | undefined
  ignoredFields?: string[]
}) => ({
  ...(commitId ? { commitId, versionId: commitId } : {}),
  ...(ignoredFields.length > 0 ? { ignoredFields } : {}),
})

async function readTexts<R extends { values?: engine.CellInputs | null | undefined }>(
  { config }: StoredSheet,
  { interpret = config.interpret }: { interpret?: boolean | undefined },
  { now }: { now: string },
  records: readonly R[],
): Promise<readonly R[]> {
  if (!interpret) return records
  const { interpretRecords } = await import('../lib/mapping/interpret-records.ts')
  return interpretRecords(config.fields, records, new Date(now).getUTCFullYear())
}

export const insert = serve(records.insert)(async ({ sheet, body, query, request, caller, tx }) => {
  assertUnlocked(sheet)
  const writer = createRecordWriter(sheet, tx, writeOptionsFrom(request, query, caller))
  assertNoNestedValues(sheet, body)
  const result = await writer.insert(await readTexts(sheet, query, tx, body))
  const records =
    body.length <= MAX_RECORDS_PER_RESPONSE ? await readInserted(sheet, body.length, result.commitId) : undefined
  return {
    data: { success: true as const, ...(records ? { records } : {}), counts: result.counts, ...toWriteResult(result) },
  }
})

/** Undefined if the records are too large for a response; the insert itself succeeded. */
async function readInserted(sheet: StoredSheet, count: number, commitId: string | undefined) {
  if (count === 0) return []
  const page = commitId === undefined ? undefined : await engine.listRecords(toSheetRef(sheet), { commitId })
  if (!page || page.records.length > INLINE_RESPONSE_BYTES) return undefined
  return JSON.parse(page.records.toString('utf8')) as engine.WireRecord[]
}

export const list = serve(records.list)(async ({ sheet, query, request }) => {
  const ref = shareReads(sheet)
  const page = await engine.listRecords(ref, {
    ...(await parseSelection(sheet, query)),
    ...parseSort(query),
    pageSize: query.pageSize,
    pageNumber: query.pageNumber,
    includeMessages: query.includeMessages,
    // A record hook compares cells with what it writes back; an empty `links` would look like a change.
    includeLinks: query.includeLinks && query.for ? 'found' : (query.includeLinks ?? false),
    includeLength: query.includeLength ?? false,
    ...(query.fields ? { fields: assertKnownFields(sheet, 'fields', query.fields) } : {}),
  })
  const counts = query.includeCounts
    ? await engine.countRecords(ref)
    : page.total === undefined
      ? undefined
      : { total: page.total }
  const remaining = {
    ...(counts ? { counts } : {}),
    ...(page.commitId ? { commitId: page.commitId, versionId: page.commitId } : {}),
  }
  const tail = JSON.stringify(remaining).slice(1)
  const body = [
    Buffer.from('{"data":{"success":true,"records":'),
    page.records,
    Buffer.from(tail === '}' ? '}}' : `,${tail}}`),
  ]
  return createLargeReply(request, sheet, { name: 'records.json', type: 'application/json' }, body)
})

export const readColumns = serve(columns.read)(async ({ sheet, query, request }) => {
  const page = await engine.listColumns(shareReads(sheet), {
    ...(await parseSelection(sheet, query)),
    pageSize: query.pageSize,
    pageNumber: query.pageNumber,
    includeMessages: query.includeMessages,
    includeLinks: query.includeLinks ? 'found' : false,
    ...(query.fields ? { fields: assertKnownFields(sheet, 'fields', query.fields) } : {}),
  })
  const body = [Buffer.from('{"data":{'), page, Buffer.from('}}')]
  return createLargeReply(request, sheet, { name: 'columns.json', type: 'application/json' }, body)
})

interface UpdateRequest {
  sheet: StoredSheet
  query: Parameters<typeof writeOptionsFrom>[1]
  request: Request
  caller: Principal
  tx: Tx
}

export const update = serve(records.update)(async (input) =>
  updateRecords(input, await readTexts(input.sheet, input.query, input.tx, input.body)),
)

export const writeColumns = serve(columns.write)(async ({ body, ...input }) => updateRecords(input, toUpdates(body)))

async function updateRecords(
  { sheet, query, request, caller, tx }: UpdateRequest,
  updates: readonly engine.RecordUpdate[],
) {
  assertUnlocked(sheet)
  const event = query.for === undefined ? undefined : await findCommitEvent(sheet, query.for)
  const inReplyTo = event?.context.commitId
  const writer = createRecordWriter(sheet, tx, { ...writeOptionsFrom(request, query, caller), inReplyTo })
  const result = await writer.update(updates)
  if (event && inReplyTo && sheet.trackChanges)
    await completeForListener(tx.actor, sheet, inReplyTo, caller, parseCommitPart(event))
  const missing = [...new Set(result.missing)]
  if (missing.length > 0 && missing.length === new Set(updates.map(({ id }) => id)).size) {
    await tx.commit()
    throw notFound('record', missing[0]!)
  }
  return { data: { success: true as const, ...(missing.length > 0 ? { missing } : {}), ...toWriteResult(result) } }
}

type WritableUpdate = engine.RecordUpdate & { values: Record<string, engine.CellInput> }

function toUpdates({ ids, columns: cells = {}, messages = [], metadata = [], config = [] }: ColumnChanges) {
  const updates = ids.map((id): WritableUpdate => ({ id, values: {} }))
  for (const [key, { rows, values }] of Object.entries(cells))
    rows.forEach((row, i) => {
      updates[row]!.values[key] = { value: values[i] }
    })
  for (const { row, field, messages: list } of messages) {
    const { values } = updates[row]!
    values[field] = { ...values[field], messages: list }
  }
  for (const { row, value } of metadata) updates[row]!.metadata = value
  for (const { row, value } of config) updates[row]!.config = value
  return updates
}

async function findCommitEvent(sheet: StoredSheet, eventId: string): Promise<StoredEvent | undefined> {
  const event = await Events.get(eventId)
  if (event?.topic !== commits.created.topic) return undefined
  return event.environmentId === sheet.environmentId && event.context.sheetId === sheet.id ? event : undefined
}

export const remove = serve(records.remove)(async ({ sheet, query, request, caller, tx }) => {
  assertUnlocked(sheet)
  if (query.ids.length === 0) throw invalidField('ids', message('records.idsEmpty'))
  const result = await createRecordWriter(sheet, tx, writeOptionsFrom(request, query, caller)).remove(query.ids)
  if (result.removed === 0) throw notFound('record', query.ids[0]!)
  return { data: { success: true as const, ...toWriteResult(result) } }
})

export const bulkUpdate = serve(records.bulkUpdate)(async ({ sheet, body, query, request, caller, tx }) => {
  assertUnlocked(sheet)
  const { fieldUpdates } = body
  assertKnownFields(sheet, 'fieldUpdates', Object.keys(fieldUpdates))
  const bulk = createBulkWriter(sheet, tx, writeOptionsFrom(request, query, caller))
  const [update] = await readTexts(sheet, query, tx, [{ values: fieldUpdates }])
  const result = await bulk.update(await parseSelection(sheet, query), update!.values)
  return { data: { success: true as const, updated: result.updated, ...toWriteResult(result) } }
})

export const findReplace = serve(records.findReplace)(async ({ sheet, body, query, request, caller, tx }) => {
  assertUnlocked(sheet)
  const { fieldKey, find, replace, version } = body
  const bulk = createBulkWriter(sheet, tx, {
    ...writeOptionsFrom(request, query, caller),
    assertUnchanged: requireVersion(version),
  })
  const fields = listReplacedFields(sheet, fieldKey)
  const result = await bulk.findReplace(await parseSelection(sheet, query), { fields, find, replace })
  return { data: { success: true as const, updated: result.updated, ...toWriteResult(result) } }
})

export const previewFindReplace = serve(records.previewFindReplace)(async ({ sheet, body, query, request }) => {
  const { previewReplacement } = await import('../lib/quality/replacement-preview.ts')
  const { fieldKey, ...replacement } = body
  const fields = listReplacedFields(sheet, fieldKey)
  const selection = await parseSelection(sheet, query)
  const data = await previewReplacement(toSheetRef(sheet), { ...replacement, fields }, selection, query)
  return createLargeJsonReply(request, sheet, 'preview', { data })
})

const listReplacedFields = (sheet: StoredSheet, fieldKey: string | undefined): readonly string[] =>
  fieldKey === undefined
    ? sheet.config.fields.filter(({ readonly }) => !readonly).map(({ key }) => key)
    : assertKnownFields(sheet, 'fieldKey', [fieldKey])

export const indices = serve(records.indices)(async ({ sheet, query }) => {
  const { ids, ...filter } = query
  return engine.findIndices(shareReads(sheet), ids, { ...(await parseSelection(sheet, filter)), ...parseSort(query) })
})

export const history = serve(records.history)(async ({ sheet, params, query, request }) => {
  const versions = await engine.readRecordHistory(toSheetRef(sheet), params.recordId, query)
  if (!versions) throw notFound('record', params.recordId)
  const { readActorNames } = await import('../lib/auth/actor-names.ts')
  const names = await readActorNames(
    sheet.accountId,
    versions.map(({ createdBy }) => createdBy),
  )
  const data = versions.map((version) => ({ ...version, createdByName: names.get(version.createdBy) }))
  return createLargeJsonReply(request, sheet, 'history', { data })
})

export const handler = lambda(
  insert,
  list,
  readColumns,
  update,
  writeColumns,
  remove,
  bulkUpdate,
  findReplace,
  previewFindReplace,
  indices,
  history,
)
