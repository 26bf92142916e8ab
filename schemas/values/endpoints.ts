import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id } from '../kit/ids.ts'
import { data } from '../kit/page.ts'
import { CheckFields, FieldProblem, Interpret, InterpretedColumn, SuggestedField } from './shape.ts'

export const INTERPRET_BODY_BYTES = 1024 * 1024

export const interpret = endpoint({
  id: 'values.interpret',
  method: 'POST',
  path: '/values/interpret',
  summary: 'Reads columns of texts as the values of their fields, without storing anything',
  description:
    'All values of a column decide how they are read, as in a mapping. The fields are given in `fields`, or those of the sheet `sheetId`. ' +
    'A column that can be read in several ways has a `question` with `alternatives`; send one of them as the `reading` of the column. A value that is not read stays as it is, with its `problem`.',
  policy: { can: 'records:read', on: 'sheet', at: 'body.sheetId', optional: true },
  body: Interpret,
  bodyBytes: INTERPRET_BODY_BYTES,
  reply: data(z.object({ columns: z.array(InterpretedColumn) })),
  example: {
    body: { sheetId: '{sheetId}', columns: [{ key: 'age', values: ['1.234,50 €', '7', 'seven'] }] },
  },
})

const params = z.object({ sheetId: Id })
const policy = { can: 'records:read', on: 'sheet', at: 'params.sheetId' } as const

export const suggestFields = endpoint({
  id: 'values.suggestFields',
  method: 'GET',
  path: '/sheets/{sheetId}/suggested-fields',
  summary: 'Suggests a field for each column of a sheet, such as that of a file, from all its values',
  description:
    'Suggests types, options, formats, units, and whether a field is required or unique, with the reasons. Changes nothing.',
  policy,
  params,
  reply: data(z.object({ records: z.number().int(), fields: z.array(SuggestedField) })),
  example: { params: { sheetId: '{sheetId}' } },
})
export const checkFields = endpoint({
  id: 'values.checkFields',
  method: 'POST',
  path: '/sheets/{sheetId}/check-fields',
  summary: 'Counts the problems that the records of a sheet would have with other fields and rules',
  description:
    'Reads the values as an import does, of the first 20,000 records at most. A reference is compared with the column of the sheet named for it in `references`, unless that sheet has more records. Changes nothing.',
  policy,
  params,
  body: CheckFields,
  bodyBytes: INTERPRET_BODY_BYTES,
  reply: data(
    z.object({
      records: z.number().int(),
      recordsWithErrors: z.number().int(),
      problems: z.array(FieldProblem),
    }),
  ),
  example: {
    params: { sheetId: '{sheetId}' },
    body: {
      fields: [
        { key: 'email', type: 'string', constraints: [{ type: 'required' }] },
        { key: 'boss', type: 'reference', config: { ref: 'people', key: 'email' } },
      ],
      references: [{ field: 'boss', sheetId: '{sheetId}', column: 'email' }],
    },
  },
})
