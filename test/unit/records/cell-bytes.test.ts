/** Cells read as bytes are validated, hashed and stored like the same cells as strings. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CellBytes } from '../../../lib/records/fields/cell-bytes.ts'
import { loadEngines } from '../../../lib/records/fields/engines.ts'
import { rulesOf } from '../../../lib/records/fields/rules.ts'
import { createSegmentWriter } from '../../../lib/records/segments/segment-writer.ts'
import type { Field } from '../../../lib/records/sheet.ts'

const options = { options: ['US', 'Österreich', 'a"b', '5'].map((value) => ({ value })) }
const uniqueConstraint = (config: object = {}) => ({ constraints: [{ type: 'unique', config }] })
const required = { constraints: [{ type: 'required' }] }

const FIELDS: Field[] = [
  { key: 'text', type: 'string', ...uniqueConstraint() },
  { key: 'tiny', type: 'string', config: { size: 'tiny' }, ...required },
  { key: 'folded', type: 'string', ...uniqueConstraint({ caseSensitive: false }) },
  { key: 'empty', type: 'string', ...uniqueConstraint({ ignoreEmpty: false }) },
  { key: 'number', type: 'number', ...uniqueConstraint() },
  { key: 'boolean', type: 'boolean' },
  { key: 'date', type: 'date', ...uniqueConstraint() },
  { key: 'option', type: 'enum', config: options, ...required },
  { key: 'own', type: 'enum', config: { ...options, allowCustom: true } },
  { key: 'list', type: 'string-list' },
  { key: 'options', type: 'enum-list', config: options },
  { key: 'numbers', type: 'number', isArray: true },
  { key: 'link', type: 'reference', config: { ref: 'others', key: 'id' } },
  {
    key: 'filtered',
    type: 'reference',
    config: { ref: 'others', key: 'id', filter: { refField: 'group', recordField: 'text' } },
  },
  { key: 'unknown', type: 'something' },
  { key: 'missing', type: 'string', ...required },
  {
    key: 'form',
    type: 'string',
    constraints: [
      { type: 'pattern', config: { pattern: '^[^ ]*$' } },
      { type: 'length', config: { min: 1, max: 4 } },
    ],
  },
  { key: 'mail', type: 'string', config: { size: 'tiny' }, constraints: [{ type: 'email' }, { type: 'phone' }] },
  { key: 'share', type: 'number', constraints: [{ type: 'range', config: { gte: 0, lt: 100 } }] },
  { key: 'since', type: 'date', constraints: [{ type: 'range', config: { gt: '2024-02-28' } }] },
  { key: 'chosen', type: 'enum', config: options, constraints: [{ type: 'oneOf', config: { values: ['US', 5] } }] },
]
const KEYS = [...FIELDS.map(({ key }) => key).filter((key) => key !== 'missing'), 'no field']
const rules = rulesOf({
  sheetId: 'us_sh_bytes',
  fields: FIELDS,
  constraints: [
    { type: 'unique', name: 'both', fields: ['text', 'number'], requiredFields: ['text'] },
    { type: 'required-with', config: { field: 'text', with: ['number', 'list'] } },
    { type: 'compare', config: { field: 'number', operator: 'lt', other: 'share' } },
    { type: 'compare', config: { field: 'date', operator: 'lte', other: 'since' } },
    { type: 'rule', config: { when: 'boolean eq true or option is empty or tiny like "%1%"', message: 'odd' } },
  ],
})
await loadEngines(rules.engines)

const telling = fc.constantFrom(
  ...['', ' ', '0', '-1', '+1', '1.', '.5', '1.5', '1e5', '1,5', '--1', '-', '.', '1.2.3', ' 7 ', 'N/A', '１'],
  ...['1.50', '1.0', '-0', '-0.5', '007', '0.000001', '0.0000001', '123456789012345', '12345678901234567890', '100'],
  ...['2 Jan 2020', '13.02.2020', '01/02/2020', '2020/1/2', '20200102', 'Thu, 02 Jan 2020 00:00:00 GMT'],
  ...['true', 'false', 'TRUE', 'False', ' true', 'truee', 'yes', '1', 'fals'],
  ...['2024-02-28', '2024-02-29', '2023-02-29', '2024-04-31', '2024-12-31', '2024-13-01', '2024-00-10', '2024-01-00'],
  ...[
    '2024-1-01',
    '20240101',
    '2024-02-28T00:00:00.000Z',
    '2024-02-30T00:00:00Z',
    '2024-02-28T10:00:00Z',
    '２024-01-01',
  ],
  ...['US', 'us', 'Österreich', 'a"b', 'a\\b', '5', 'ZZ', 'a\u0000b', '\u007f', '\u2028', '😀', 'é', 'e\u0301'],
  ...['x'.repeat(255), 'x'.repeat(256), 'ü'.repeat(127), 'ü'.repeat(128), '€'.repeat(85), '€'.repeat(86)],
)
const cell = fc.oneof(
  { weight: 3, arbitrary: telling },
  fc.string({ unit: fc.constantFrom(...'aA09.-eE+"\\\n\r\tüß€😀 '), maxLength: 12 }),
)
const row = fc.tuple(...KEYS.map(() => cell))

function createCellBytes(rows: readonly (readonly string[])[]): CellBytes {
  const starts = new Uint32Array(rows.length * KEYS.length)
  const ends = new Uint32Array(rows.length * KEYS.length)
  const pieces = [Buffer.from('"ü,')]
  let at = pieces[0]!.length
  for (const [i, text] of rows.flat().entries()) {
    const piece = Buffer.from(text)
    starts[i] = at
    ends[i] = at + piece.length
    pieces.push(piece, Buffer.from('",'))
    at += piece.length + 2
  }
  return { length: rows.length, keys: KEYS, bytes: Buffer.concat(pieces), starts, ends }
}

describe('cells as bytes', () => {
  it('produce the same segment as cells as strings', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), fc.nat(12), (rows, cut) => {
        const [ofBytes, ofTexts] = [createSegmentWriter(rules, 20), createSegmentWriter(rules, 20)]
        const at = Math.min(cut, rows.length)
        for (const [from, to] of [
          [0, at],
          [at, rows.length],
        ] as const) {
          ofBytes.add(createCellBytes(rows), from, to)
          ofTexts.add({ keys: KEYS, rows }, from, to)
        }
        const [built, expected] = [ofBytes.take(), ofTexts.take()]
        const toPlain = ({ chunks, ...rest }: typeof built) => ({
          ...rest,
          chunks: chunks.map(({ name, raw }) => [name, raw.toString()]),
        })
        expect(toPlain(built)).toEqual(toPlain(expected))
      }),
      { numRuns: 300 },
    )
  })
})
