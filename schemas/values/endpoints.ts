import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { data } from '../kit/page.ts'
import { Interpret, InterpretedColumn } from './shape.ts'

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
