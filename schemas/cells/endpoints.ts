/** Endpoints for counts, distinct values and calculations of a sheet, optionally filtered by a query. */
import * as z from 'zod'
import { documentAs } from '../kit/documented.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id } from '../kit/ids.ts'
import { data, QueryBoolean, QueryNumber } from '../kit/page.ts'
import { readParams, sortParams } from '../records/selection.ts'
import { Counts } from '../records/shape.ts'
import { FORMULAS } from './shape.ts'

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
