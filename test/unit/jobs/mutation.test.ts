/** Runs a user's function as text in the script engine, in this process; the API tests run it as the platform does. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { handler } from '../../../functions/system/run-mutation.ts'
import { ApiError, unprocessable } from '../../../lib/core/errors.ts'
import { packIds } from '../../../lib/events/id-ranges.ts'
import type { MutationCall, MutationResult } from '../../../lib/jobs/mutation/call.ts'
import { MAX_SOURCE_CHARACTERS } from '../../../lib/jobs/mutation/limits.ts'
import { createMutator } from '../../../lib/jobs/mutation/mutator.ts'
import type { ResultCache } from '../../../lib/jobs/mutation/result-cache.ts'
import { buildFunctionProgram } from '../../../lib/jobs/mutation/source.ts'
import { joinTexts, type TextBatch } from '../../../lib/records/index.ts'

type Rows = [id: string, values: Record<string, unknown>][]
const ROWS: Rows = [
  ['r1', { name: 'Ada', age: 36, tags: ['a', 'b'] }],
  ['r2', { name: null, age: null, tags: null }],
]

const runFunction = (source: string, rows: Rows = ROWS, milliseconds = 10_000): Promise<MutationResult> =>
  handler({
    program: buildFunctionProgram(source, 'mutateRecord'),
    filename: 'mutateRecord.js',
    idRanges: JSON.stringify(packIds(rows.map(([id]) => id)).runs),
    columns: Object.keys(rows[0]![1]).map((key) => [key, JSON.stringify(rows.map(([, values]) => values[key]))]),
    milliseconds,
  })
const toTextBatch = (rows: Rows): TextBatch => ({
  length: rows.length,
  getIdRuns: (from, to) => packIds(rows.slice(from, to).map(([id]) => id)).runs,
  fields: Object.keys(rows[0]![1]),
  readTexts: async (fields) =>
    fields.map((field) => joinTexts(rows.map(([, values]) => JSON.stringify(values[field])))),
})
const getChanges = async (source: string, rows?: Rows): Promise<unknown> => {
  const given = await runFunction(source, rows)
  if (!('changes' in given)) return given
  const byRow = new Map<number, Record<string, unknown>>()
  const columns = JSON.parse(given.changes) as Record<string, [places: number[], values: unknown[]]>
  for (const [key, [places, values]] of Object.entries(columns))
    for (const [i, at] of places.entries()) byRow.set(at, { ...byRow.get(at), [key]: values[i] })
  return [...byRow].sort(([a], [b]) => a - b)
}

describe('mutation function', () => {
  it.each([
    ["r => r.set('age', 1)"],
    ["(r) => r.set('age', 1);"],
    ['({ values }) => ({ values: { ...values, age: 1 } })'],
    ["async r => (await 1, r.set('age', 1))"],
    ["function (r) { return r.set('age', 1) }"],
    ["async function mutateRecord(r) { r.set('age', 1) }"],
    ["/* a */ // b\n export default (r) => r.set('age', 1)"],
    ["module.exports = (r) => r.set('age', 1)"],
    ['let mutateRecord = (r) => { r.values.age.value = 1 }'],
    ['record.values.age = 1'],
    ["// just so\nrecord.set('age', 1)\nreturn record"],
  ])('accepts %j', async (source) => {
    expect(await getChanges(source)).toEqual([
      [0, { age: 1 }],
      [1, { age: 1 }],
    ])
  })

  it.each(['(record', 'function (', 'return return', '}', '() => { } }', 'import fs from "node:fs"'])(
    'rejects %j',
    (source) => {
      expect(() => buildFunctionProgram(source, 'key')).toThrow(ApiError)
    },
  )

  it('has a maximum length', () => {
    expect(() => buildFunctionProgram(`() => '${'x'.repeat(MAX_SOURCE_CHARACTERS)}'`, 'key')).toThrow(/65,536/)
  })
})

