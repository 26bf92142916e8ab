/** Mappings of columns, compared with mapping and writing the same tables one cell at a time. */
import '../../support/without-cloud.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runTask } from '../../../lib/core/threads/threads.ts'
import { mapTask } from '../../../lib/jobs/mapping/map-task.ts'
import { compileRules } from '../../../lib/mapping/rules/compile.ts'
import { validateRules } from '../../../lib/mapping/rules/validate.ts'
import type { PackedBatch, RowsPart, SheetRef, Store } from '../../../lib/records/index.ts'
import type { Rule } from '../../../schemas/programs/rules.ts'
import { Field } from '../../../schemas/sheets/fields.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'
import { runs, TIMEOUT_MS } from '../../support/runs.ts'
import { mapNaively, type Row } from './naive-mapping.ts'

const { engine, insert, importRows, update, remove } = await startRecordSuite()

const SOURCE = [
  ...['a', 'b', 'c'].map((key) => Field.parse({ key, type: 'string' })),
  Field.parse({ key: 'n', type: 'number' }),
  Field.parse({ key: 'items', type: 'string-list' }),
]
const constraint = (type: string, config: object = {}) => ({ type, config })
const DESTINATION = [
  { key: 'text', type: 'string', constraints: [constraint('required'), constraint('unique')] },
  { key: 'other', type: 'string', constraints: [constraint('unique', { caseSensitive: false, ignoreEmpty: false })] },
  { key: 'free', type: 'string' },
  { key: 'short', type: 'string', config: { size: 'tiny' } },
  { key: 'code', type: 'string', constraints: [constraint('pattern', { pattern: '^[A-Z]' })] },
  { key: 'choice', type: 'enum', config: { options: [{ value: 'A' }, { value: '1' }] } },
  { key: 'amount', type: 'number', constraints: [constraint('unique')] },
  { key: 'limited', type: 'number', constraints: [constraint('range', { gte: 0, lt: 100 })] },
  { key: 'day', type: 'date', constraints: [constraint('required')] },
  { key: 'flag', type: 'boolean' },
  { key: 'tags', type: 'string-list' },
].map((field) => Field.parse(field))
const SHEET_RULES = [
  { type: 'unique', name: 'pair', fields: ['text', 'amount'] },
  constraint('compare', { field: 'amount', operator: 'ne', other: 'limited' }),
  constraint('required-with', { field: 'free', with: ['code'] }),
] as never

const createSheet = (fields: readonly Field[], constraints?: SheetRef['constraints']): SheetRef => ({
  ...{ sheetId: newSheetId(), fields },
  ...(constraints ? { constraints } : {}),
})

const Text = fc.constantFrom(
  ...['12', '012.50', '-0', '-0.00', '0.10', '-3.5', '-007', '1.234', '1,5', '5.', '.5', '1e3', '99999999999999'],
  ...['N/A', '2024-02-30', '2024-01-05', '2024-01-31', '15.01.2024', 'Jan 5, 2024', 'true', 'yes', 'Zoë', '1', 'A'],
  ...['say "x"', 'back\\slash', 'two\nlines', ' spaced ', 'x; y', '[x', '{y', 'null', '\ud800', 'x'.repeat(300)],
)
const Cell = fc.oneof({ weight: 9, arbitrary: Text }, fc.constantFrom(null, '', 5, -1.5, true, ['x', 'y']))
const TableRow = fc.record({
  ...{ a: Cell, b: Cell, c: fc.constantFrom('A', 'b', null) },
  ...{ n: fc.constantFrom(1, 2.5, null, '4', 'n/a'), items: fc.constantFrom(['x'], ['x', 'y;z'], null, 'x, y') },
})

const Source = fc.constantFrom('a', 'b', 'c', 'n', 'items')
const Target = fc.constantFrom(...DESTINATION.map(({ key }) => key))
const values = [
  { sourceValue: 'yes', destinationValue: true },
  { sourceValue: '12', destinationValue: 'A' },
  { sourceValue: 'N/A', destinationValue: 'b' },
]
const emptyTexts = fc.constantFrom(undefined, ['N/A'], ['N/A', '12'])
const Reading = fc.oneof(
  fc.record({
    ...{ type: fc.constant('number'), decimalMark: fc.constantFrom('.', ',', undefined), emptyTexts },
    ...{ debits: fc.constantFrom(undefined, undefined, 'negative'), onlyWithUnit: fc.constantFrom(undefined, true) },
  }),
  fc.record({ type: fc.constant('date'), orders: fc.constantFrom({ '.': 'dmy' }, undefined), emptyTexts }),
  fc.record({ type: fc.constant('boolean'), emptyValue: fc.constantFrom(false, undefined) }),
  fc.record({ type: fc.constant('string'), emptyTexts }),
)
const own = (key: string): string => `destination!${key}`
const Filled = fc.tuple(Source, Target)
const Filter = fc.constantFrom('c eq A', 'n gt 1', 'a is empty')
const toRule = (type: string, config: object) => ({ type, config })
const NextRule = Target.chain((key) =>
  fc.oneof(
    Reading.map((reading) => toRule('read', { sourceField: own(key), destinationField: key, reading })),
    fc.constant(toRule('value-map', { sourceField: own(key), destinationField: key, values })),
    fc.constant(toRule('find-replace', { destinationField: key, values: [{ find: '1', replace: '' }] })),
    fc.constant(toRule('transform', { sourceField: own(key), destinationField: key, transform: 'trim' })),
    fc.constant(toRule('number', { sourceField: own(key), destinationField: key, locale: 'de' })),
    fc.constant(toRule('date', { sourceField: own(key), destinationField: key, format: 'dd.MM.yyyy' })),
    fc.constant(toRule('delete', { destinationField: key })),
  ),
)
const OtherRule = fc.oneof(
  fc
    .tuple(Source, Source, Target)
    .map(([first, second, destinationField]) =>
      toRule('concatenate', { sourceFields: [first, second, own('text')], destinationField, separator: '-' }),
    ),
  fc
    .tuple(Filled, Filter)
    .map(([[sourceField, destinationField], filter]) => toRule('assign', { sourceField, destinationField, filter })),
  fc
    .tuple(Filled, Filter)
    .map(([[sourceField, destinationField], filter]) =>
      toRule('subprogram', { rules: [{ type: 'assign', sourceField, destinationField }], filter }),
    ),
  Target.map((destinationField) => toRule('constant', { destinationField, value: '12' })),
  Filled.map(([sourceField, key]) =>
    toRule('split', { sourceField, destinationFields: [key, 'free'], separator: ';' }),
  ),
)
const Assign = fc
  .tuple(Filled, fc.boolean())
  .map(([[sourceField, destinationField], translates]) =>
    toRule('assign', { sourceField, destinationField, ...(translates ? { values } : {}) }),
  )
