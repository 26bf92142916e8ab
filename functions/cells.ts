import { assertKnownFields, parseSelection } from '../lib/commits/selection.ts'
import { toSheetRef } from '../lib/commits/sheet-ref.ts'
import { newId } from '../lib/core/ids.ts'
import { createLargeJsonReply } from '../lib/http/large-response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { shareReads } from '../lib/jobs/parts/share-reads.ts'
import * as engine from '../lib/records/index.ts'
import * as cells from '../schemas/cells/endpoints.ts'

export const counts = serve(cells.counts)(async ({ sheet, query }) => ({
  data: {
    success: true as const,
    counts: await engine.countRecords(shareReads(sheet), {
      ...(await parseSelection(sheet, query)),
      ...(query.byField ? { byField: true } : {}),
    }),
  },
}))

export const calculations = serve(cells.calculations)(async ({ sheet, query }) => {
  const results = await engine.calculate(toSheetRef(sheet), await parseSelection(sheet, query))
  const location = { workbookId: sheet.workbookId, sheetId: sheet.id }
  return { data: results.map((calculation) => ({ id: newId('calculation'), ...location, ...calculation })) }
})

export const values = serve(cells.values)(async ({ sheet, query, request }) => {
  const keys = query.fieldKey
    ? assertKnownFields(sheet, 'fieldKey', [query.fieldKey])
    : sheet.config.fields.map(({ key }) => key)
  const valuesByField = await engine.listDistinctValuesByField(toSheetRef(sheet), {
    ...(await parseSelection(sheet, query)),
    fields: keys,
    ...(query.sortField ? { order: { by: 'value', direction: query.sortDirection ?? 'asc' } } : {}),
  })
  const offset = (query.pageNumber - 1) * query.pageSize
  const page = (distinct: readonly engine.DistinctValue[]) =>
    distinct
      .slice(offset, offset + query.pageSize)
      .map(({ value, count }) => (query.includeCounts ? { value, counts: count } : { value }))
  const data = Object.fromEntries(keys.map((key) => [key, page(valuesByField.get(key) ?? [])]))
  return createLargeJsonReply(request, sheet, 'cells', { data })
})

export const handler = lambda(counts, calculations, values)