const EMPTY_CALL: MutationCall = {
  program: '(r) => r',
  filename: 'mutateRecord.js',
  idRanges: '[["r",1,1]]',
  columns: [['age', '[1]']],
  milliseconds: 1000,
}

describe('changes from a mutation function', () => {
  it('contain only what differs: values, dates, lists and unknown members', async () => {
    expect(await getChanges('(r) => r')).toEqual([])
    expect(await getChanges("(r) => r.set('name', r.get('name'))")).toEqual([])
    expect(await getChanges("(r) => { r.values.tags.value?.push('c') }")).toEqual([[0, { tags: ['a', 'b', 'c'] }]])
    expect(await getChanges("(r) => r.set('name', new Date(0))", [ROWS[0]!])).toEqual([
      [0, { name: '1970-01-01T00:00:00.000Z' }],
    ])
    expect(await getChanges("(r) => r.set('age', undefined)")).toEqual([[0, { age: null }]])
    expect(await getChanges("(r) => { delete r.values.name; r.note = 'x'; r.values.age.messages.push(1) }")).toEqual([])
    expect(await getChanges("(r) => r.set('age', 0 / 0)")).toEqual([[0, { age: null }]])
  })

  it('stay with their record, in whatever order promises resolve', async () => {
    const rows = Array.from({ length: 50 }, (_, i): Rows[number] => [`r${i}`, { age: i }])
    const slow =
      "async (r) => { for (let i = r.get('age'); i < 50; i++) await null; return r.set('age', r.get('age') + 100) }"
    expect(await getChanges(slow, rows)).toEqual(rows.map((_, i) => [i, { age: i + 100 }]))
  })

  it('see the fields in order, whichever way they are read', async () => {
    const buildKeysScript = (first: string) => `(r) => { ${first}; return r.set('name', Object.keys(r.values).join()) }`
    for (const first of [
      '',
      "r.get('tags')",
      'r.values.age.value',
      'r.values.tags = r.values.tags',
      "'tags' in r.values",
    ])
      expect(await getChanges(buildKeysScript(first), [ROWS[0]!]), first).toEqual([[0, { name: 'name,age,tags' }]])
    expect(
      await getChanges("(r) => r.set('name', JSON.stringify({ ...r.values }))", [['r1', { name: 'Ada', age: 36 }]]),
    ).toEqual([
      [
        0,
        { name: '{"name":{"value":"Ada","messages":[],"valid":true},"age":{"value":36,"messages":[],"valid":true}}' },
      ],
    ])
    expect(
      await getChanges('(r) => ({ values: { ...r.values, age: { ...r.values.age, value: 1 } } })', [ROWS[0]!]),
    ).toEqual([[0, { age: 1 }]])
    expect(await getChanges("(r) => { r.values = Object.freeze({ ...r.values, name: 'x' }) }", [ROWS[0]!])).toEqual([
      [0, { name: 'x' }],
    ])
    expect(
      await getChanges('(r) => { Object.freeze(r.values); r.values.age.value = 2; return { ...r } }', [ROWS[0]!]),
    ).toEqual([[0, { age: 2 }]])
  })

  it('are refused in the format of another version', async () => {
    const { idRanges, ...call } = { ...EMPTY_CALL, ids: '["r1"]' }
    expect(await handler(call as never)).toMatchObject({ failed: { kind: 'threw' } })
    expect(await handler({ ...call, idRanges })).toMatchObject({ changes: '{}' })
  })

  it('do not outlive the call or affect the next one', async () => {
    const counting =
      "globalThis.n = (globalThis.n ?? 0) + 1\nJSON.stringify = () => 'spoilt'\nrecord.set('age', globalThis.n)"
    const expected = [
      [0, { age: 1 }],
      [1, { age: 2 }],
    ]
    expect(await getChanges(counting)).toEqual(expected)
    expect(await getChanges(counting)).toEqual(expected)
  })
})

