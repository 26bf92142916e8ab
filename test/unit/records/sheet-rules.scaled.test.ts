/** Rules of fields and sheets, compared with a naive evaluator after any writes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Field, Message, SheetConstraint, SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { createWriteContext, newSheetId } from '../../support/records.ts'
import { runs } from '../../support/runs.ts'

const { engine, insert, update, remove, restoreVersion } = await startRecordSuite()

type Row = Record<string, string | number | null>

const rule = (type: string, config: object = {}) => ({ type, config })
const FIELDS: Field[] = [
  { key: 'code', type: 'string', constraints: [rule('pattern', { pattern: '^[A-Z]\\d+$', message: 'code' })] },
  { key: 'name', type: 'string', constraints: [rule('length', { min: 2, max: 3, message: 'length' })] },
  { key: 'size', type: 'number', constraints: [rule('range', { gt: 0, lte: 9, message: 'range', level: 'warn' })] },
  { key: 'day', type: 'date', constraints: [rule('range', { gte: '2020-01-01', lt: '2020-02-01', message: 'day' })] },
  { key: 'end', type: 'date' },
  { key: 'unit', type: 'string', constraints: [rule('oneOf', { values: ['kg', 'lb'], message: 'unit' })] },
]
const CONSTRAINTS: SheetConstraint[] = [
  rule('required-with', { field: 'unit', with: ['size'], message: 'with' }),
  rule('required-if', { field: 'end', when: 'code eq "A1" and size gte 5', message: 'if' }),
  rule('compare', { field: 'day', operator: 'lt', other: 'end', message: 'order' }),
  rule('rule', {
    when: 'name eq "é€" or (size gt 8 and unit is not empty)',
    message: 'odd',
    field: 'code',
    level: 'info',
  }),
  rule('rule', { when: 'unit eq "st"', message: 'old unit' }),
]

const isDay = (value: unknown): boolean => typeof value === 'string' && /^2020-0[12]-\d\d$/.test(value)

function evaluate({ code, name, size, day, end, unit }: Row): Record<string, string[]> {
  const found: Record<string, string[]> = { code: [], name: [], size: [], day: [], end: [], unit: [] }
  const add = (key: string, isWrong: boolean, text: string) => isWrong && found[key]!.push(text)
  add('code', code !== null && !/^[A-Z]\d+$/.test(String(code)), 'code')
  const length = Array.from(String(name)).length
  add('name', name !== null && length < 2, 'length')
  add('name', name !== null && length > 3, 'length')
  add('size', typeof size === 'number' && !(size! > 0), 'range')
  add('size', typeof size === 'number' && !(size! <= 9), 'range')
  add('day', isDay(day) && day! < '2020-01-01', 'day')
  add('day', isDay(day) && day! >= '2020-02-01', 'day')
  add('unit', unit !== null && unit !== 'kg' && unit !== 'lb', 'unit')
  add('unit', unit === null && size !== null, 'with')
  add('end', end === null && code === 'A1' && typeof size === 'number' && size >= 5, 'if')
  add('day', isDay(day) && isDay(end) && !(day! < end!), 'order')
  add('code', name === 'é€' || (typeof size === 'number' && size > 8 && unit !== null), 'odd')
  add('unit', unit === 'st', 'old unit')
  return found
}

const OWN = new Set(['rule-constraint', 'required-constraint', 'invalid-option'])

async function readRows(sheet: SheetRef) {
  const { records } = await engine.readRecords(sheet)
  return records.map(({ id, values, valid }) => ({
    id,
    valid,
    row: Object.fromEntries(sheet.fields.map(({ key }) => [key, values[key]!.value])) as Row,
    messages: Object.fromEntries(sheet.fields.map(({ key }) => [key, values[key]!.messages])),
  }))
}

const listTexts = (messages: readonly Message[]): string[] =>
  messages
    .filter(({ source }) => OWN.has(source))
    .map(({ message }) => message)
    .sort()

async function expectEvaluated(sheet: SheetRef, hasRules = true): Promise<void> {
  const rows = await readRows(sheet)
  const expected = rows.map(({ row }) => (hasRules ? evaluate(row) : {}))
  for (const [i, { messages, valid }] of rows.entries()) {
    for (const { key } of sheet.fields)
      expect(listTexts(messages[key]!), `${key} of ${JSON.stringify(rows[i]!.row)}`).toEqual(
        (expected[i]![key] ?? []).sort(),
      )
    expect(valid).toBe(!Object.values(messages).some((list) => list.some(({ type }) => type === 'error')))
  }
  const counts = await engine.countRecords(sheet, {})
  const valid = rows.filter((row) => row.valid).length
  expect(counts).toMatchObject({ total: rows.length, valid, error: rows.length - valid })
}

const cell = {
  code: fc.constantFrom(null, 'A1', 'B22', 'a1', 'A'),
  name: fc.constantFrom(null, 'é', 'é€', '😀😀😀', '😀😀😀😀', 'ab'),
  size: fc.constantFrom(null, -1, 0, 5, 9, 9.5, 'many'),
  day: fc.constantFrom(null, '2020-01-01', '2020-01-31', '2020-02-01', 'some day'),
  end: fc.constantFrom(null, '2020-01-01', '2020-01-20', 'soon'),
  unit: fc.constantFrom(null, 'kg', 'lb', 'st'),
}
const row = fc.record(cell) as fc.Arbitrary<Row>
const edit = fc.record({ at: fc.nat(), values: fc.record(cell, { requiredKeys: [] }) })
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('insert' as const), rows: fc.array(row, { minLength: 1, maxLength: 9 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('update' as const), edits: fc.array(edit, { maxLength: 5 }) }) },
  fc.record({ do: fc.constant('bulk' as const), values: fc.record(cell, { requiredKeys: ['size'] }) }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat() }),
  fc.record({
    do: fc.constant('restore' as const),
    only: fc.constantFrom({}, { deleted: true }, { updated: true }),
  }),
  fc.record({ do: fc.constant('rules' as const) }),
)

const toCells = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value: value as unknown }]))

describe('rules', () => {
  it('find the same as a naive evaluator after any writes, restores and changes of the rules', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const store = engine.createStore({
          segmentRows: 6,
          editedRows: 3,
          compactEdits: 2,
          mergeSegments: 3,
          mergeRows: 4,
        })
        let sheet: SheetRef = { sheetId: newSheetId(), fields: FIELDS, constraints: CONSTRAINTS }
        let hasRules = true
        let firstVersion: number | undefined
        for (const one of steps) {
          const ids = (await readRows(sheet)).map(({ id }) => id)
          if (one.do === 'insert') {
            await insert(
              sheet,
              one.rows.map((values) => ({ values: toCells(values) })),
              store,
            )
            firstVersion ??= (await engine.readVersion(sheet)).seq
          } else if (one.do === 'update' && ids.length) {
            const updates = one.edits.map(({ at, values }) => ({ id: ids[at % ids.length]!, values: toCells(values) }))
            await update(sheet, updates, store)
          } else if (one.do === 'bulk')
            await engine.bulkUpdate(sheet, { filter: 'all' }, toCells(one.values), createWriteContext(), store)
          else if (one.do === 'remove' && ids.length) await remove(sheet, [ids[one.at % ids.length]!], store)
          else if (one.do === 'restore' && firstVersion !== undefined)
            await restoreVersion(sheet, { to: firstVersion, ...one.only }, store)
          else if (one.do === 'rules') {
            hasRules = !hasRules
            const fields = hasRules ? FIELDS : FIELDS.map(({ key, type }) => ({ key, type }))
            sheet = { ...sheet, fields, constraints: hasRules ? CONSTRAINTS : [] }
          }
          await expectEvaluated(sheet, hasRules)
        }
      }),
      { numRuns: runs(200, 10), seed: 7 },
    )
  }, 600_000)

  it('are evaluated with the other fields as concurrent writers leave them', async () => {
    const sheet: SheetRef = { sheetId: newSheetId(), fields: FIELDS, constraints: CONSTRAINTS }
    await insert(
      sheet,
      Array.from({ length: 4 }, () => ({ values: toCells({ code: 'A1' }) })),
    )
    const ids = (await readRows(sheet)).map(({ id }) => id)
    const writers = Array.from({ length: 4 }, () => engine.createStore())
    await Promise.all(
      ids.flatMap((id) => [
        update(sheet, [{ id, values: toCells({ day: '2020-01-20' }) }], writers[0]),
        update(sheet, [{ id, values: toCells({ end: '2020-01-01' }) }], writers[1]),
        update(sheet, [{ id, values: toCells({ size: 7 }) }], writers[2]),
        update(sheet, [{ id, values: toCells({ unit: 'st' }) }], writers[3]),
      ]),
    )
    await expectEvaluated(sheet)
    const [first] = await readRows(sheet)
    expect(listTexts(first!.messages.day!)).toEqual(['order'])
  })
})
