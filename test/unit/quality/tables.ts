/** Random sheets with errors, written by several commits so that segments have edits and deleted rows. */
import fc from 'fast-check'
import type { Field } from '../../../schemas/sheets/fields.ts'

export const FIELDS: Field[] = [
  { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'code', type: 'string', constraints: [{ type: 'unique' }] },
  { key: 'amount', type: 'number' },
  { key: 'born', type: 'date' },
  { key: 'color', type: 'enum', config: { options: [{ value: 'red' }, { value: 'dark blue' }, { value: 'green' }] } },
  { key: 'tags', type: 'string-list' },
]

const names = fc.constantFrom(null, 'Ada', 'ADA', ' Ada', 'Ada L.', 'L. Ada', 'Émile', 'Emile', 'Robert', 'Rupert')
const row = fc.record({
  name: names,
  code: fc.constantFrom(null, 'a', 'b', 'c1', 'c2'),
  amount: fc.constantFrom(null, 1, 2.5, '1,5', '12 €', 'n/a', '1.234,50', '7 km'),
  born: fc.constantFrom(null, '2020-01-02', '31.12.2019', '1.2.2020', '31/31/2020', 'soon'),
  color: fc.constantFrom(null, 'red', 'Red', 'DARK-BLUE', 'gren', 'pink'),
  tags: fc.constantFrom(null, ['a'], 'a; b', 'c'),
})

export const table = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 60 }),
  updates: fc.array(fc.record({ at: fc.nat(59), row }), { maxLength: 6 }),
  deletes: fc.array(fc.nat(59), { maxLength: 4 }),
})
export type Table = typeof table extends fc.Arbitrary<infer T> ? T : never

type Row = Table['rows'][number]
export const toCells = (values: Row) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]))