describe('failing mutation function', () => {
  it.each([
    [
      "(r) => {\n  if (r.id === 'r2') throw new TypeError('no')\n}",
      { kind: 'threw', at: 1, message: 'TypeError: no (line 2)' },
    ],
    ['(r) => { throw 5 }', { kind: 'threw', at: 0, message: '5' }],
    ['() => 7', { kind: 'threw', at: 0, message: expect.stringContaining('must return the record') }],
    ['() => [1]', { kind: 'threw', at: 0, message: expect.stringContaining('must return the record') }],
    ["(r) => r.set('age', [{}])", { kind: 'threw', at: 0, message: expect.stringContaining('the value of age') }],
    ["(r) => r.set('age', 5n)", { kind: 'threw', at: 0, message: expect.stringContaining('the value of age') }],
    ['const mutateRecord = 1', { kind: 'threw', message: expect.stringContaining('it is not a function') }],
    ['throw new Error("at once"); function mutateRecord() {}', { kind: 'load', message: 'Error: at once (line 1)' }],
    [
      '() => require("node:fs")',
      { kind: 'threw', at: 0, message: expect.stringContaining("'require' is not defined") },
    ],
    ['() => fetch("http://127.0.0.1")', { kind: 'threw', at: 0, message: expect.stringContaining("'fetch' is not") }],
    [
      'async () => { await import("node:fs") }',
      { kind: 'threw', at: 0, message: expect.stringContaining('cannot import modules') },
    ],
    ['() => new Intl.NumberFormat("de")', { kind: 'threw', at: 0, message: expect.stringContaining('has no Intl') }],
    [
      "(r) => (5).toLocaleString('de')",
      { kind: 'threw', at: 0, message: expect.stringContaining('toLocaleString depends on a locale') },
    ],
    [
      "(r) => 'a'.localeCompare('b')",
      { kind: 'threw', at: 0, message: expect.stringContaining('localeCompare depends on a locale') },
    ],
    [
      "(r) => 'i'.toLocaleUpperCase('tr')",
      { kind: 'threw', at: 0, message: expect.stringContaining('depends on a locale') },
    ],
    ['() => process.exit()', { kind: 'threw', at: 0, message: expect.stringContaining("'process' is not defined") }],
  ])('%j reports the reason', async (source, failed) => {
    expect(await runFunction(source)).toEqual({ failed: expect.objectContaining(failed) })
  })

  it.each([
    "(r) => { while (r.id === 'r2'); }",
    "async (r) => { while (r.id === 'r2') await null }",
    "(r) => (r.id === 'r2' ? { get values() { for (;;); } } : r)",
  ])('%j is stopped at its timeout, with the position', async (source) => {
    const began = Date.now()
    expect(await runFunction(source, ROWS, 300)).toMatchObject({ failed: { kind: 'time', at: 1 } })
    expect(Date.now() - began).toBeLessThan(5000)
  })

  it('names the record at which it is stopped, and its time', async () => {
    const stopped: Pick<ResultCache, 'getOrEvaluate'> = {
      getOrEvaluate: (call) => handler({ ...call, milliseconds: 300 }),
    }
    const program = buildFunctionProgram("(r) => { while (r.id === 'r2'); }", 'mutateRecord')
    const mutate = createMutator(program, { cache: stopped as ResultCache })
    await expect(mutate(toTextBatch(ROWS))).rejects.toThrow(
      'The function was stopped at record r2: it did not finish within 10 seconds.',
    )
  })
})