const Plan = fc
  .tuple(
    fc.array(Assign, { minLength: 1, maxLength: 8 }),
    fc.array(fc.oneof({ weight: 4, arbitrary: NextRule }, OtherRule), { maxLength: 6 }),
  )
  .map(([assigned, others]) => [...assigned, ...others])

async function* readInBatches(rows: readonly Row[], keys: readonly string[], size = 4): AsyncGenerator<RowsPart> {
  for (let from = 0; from < rows.length; from += size) {
    const part = rows.slice(from, from + size)
    yield { length: part.length, columns: new Map(keys.map((key) => [key, part.map((row) => row[key])])) }
  }
}

const readAll = async (sheet: SheetRef, store: Store) => {
  const { records } = await engine.readRecords(sheet, { includeMessages: true }, store)
  return records.map(({ id, ...record }) => record)
}

function check(inputs: readonly object[]): Rule[] {
  const { rules, problems } = validateRules(inputs as never, { source: SOURCE, destination: DESTINATION })
  fc.pre(problems.length === 0)
  return [...rules]
}

async function* readGroups(batches: AsyncIterable<PackedBatch>, size: number): AsyncGenerator<PackedBatch[]> {
  let group: PackedBatch[] = []
  for await (const batch of batches) {
    group.push(batch)
    if (group.length <= size) continue
    yield group
    group = []
  }
  yield group
}

async function createSource(table: readonly Row[], store: Store): Promise<SheetRef> {
  const source = createSheet(SOURCE)
  const keys = SOURCE.map(({ key }) => key)
  const { ids } = await importRows(source, readInBatches(table, keys), store)
  const [first, second] = [...ids]
  await insert(source, [{ values: { a: { value: 'last' } } }], store)
  if (first) await update(source, [{ id: first, values: { a: { value: '12' }, n: { value: '2,5' } } }], store)
  if (second) await remove(source, [second], store)
  return source
}

describe('a mapping of columns', () => {
  it(
    'writes the records, messages and counts of a mapping cell by cell',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          Plan,
          fc.array(TableRow, { maxLength: 14 }),
          fc.integer({ min: 2, max: 9 }),
          fc.constantFrom('columns', 'segments'),
          fc.constantFrom('here', 'here', 'here', 'threads'),
          async (plan, table, segmentRows, form, where) => {
            const rules = check(plan)
            const store = engine.createStore({ segmentRows, inlineSegmentBytes: segmentRows % 2 ? 0 : 1000 })
            const source = await createSource(table, store)
            const sides = { source: SOURCE, destination: DESTINATION }
            const { reads } = compileRules(rules, sides)
            const mapped = createSheet(DESTINATION, SHEET_RULES)
            const changedCells = new Map<number, number>()
            async function* mapColumns(): AsyncGenerator<RowsPart> {
              const setup = {
                ...{ rules, segmentRows: form === 'columns' ? undefined : segmentRows, destination: mapped },
                sides,
              }
              const batches = readGroups(engine.scanColumns(source, { fields: reads }, store), segmentRows % 3)
              for await (const mappedBatches of runTask(mapTask, setup, batches, { inThreads: where === 'threads' })) {
                for (const [rule, cells] of mappedBatches.changedCells)
                  changedCells.set(rule, (changedCells.get(rule) ?? 0) + cells)
                yield* mappedBatches.parts
              }
            }
            const result = await importRows(mapped, mapColumns(), store)

            const { records } = await engine.readRecords(source, {}, store)
            const rows = records.map((record) =>
              Object.fromEntries(Object.entries(record.values).map(([key, { value }]) => [key, value])),
            )
            const naive = mapNaively(rules, rows, sides)
            const expected = createSheet(DESTINATION, SHEET_RULES)
            const keys = DESTINATION.map(({ key }) => key)
            const wanted = await importRows(expected, readInBatches(naive.rows, keys), store)

            expect([result.created, result.createdErrors]).toEqual([wanted.created, wanted.createdErrors])
            expect(await readAll(mapped, engine.createStore())).toEqual(await readAll(expected, engine.createStore()))
            expect(changedCells).toEqual(naive.changedCells)
            const countAll = (sheet: SheetRef) =>
              engine.countRecords(sheet, { byField: true, errorsByField: true } as never, engine.createStore())
            expect(await countAll(mapped)).toEqual(await countAll(expected))
          },
        ),
        { numRuns: runs(600) },
      )
    },
    TIMEOUT_MS,
  )
})
