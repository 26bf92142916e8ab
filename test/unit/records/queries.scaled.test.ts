/** Any query over any sheet returns the same as evaluating each record. */
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Field, ListQuery, PartRequest, RecordInput, SheetRef, WireRecord } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'
import { runs } from '../../support/runs.ts'
import { type Naive, selectNaively, sortNaively, type World } from './naive.ts'

type Engine = typeof import('../../../lib/records/index.ts')
const { engine, insert, update, remove } = await startRecordSuite()

const FIELDS: Field[] = [
  { key: 'name', type: 'string', label: 'Full Name', constraints: [{ type: 'required' }] },
  { key: 'code', type: 'string', label: 'and', constraints: [{ type: 'unique', config: { level: 'warn' } }] },
  { key: 'amount', type: 'number', constraints: [{ type: 'unique' }] },
  { key: 'day', type: 'date', label: 'NAME' },
  { key: 'active', type: 'boolean' },
  { key: 'tags', type: 'string-list', label: 'A "list"' },
]
const KEYS = FIELDS.map(({ key }) => key)

const LONG = 'https://example.com/a/rather/long/path/that/many/values/share/'
const textValue = fc.oneof(
  fc.constantFrom(
    'Ada',
    'ada',
    'ÄDA',
    'Σίσυφος',
    'İi',
    '\u212aelvin',
    'a\0',
    'a',
    'a"b',
    'a\\b',
    'line\nbreak',
    'x%y_z',
  ),
  fc.constantFrom('null', 'true', '10', '9', ' ', '😀', '\uffff', 'ZZ', `${LONG}B`, `${LONG}a`, `${LONG}c`),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
  fc.nat(30).map((n) => `v${n}`),
)
const numberValue = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 }),
  fc.constantFrom<unknown>(
    '7',
    '07',
    '7.50',
    '-3',
    ' 12 ',
    '1e3',
    'n/a',
    'N/B',
    true,
    1e21,
    '0.1',
    '-0',
    0,
    '1.5.2',
    '+4',
  ),
)
const dateValue = fc.constantFrom<unknown>(
  '2024-01-05',
  '2024-02-29',
  '1999-12-31',
  '31/12/2020',
  '2023-02-30',
  '2024-13-01',
  'soon',
)
const valuesFor: { [key: string]: fc.Arbitrary<unknown> } = {
  name: textValue,
  code: fc.oneof(textValue, fc.nat(9)),
  amount: numberValue,
  day: dateValue,
  active: fc.constantFrom<unknown>(true, false, 'TRUE', 'no', 1),
  tags: fc.oneof(fc.array(textValue, { maxLength: 3 }), fc.constantFrom<unknown>('text', [1, true], [''])),
}
const message = fc.record({ type: fc.constantFrom('error', 'warn', 'info'), message: fc.constantFrom('m1', 'm2') })
const toCell = (key: string) =>
  fc.record(
    { value: fc.option(valuesFor[key]!, { freq: 4 }), messages: fc.array(message, { maxLength: 1 }) },
    { requiredKeys: ['value'] },
  )
const values = fc.record(Object.fromEntries(KEYS.map((key) => [key, toCell(key)])), { requiredKeys: [] })

