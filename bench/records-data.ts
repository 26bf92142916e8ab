/** Deterministic benchmark rows: 12 typed columns, about 137 bytes per row, with some errors and two unique columns. */
import type { SheetRef } from '../lib/records/sheet.ts'

export const COUNTRIES =
  'US CA GB DE FR ES IT NL BE SE NO DK FI PL PT IE AT CH AU NZ JP KR SG BR MX AR CL IN ZA AE'.split(' ')
const FIRST = 'James Mary Robert Jürgen Zoë François Søren Ana Mei Olga'.split(' ')
const LAST = "Smith Johnson Müller Nuñez Kowalski Tanaka O'Brien Lee Perez White".split(' ')
const COMPANIES = ['Acme Inc', 'Globex, Inc.', 'Initech LLC', 'Hooli & Sons', '"Quality" Ltd', 'Wonka GmbH']

function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

const quoteCell = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const stringField = (key: string, ...constraints: string[]) => ({
  key,
  type: 'string',
  constraints: constraints.map((type) => ({ type })),
})

export const FIELDS = [
  stringField('customer_id', 'unique', 'required'),
  stringField('first_name', 'required'),
  stringField('last_name', 'required'),
  stringField('email', 'unique'),
  stringField('phone'),
  stringField('company'),
  stringField('city'),
  { key: 'country', type: 'enum', config: { options: COUNTRIES.map((value) => ({ value })) } },
  { key: 'amount', type: 'number' },
  { key: 'quantity', type: 'number' },
  { key: 'signup_date', type: 'date' },
  { key: 'active', type: 'boolean' },
]
export const KEYS = FIELDS.map(({ key }) => key)

export const createBenchSheet = (sheetId: string): SheetRef => ({ sheetId, fields: FIELDS })

const rule = (type: string, config: object = {}) => ({ type, config })
const FIELD_RULES: { readonly [key: string]: object[] } = {
  customer_id: [rule('pattern', { pattern: '^C\\d{9}$' })],
  first_name: [rule('length', { min: 1, max: 50 })],
  email: [rule('email')],
  country: [rule('oneOf', { values: COUNTRIES })],
  amount: [rule('range', { gte: 0, lt: 10_000 })],
  signup_date: [rule('range', { gte: '2010-01-01' })],
}
const SHEET_RULES = [
  rule('required-with', { field: 'last_name', with: ['first_name'] }),
  rule('required-if', { field: 'phone', when: 'country eq DE' }),
  rule('compare', { field: 'quantity', operator: 'ne', other: 'amount' }),
  rule('rule', { when: 'active eq true and quantity eq 0', message: 'Active, but nothing was ordered' }),
]

/** The same sheet with ten rules, one or two of each kind; few records break them. */
export const createRulesSheet = (sheetId: string): SheetRef => ({
  sheetId,
  fields: FIELDS.map((field) => ({
    ...field,
    constraints: [...('constraints' in field ? field.constraints : []), ...(FIELD_RULES[field.key] ?? [])] as never,
  })),
  constraints: SHEET_RULES,
})

const LINES = 10_000

export function buildCsv(rows: number): Buffer {
  const pieces: Buffer[] = []
  const next = createRandom(42)
  const pickFrom = (list: readonly string[]): string => list[Math.floor(next() * list.length)]!
  const randomDigits = (count: number): string => String(Math.floor(next() * 10 ** count)).padStart(count, '0')
  let lines = [KEYS.join(',')]
  for (let i = 0; i < rows; i++) {
    const first = pickFrom(FIRST)
    const last = pickFrom(LAST)
    const email =
      next() < 0.005 ? 'dup@acme.example.com' : `p${i}.${last.length}@${pickFrom(COMPANIES).length}.example.com`
    const amount = next() < 0.01 ? 'N/A' : (next() * 10_000).toFixed(2)
    const date =
      next() < 0.005
        ? '31/31/2020'
        : `20${10 + Math.floor(next() * 15)}-0${1 + Math.floor(next() * 9)}-${10 + Math.floor(next() * 18)}`
    const cells = [
      `C${String(i * 7 + 1_000_003).padStart(9, '0')}`,
      first,
      last,
      email,
      `+1-${randomDigits(3)}-${randomDigits(3)}-${randomDigits(4)}`,
    ]
    cells.push(
      quoteCell(pickFrom(COMPANIES)),
      `Springfield ${randomDigits(2)}`,
      next() < 0.005 ? 'ZZ' : pickFrom(COUNTRIES),
      amount,
      randomDigits(3),
      date,
    )
    lines.push([...cells, next() < 0.6 ? 'true' : 'false'].join(','))
    if (lines.length < LINES && i < rows - 1) continue
    pieces.push(Buffer.from(`${lines.join('\n')}\n`))
    lines = []
  }
  return Buffer.concat(pieces)
}
