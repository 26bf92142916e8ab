/** Endpoints for counts, distinct values and calculations of a sheet, optionally filtered by a query. */
import * as z from 'zod'
import { SheetContext } from './context.ts'
import { documentAs } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { data, QueryBoolean, QueryNumber } from './page.ts'
import { readParams, sortParams } from './record-selection.ts'
import { Counts } from './records.ts'
import { topic } from './topic.ts'

export const FORMULAS = ['SUM', 'AVERAGE', 'MIN', 'MAX'] as const

const params = z.object({ sheetId: Id })
const idPath = 'params.sheetId'
const example = { params: { sheetId: '{sheetId}' } }

export const counts = endpoint({
  id: 'cells.counts',
  method: 'GET',
  path: '/sheets/{sheetId}/counts',
  summary: 'Counts records: total, valid, with errors, and by field',
  policy: { can: 'records:read', on: 'sheet', at: idPath },
  params,
  query: z.object({ ...readParams, byField: QueryBoolean.optional() }),
  reply: data(z.object({ success: z.literal(true), counts: Counts })),
  example,
})
export const values = endpoint({
  id: 'cells.values',
  method: 'GET',
  path: '/sheets/{sheetId}/cells',
  summary: 'Lists the distinct values of one or all fields, with their counts',
  description: 'Ordered by frequency; to order by value instead, set `sortField` and `sortDirection`.',
  policy: { can: 'records:read', on: 'sheet', at: idPath },
  params,
  query: z.object({
    ...readParams,
    ...sortParams,
    fieldKey: z.string().optional(),
    distinct: documentAs(z.literal('true'), () => z.literal(true)).optional(),
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
  summary: 'Calculates sums, averages, extremes and the share of empty and changed cells by field',
  description:
    'SUM, AVERAGE, MIN and MAX apply to number fields. COUNT_CHANGED and PERCENT_CHANGED require `sinceCommitId`.',
  policy: { can: 'records:read', on: 'sheet', at: idPath },
  params,
  query: z.object({ ...readParams, byField: QueryBoolean.optional() }),
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
  when: 'a commit changes cells of number fields, so that calculations are outdated',
  payload: z.object({
    sheetId: Id,
    workbookId: Id,
    calculations: z.array(z.object({ field: z.string(), formula: z.enum(FORMULAS), updated: z.boolean() })),
  }),
  context: SheetContext,
})