describe('mutation of several batches', () => {
  const buildBatch = (first: number, values: (i: number) => Record<string, unknown>): Rows =>
    Array.from({ length: 20 }, (_, i) => [`r${first + i}`, values(first + i)])
  const buildRow = (i: number) => ({ name: i % 3 === 0 ? null : `n${i}`, age: i, tags: [`t${i}`], note: 'x' })
  const BATCHES = [0, 20, 40].map((first) => buildBatch(first, buildRow))

  async function runBatches(source: string, evaluate: (call: MutationCall) => Promise<MutationResult> = handler) {
    const calls: MutationCall[] = []
    const getOrEvaluate = (call: MutationCall) => {
      calls.push(call)
      return evaluate(call)
    }
    const cache = { getOrEvaluate } as unknown as ResultCache
    const mutate = createMutator(buildFunctionProgram(source, 'mutateRecord'), { cache })
    const changes: unknown[] = []
    for (const rows of BATCHES) changes.push(await mutate(toTextBatch(rows)))
    return { changes, sent: calls.map(({ columns }) => listSent(columns)) }
  }
  const listSent = (columns: MutationCall['columns']) =>
    columns.flatMap(([field, values]) => (values === null ? [] : [field]))
  const runSeparately = (source: string) =>
    Promise.all(
      BATCHES.map((rows) => createMutator(buildFunctionProgram(source, 'm'), { cache: plainCache })(toTextBatch(rows))),
    )
  const plainCache = { getOrEvaluate: handler } as unknown as ResultCache
  const ALL = ['name', 'age', 'tags', 'note']

  it('sends only the fields that the first batch read', async () => {
    const { changes, sent } = await runBatches("r => r.set('note', r.get('name'))")
    expect(sent).toEqual([ALL, ['name', 'note'], ['name', 'note']])
    expect(changes).toEqual(await runSeparately("r => r.set('note', r.get('name'))"))
  })

  it('repeats a batch that reads another field, even if the function catches the error', async () => {
    for (const read of ["r.get('age')", "(() => { try { return r.get('age') } catch { return 'caught' } })()"]) {
      const source = `r => r.set('name', r.id === 'r25' ? ${read} : 'n')`
      const { changes, sent } = await runBatches(source)
      expect(sent).toEqual([ALL, ['name'], ALL, ['name', 'age']])
      expect(changes).toEqual(await runSeparately(source))
    }
  })

  it('names the record of a later batch at which the function fails', async () => {
    const source = "r => { r.get('name'); if (r.id === 'r25') throw new Error('no') }"
    await expect(runBatches(source)).rejects.toThrow(/r25.*no/)
  })

  it('sends all fields again after a call that exceeded a limit', async () => {
    const stopUnlessComplete = async (call: MutationCall) => {
      if (listSent(call.columns).length < ALL.length) throw unprocessable('too large')
      return handler(call)
    }
    const { changes, sent } = await runBatches("r => r.set('name', 'n')", stopUnlessComplete)
    expect(sent).toEqual([ALL, ['name'], ALL, ALL])
    expect(changes).toEqual(await runSeparately("r => r.set('name', 'n')"))
  })

  const FIELD = fc.constantFrom(...ALL, 'unknown')
  const STATEMENT = fc.oneof(
    fc.tuple(FIELD, FIELD).map(([a, b]) => `r.set('${a}', r.get('${b}'))`),
    fc.tuple(FIELD, fc.integer()).map(([a, n]) => `r.set('${a}', ${n})`),
    FIELD.map((a) => `r.set('${a}', Object.keys(r.values).join())`),
    FIELD.map((a) => `r.values.${a} = { ...r.values.${a}, value: 'v' + r.id }`),
    FIELD.map((a) => `delete r.values.${a}`),
    FIELD.map((a) => `r.set('note', JSON.stringify(r.values.${a}))`),
    FIELD.map((a) => `r.get('${a}')?.push?.('p')`),
    fc.tuple(FIELD, FIELD).map(([a, b]) => `r.set('${a}', '${b}' in r.values ? 'yes' : 'no')`),
  )
  const LINE = fc.tuple(fc.constantFrom('', 'if (r.id.endsWith("7")) ', 'if (r.id > "r3") '), STATEMENT)

  it('changes the same as one call per batch with all fields and a cell for each set', async () => {
    const property = fc.asyncProperty(fc.array(LINE, { maxLength: 4 }), async (lines) => {
      const body = lines.map(([condition, statement]) => `${condition}{ ${statement} }`).join('\n')
      const withCells = `(r) => { delete r.values.none; ${body} }`
      expect((await runBatches(`(r) => { ${body} }`)).changes).toEqual(await runSeparately(withCells))
    })
    await fc.assert(property, { numRuns: 60 })
  }, 60_000)
})
