/** What a sheet's cells come to: counts, distinct values and calculations, over all records or those a query means. */
import * as z from 'zod'
import { SheetContext } from './context.ts'
import { documentedAs } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { data, QueryBoolean, QueryNumber } from './page.ts'
import { Counts } from './records.ts'
import { selection, sorting } from './selection.ts'
import { topic } from './topic.ts'

/** Calculations that a field of numbers has beyond the counts of every field. */
export const FORMULAS = ['SUM', 'AVERAGE', 'MIN', 'MAX'] as const

const params = z.object({ sheetId: Id })
const at = 'params.sheetId'
const example = { params: { sheetId: '{sheetId}' } }

export const counts = endpoint({
  id: 'cells.counts',
  method: 'GET',
  path: '/sheets/{sheetId}/counts',
  summary: 'Counts records: all, valid, with errors, by field',
  policy: { can: 'records:read', on: 'sheet', at },
  params,
  query: z.object({ ...selection, byField: QueryBoolean.optional() }),
  reply: data(z.object({ success: z.literal(true), counts: Counts })),
  example,
})
export const values = endpoint({
  id: 'cells.values',
  method: 'GET',
  path: '/sheets/{sheetId}/cells',
  summary: 'Lists the distinct values of one field, or of all, with their counts',
  description:
    'The most frequent first; `sortField` names the field whose values are sorted instead, by `sortDirection`.',
  policy: { can: 'records:read', on: 'sheet', at },
  params,
  query: z.object({
    ...selection,
    ...sorting,
    fieldKey: z.string().optional(),
    distinct: documentedAs(z.literal('true', 'must be true'), () => z.literal(true)).optional(),
    includeCounts: QueryBoolean.optional(),
    pageSize: QueryNumber(1, 10_000).default(1000),
    pageNumber: QueryNumber(1, 1_000_000).default(1),
  }),
  reply: data(z.record(z.string(), z.array(z.object({ value: z.unknown(), counts: z.number().int().optional() })))),
  also: ['large'],
  example: { ...example, query: { fieldKey: 'email', distinct: 'true' } },
})
export const calculations = endpoint({
  id: 'cells.calculations',
  method: 'GET',
  path: '/sheets/{sheetId}/calculations',
  summary: 'Calculates sums, averages, extremes and shares of empty and changed cells by field',
  description:
    'SUM, AVERAGE, MIN and MAX are of number fields; COUNT_CHANGED and PERCENT_CHANGED need `sinceCommitId`.',
  policy: { can: 'records:read', on: 'sheet', at },
  params,
  query: z.object({ ...selection, byField: QueryBoolean.optional() }),
  reply: data(
    z.array(
      z.object({
        id: Id,
        workbookId: Id,
        sheetId: Id,
        fieldKey: z.string(),
        type: z.enum([
          'COUNT_EMPTY',
          'COUNT_NON_EMPTY',
          'PERCENT_EMPTY',
          'PERCENT_NON_EMPTY',
          'COUNT_CHANGED',
          'PERCENT_CHANGED',
          ...FORMULAS,
        ]),
        value: z.number(),
      }),
    ),
  ),
  example,
})

export const calculationUpdated = topic('sheet:calculation-updated', {
  when: 'a commit touches cells of number fields: what is calculated from them has to be read again',
  payload: z.object({
    sheetId: Id,
    workbookId: Id,
    calculations: z.array(z.object({ field: z.string(), formula: z.enum(FORMULAS), updated: z.boolean() })),
  }),
  context: SheetContext,
})