const row = fc.nat(1000)
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ insert: fc.array(values, { minLength: 1, maxLength: 25 }) }) },
  { weight: 2, arbitrary: fc.record({ update: fc.array(fc.tuple(row, values), { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.array(row, { minLength: 1, maxLength: 4 }) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const field = fc.constantFrom(...KEYS)
const maybeField = fc.option(field, { nil: undefined })
const operator = fc.constantFrom('eq', 'ne', 'lt', 'gt', 'lte', 'gte', 'like', 'ilike', 'contains')
const operand = fc.oneof(
  textValue,
  numberValue.map(String),
  dateValue.map(String),
  fc.constantFrom('', 'TRUE', '%', '%a%', '_', 'A__', 'v_', 'V%', '\\%', 'x\\%y\\_z', '%%b', 'line%k', '%\u00c4%'),
)
const condition: fc.Arbitrary<Naive> = fc.letrec<{ one: Naive }>((tie) => ({
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('compare' as const), field: maybeField, operator, value: operand }),
    fc.record({
      kind: fc.constant('is' as const),
      field: maybeField,
      state: fc.constantFrom('error', 'valid', 'warning', 'info', 'empty'),
    }),
    fc.record({ kind: fc.constant('not' as const), of: tie('one') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('one'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).one

const quoteText = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
const sign: { [operator: string]: string } = { eq: '=', ne: '!=', lt: '<', gt: '>', lte: '<=', gte: '>=' }

function formatCondition(one: Naive): string {
  if (one.kind === 'not') return `NOT (${formatCondition(one.of)})`
  if (one.kind === 'is') return `${named(one.field)} is ${one.state.toUpperCase()}`
  if (one.kind === 'compare') {
    const operation = one.field === 'amount' ? (sign[one.operator] ?? one.operator) : one.operator
    return `${named(one.field)} ${operation} ${quoteText(one.value)}`
  }
  return one.of.map((part) => `(${formatCondition(part)})`).join(` ${one.kind} `)
}

const named = (key: string | undefined): string => (key === 'tags' ? `'a "LIST"'` : (key ?? ''))

const searchValue = fc.oneof(
  textValue,
  fc.constantFrom('"Ada"', '""', '"10"', 'null', ',', 'k', 'i', 'σ', '"', 'v1', '[', 'tru'),
)
const query = fc.record(
  {
    filter: fc.constantFrom('valid' as const, 'error' as const, 'all' as const, 'none' as const),
    filterField: field,
    search: fc.record({ value: searchValue, field }, { requiredKeys: ['value'] }),
    condition,
    ids: fc.array(row, { maxLength: 5 }),
    commit: row,
    since: row,
    asOf: row,
    sort: fc.record({ field, direction: fc.constantFrom('asc' as const, 'desc' as const) }),
    pageSize: fc.integer({ min: 1, max: 20 }),
    fields: fc.uniqueArray(field, { minLength: 1 }),
  },
  { requiredKeys: [] },
)
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never

interface History {
  sheet: SheetRef
  worlds: World[]
}

async function performStep(history: History, one: Step, store: ReturnType<Engine['createStore']>): Promise<void> {
  const { sheet, worlds } = history
  const before = worlds.at(-1) ?? { fields: FIELDS, records: [], commits: [] }
  const getIdAt = (at: number): string[] =>
    before.records.length ? [before.records[at % before.records.length]!.id] : []
  let commitId: string | undefined
  let touched: Iterable<string> = []
  if ('insert' in one) {
    const rows = one.insert.map((cells) => ({ values: cells }) as RecordInput)
    const result = await insert(sheet, rows, store)
    ;[commitId, touched] = [result.commitId, result.ids]
  } else if ('update' in one) {
    const edits = new Map(one.update.flatMap(([at, cells]) => getIdAt(at).map((id) => [id, cells])))
    const updates = [...edits].map(([id, cells]) => ({ id, values: cells as RecordInput['values'] }))
    const result = await update(sheet, updates, store)
    ;[commitId, touched] = [result.commitId, result.updatedIds]
  } else commitId = (await remove(sheet, [...new Set(one.remove.flatMap(getIdAt))], store)).commitId
  const { records } = await engine.readRecords(sheet, {}, store)
  const commits = commitId ? [...before.commits, { id: commitId, touched: new Set(touched) }] : before.commits
  if (!commitId) worlds.pop()
  if (commits.length) worlds.push({ fields: FIELDS, records, commits })
}

const pickOne = <T>(list: readonly T[], at: number | undefined): T | undefined =>
  at === undefined || !list.length ? undefined : list[at % list.length]

function buildQuery({ worlds }: History, one: Query): { world: World; asked: ListQuery } {
  const newest = worlds.at(-1)!
  const world = pickOne(worlds.slice(0, -1), one.asOf) ?? newest
  const { condition: _, commit, since, asOf: __, ids, ...rest } = one
  const asked: ListQuery = {
    ...rest,
    ...(one.condition ? { q: formatCondition(one.condition) } : {}),
    ...(ids ? { ids: ids.flatMap((at) => pickOne(newest.records, at)?.id ?? []) } : {}),
    ...(commit === undefined ? {} : { commitId: pickOne(world.commits, commit)!.id }),
    ...(since === undefined ? {} : { sinceCommitId: pickOne(world.commits, since)!.id }),
    ...(world === newest ? {} : { asOf: world.commits.at(-1)!.id }),
  }
  return { world, asked }
}

const showQuery = (record: WireRecord, fields: readonly string[] | undefined): WireRecord => ({
  ...record,
  values: Object.fromEntries(Object.entries(record.values).filter(([key]) => !fields || fields.includes(key))),
})

async function check(history: History, one: Query, store: ReturnType<Engine['createStore']>): Promise<void> {
  const { world, asked } = buildQuery(history, one)
  const wanted = selectNaively(world, asked, one.condition)
  const ordered = asked.sort ? sortNaively(world, wanted, asked.sort) : wanted
  const size = asked.pageSize ?? 10_000
  for (let pageNumber = 1; pageNumber <= Math.min(3, Math.ceil(ordered.length / size) || 1); pageNumber++) {
    const page = await engine.readRecords(history.sheet, { ...asked, pageNumber, includeLength: true }, store)
    expect(page.total).toBe(wanted.length)
    expect(page.records).toEqual(
      ordered.slice((pageNumber - 1) * size, pageNumber * size).map((record) => showQuery(record, asked.fields)),
    )
  }
  await checkCounts(history, world, asked, wanted, store)
  const ids = world.records.filter((_, i) => i % 3 === 0).map(({ id }) => id)
  const places = ids.map((id) => ({ id, index: ordered.findIndex((record) => record.id === id) }))
  expect(await engine.findIndices(history.sheet, ids, asked, store)).toEqual(places.filter(({ index }) => index >= 0))
}

const numberIn = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim()) ? Number(value) : Number.NaN

async function checkCounts(
  { sheet, worlds }: History,
  world: World,
  { sort: _, pageSize: __, fields: ___, ...asked }: ListQuery,
  wanted: readonly WireRecord[],
  store: ReturnType<Engine['createStore']>,
): Promise<void> {
  const valid = wanted.filter((record) => record.valid).length
  const sum = { total: wanted.length, valid, error: wanted.length - valid }
  expect(await engine.countRecords(sheet, asked, store)).toEqual(sum)
  const counts = await engine.countRecords(sheet, { ...asked, byField: true }, store)
  const distinct = await engine.listDistinctValuesByField(sheet, asked, store)
  const calculated = await engine.calculate(sheet, asked, store)
  const of = (key: string, type: string) => calculated.find((one) => one.fieldKey === key && one.type === type)?.value
  const former = worlds.find(({ commits }) => commits.at(-1)!.id === asked.sinceCommitId)
  const before = new Map(former?.records.map((record) => [record.id, record.values]))
  for (const { key, type } of world.fields) {
    const cells = wanted.map(({ values: own }) => own[key]!)
    const empty = cells.filter(({ value }) => value === null).length
    const good = cells.filter((cell) => cell.valid).length
    expect(counts.byField![key]).toEqual({ total: cells.length, valid: good, error: cells.length - good, empty })
    expect([of(key, 'COUNT_EMPTY'), of(key, 'COUNT_NON_EMPTY')]).toEqual([empty, cells.length - empty])
    const textAt = (own: WireRecord['values'] | undefined): string => JSON.stringify(own?.[key]?.value ?? null)
    const changed = wanted.filter(({ id, values: own }) => textAt(own) !== textAt(before.get(id))).length
    expect(of(key, 'COUNT_CHANGED')).toBe(former ? changed : undefined)
    const numbers = type === 'number' ? cells.map(({ value }) => numberIn(value)).filter(Number.isFinite) : []
    expect([of(key, 'MIN'), of(key, 'MAX')]).toEqual(
      numbers.length ? [Math.min(...numbers), Math.max(...numbers)] : [undefined, undefined],
    )
    if (numbers.length) {
      const sum = numbers.reduce((a, b) => a + b)
      expect(of(key, 'SUM')! / (Math.abs(sum) + 1)).toBeCloseTo(sum / (Math.abs(sum) + 1))
      expect(of(key, 'AVERAGE')).toBe(of(key, 'SUM')! / numbers.length)
    }
    const tally = new Map<string, number>()
    for (const { value } of cells) tally.set(JSON.stringify(value), (tally.get(JSON.stringify(value)) ?? 0) + 1)
    expect(new Map(distinct.get(key)!.map(({ value, count }) => [JSON.stringify(value), count]))).toEqual(tally)
  }
}

async function readPart(request: PartRequest): Promise<unknown> {
  const result = await engine.readPart(JSON.parse(JSON.stringify(request)), engine.createStore())
  return JSON.parse(JSON.stringify(result))
}

afterEach(() => vi.unstubAllEnvs())

describe('any query', () => {
  it.each([
    ['tiny segments', { segmentRows: 7, editedRows: 2, inlineSegmentBytes: 120 }, {}],
    ['edits kept in the log', { segmentRows: 40, inlineSegmentBytes: 0 }, {}],
    ['parts of other functions', { segmentRows: 3, editedRows: 2, inlineSegmentBytes: 120 }, { readPart }],
    ['samples of other functions', { segmentRows: 3, topRecords: 2, sampleEvery: 2 }, { readPart }],
  ])(
    'returns the same as a naive one, with %s',
    async (_, options, reader) => {
      vi.stubEnv('PART_RECORDS', '2')
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 2, maxLength: 7 }),
          fc.array(query, { minLength: 12, maxLength: 12 }),
          async (steps, queries) => {
            const store = engine.createStore(options)
            const history: History = { sheet: { sheetId: newSheetId(), fields: FIELDS, ...reader }, worlds: [] }
            for (const one of steps) await performStep(history, one, store)
            if (!history.worlds.length) return
            for (const one of queries) await check(history, one, store)
          },
        ),
        { numRuns: runs(3), endOnFailure: false },
      )
    },
    600_000,
  )
})
