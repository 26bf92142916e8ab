/** Records over HTTP. A page is answered as bytes copied from the stored columns. */

import { completeOnce } from '../lib/commits/complete.ts'
import { sheetRef } from '../lib/commits/sheet-ref.ts'
import { writeRecords } from '../lib/commits/write.ts'
import { conflict, invalidField, notFound } from '../lib/core/errors.ts'
import type { StoredSheet } from '../lib/entities/sheets.ts'
import { Events } from '../lib/events/store.ts'
import type { Request } from '../lib/http/request.ts'
import { Bytes } from '../lib/http/respond.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import type { ListQuery, Selection } from '../lib/records/index.ts'
import * as engine from '../lib/records/index.ts'
import { success } from '../schemas/page.ts'
import * as records from '../schemas/records.ts'

/** The records themselves are answered after an insert of at most this many. */
const RECORDS_ANSWERED = 1000

const refuseLocked = (sheet: StoredSheet) => {
  if (sheet.lockedAt) throw conflict(`The sheet ${sheet.id} is locked: unlock it to change its records.`)
}

const written = ({ commitId, ignoredFields }: { commitId: string | undefined; ignoredFields: string[] }) => ({
  ...(commitId ? { commitId, versionId: commitId } : {}),
  ...(ignoredFields.length > 0 ? { ignoredFields } : {}),
})

/**
 * Does this write call the listeners of commits? `X-Force-Hooks` always; a write that answers an event (`for`) and says
 * `X-Disable-Hooks`, as listeners do, never: it would call itself again.
 */
const isQuiet = ({ headers }: Request, forEvent: string | undefined): boolean =>
  headers['x-force-hooks'] !== 'true' && forEvent !== undefined && headers['x-disable-hooks'] === 'true'

export const insert = serve(records.insert)(async ({ sheet, body, query, tx }) => {
  refuseLocked(sheet)
  const before = await engine.counts(sheetRef(sheet))
  if (before.total + body.length > records.RECORDS_PER_SHEET) {
    throw conflict(`A sheet holds at most ${records.RECORDS_PER_SHEET} records; this one has ${before.total}.`)
  }
  const writer = writeRecords(sheet, tx, { silent: query.silent })
  const result = await writer.insert(body.map((values) => ({ values: values ?? {} })))
  const answered =
    result.commitId && body.length <= RECORDS_ANSWERED
      ? await engine.read(sheetRef(sheet), { commitId: result.commitId })
      : undefined
  return {
    data: {
      success: true as const,
      ...(answered ? { records: answered.records } : {}),
      counts: result.counts,
      ...written(result),
    },
  }
})

export const list = serve(records.list)(async ({ sheet, query }) => {
  const ref = sheetRef(sheet)
  const page = await engine.list(ref, {
    ...selectionOf(sheet, query),
    pageSize: query.pageSize,
    pageNumber: query.pageNumber,
    includeMessages: query.includeMessages,
    includeLength: query.includeLength ?? false,
    ...(query.fields ? { fields: query.fields } : {}),
    ...(query.sortField
      ? { sort: { field: knownField(sheet, 'sortField', query.sortField), direction: query.sortDirection ?? 'asc' } }
      : {}),
  } satisfies ListQuery)
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
  return new Bytes(
    Buffer.concat([
      Buffer.from('{"data":{"success":true,"records":'),
      page.records,
      Buffer.from(tail === '}' ? '}}' : `,${tail}}`),
    ]),
  )
})

export const update = serve(records.update)(async ({ sheet, body, query, request, tx }) => {
  refuseLocked(sheet)
  const writer = writeRecords(sheet, tx, { silent: query.silent, quiet: isQuiet(request, query.for) })
  const changes = body.map(({ id, values, metadata, config }) => ({
    id,
    values: values ?? null,
    metadata: metadata ?? null,
    config: config ?? null,
  }))
  const result = await writer.update(changes)
  const missing = [...new Set(result.missing)]
  if (missing.length > 0 && missing.length === new Set(body.map(({ id }) => id)).size)
    throw notFound('record', missing[0]!)
  if (query.for && sheet.trackChanges) await completeAnswered(query.for)
  return { data: { success: true as const, ...(missing.length > 0 ? { missing } : {}), ...written(result) } }

  /** A listener that writes its answer is done with the commit it was called for. */
  async function completeAnswered(eventId: string) {
    const event = await Events.get(eventId)
    const commitId = event?.context.commitId
    if (event?.environmentId === sheet.environmentId && event.context.sheetId === sheet.id && commitId)
      await completeOnce(tx, sheet, commitId)
  }
})

export const remove = serve(records.remove)(async ({ sheet, query, tx }) => {
  refuseLocked(sheet)
  if (query.ids.length === 0) throw invalidField('ids', 'names at least one record')
  const result = await writeRecords(sheet, tx, { silent: query.silent }).remove(query.ids)
  if (result.removed === 0) throw notFound('record', query.ids[0]!)
  return success
})

export const counts = serve(records.counts)(async ({ sheet, query }) => ({
  data: {
    success: true as const,
    counts: await engine.counts(sheetRef(sheet), {
      ...selectionOf(sheet, query),
      ...(query.byField ? { byField: true } : {}),
    }),
  },
}))

export const cells = serve(records.cells)(async ({ sheet, query }) => {
  const values = await engine.distinct(
    sheetRef(sheet),
    knownField(sheet, 'fieldKey', query.fieldKey),
    selectionOf(sheet, query),
  )
  const first = (query.pageNumber - 1) * query.pageSize
  const page = values.slice(first, first + query.pageSize)
  return {
    data: {
      [query.fieldKey]: page.map(({ value, count }) => (query.includeCounts ? { value, counts: count } : { value })),
    },
  }
})

function knownField(sheet: StoredSheet, parameter: string, key: string): string {
  if (!sheet.config.fields.some((field) => field.key === key))
    throw invalidField(parameter, `the sheet has no field ${key}`)
  return key
}

interface SelectionQuery {
  filter?: 'valid' | 'error' | 'all' | 'none' | undefined
  filterField?: string | undefined
  searchValue?: string | undefined
  searchField?: string | undefined
  ids?: string[] | undefined
  commitId?: string | undefined
  versionId?: string | undefined
  sinceCommitId?: string | undefined
  sinceVersionId?: string | undefined
}

/** Which records a query means. Throws 400 for a field the sheet has not and a commit of another sheet. */
function selectionOf(sheet: StoredSheet, query: SelectionQuery): Selection {
  const commitId = ownCommit(sheet, 'commitId', query.commitId ?? query.versionId)
  const sinceCommitId = ownCommit(sheet, 'sinceCommitId', query.sinceCommitId ?? query.sinceVersionId)
  return {
    ...(query.filter ? { filter: query.filter } : {}),
    ...(query.filterField ? { filterField: knownField(sheet, 'filterField', query.filterField) } : {}),
    ...(query.ids?.length ? { ids: query.ids } : {}),
    ...(commitId ? { commitId } : {}),
    ...(sinceCommitId ? { sinceCommitId } : {}),
    ...(query.searchValue === undefined
      ? {}
      : {
          search: {
            value: query.searchValue,
            ...(query.searchField ? { field: knownField(sheet, 'searchField', query.searchField) } : {}),
          },
        }),
  }
}

function ownCommit(sheet: StoredSheet, parameter: string, commitId: string | undefined): string | undefined {
  if (commitId !== undefined && engine.sheetIdOf(commitId) !== sheet.id)
    throw invalidField(parameter, `the sheet has no commit ${commitId}`)
  return commitId
}

export const handler = lambda(insert, list, update, remove, counts, cells)
