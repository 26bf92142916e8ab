/** What a sheet's cells come to, over HTTP: counts, distinct values and calculations. */

import { knownFields, selectionOf } from '../lib/commits/selection.ts'
import { sheetRef } from '../lib/commits/sheet-ref.ts'
import { newId } from '../lib/core/ids.ts'
import { largeJson } from '../lib/http/large.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as engine from '../lib/records/index.ts'
import * as cells from '../schemas/cells.ts'

export const counts = serve(cells.counts)(async ({ sheet, query }) => ({
  data: {
    success: true as const,
    counts: await engine.counts(sheetRef(sheet), {
      ...(await selectionOf(sheet, query)),
      ...(query.byField ? { byField: true } : {}),
    }),
  },
}))

export const calculations = serve(cells.calculations)(async ({ sheet, query }) => {
  const found = await engine.calculations(sheetRef(sheet), await selectionOf(sheet, query))
  const of = { workbookId: sheet.workbookId, sheetId: sheet.id }
  return { data: found.map((one) => ({ id: newId('calculation'), ...of, ...one })) }
})

export const values = serve(cells.values)(async ({ sheet, query, request }) => {
  const keys = query.fieldKey
    ? knownFields(sheet, 'fieldKey', [query.fieldKey])
    : sheet.config.fields.map(({ key }) => key)
  const found = await engine.distinctValues(sheetRef(sheet), {
    ...(await selectionOf(sheet, query)),
    fields: keys,
    ...(query.sortField ? { order: { by: 'value', direction: query.sortDirection ?? 'asc' } } : {}),
  })
  const first = (query.pageNumber - 1) * query.pageSize
  const page = (all: readonly engine.DistinctValue[]) =>
    all
      .slice(first, first + query.pageSize)
      .map(({ value, count }) => (query.includeCounts ? { value, counts: count } : { value }))
  const data = Object.fromEntries(keys.map((key) => [key, page(found.get(key) ?? [])]))
  return largeJson(request, sheet, 'cells', { data })
})

export const handler = lambda(counts, calculations, values)
