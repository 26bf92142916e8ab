/** Imports by key, compared with a map of records by the texts of their keys. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ColumnBatch, KeyedImport } from '../../../lib/records/index.ts'
import type { CellChange, SheetRef } from '../../../lib/records/sheet.ts'
import { noteOriginal, noteUnread } from '../../../lib/values/read-cell.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { collect, createWriteContext, newSheetId } from '../../support/records.ts'
import { runs, TIMEOUT_MS } from '../../support/runs.ts'

const { engine, insert, update } = await startRecordSuite()

const createSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'code', type: 'number', constraints: [{ type: 'unique' }] },
    { key: 'region', type: 'string' },
    { key: 'name', type: 'string' },
    { key: 'age', type: 'number' },
    { key: 'note', type: 'string' },
  ],
})

type Row = Record<string, unknown>

const readInBatches = (rows: readonly Row[], fields: readonly string[], size = 3) =>
  async function* (): AsyncGenerator<ColumnBatch> {
    for (let from = 0; from < rows.length; from += size) {
      const part = rows.slice(from, from + size)
      yield { length: part.length, columns: new Map(fields.map((key) => [key, part.map((row) => row[key])])) }
    }
  }

const toInputs = (rows: readonly Row[]) =>
  rows.map((row) => ({
    values: Object.fromEntries(Object.entries(row).map(([key, value]) => [key, { value }])),
    metadata: { kept: true },
  }))

async function readRows(sheet: SheetRef): Promise<(Row & { id: string })[]> {
  const { records } = await engine.readRecords(sheet, {}, engine.createStore())
  return records.map(({ id, values }) => ({
    id,
    ...Object.fromEntries(Object.entries(values).map(([key, { value }]) => [key, value])),
  }))
}

const FIELDS = ['code', 'region', 'name', 'age']
const toNumber = (value: unknown): unknown => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)
const toStored = (row: Row): Row => ({
  code: toNumber(row.code) ?? null,
  region: row.region || null,
  name: row.name || null,
  age: toNumber(row.age) ?? null,
})

interface Expected {
  rows: Row[]
  counts: { created: number; updated: number; unchanged: number; emptyKey: number; noRecord: number }
}

function importNaively(
  records: readonly Row[],
  source: readonly Row[],
  { key, addsNew }: KeyedImport,
): Expected | undefined {
  const formatKey = (row: Row): string | undefined =>
    key.some((field) => row[field] === null) ? undefined : JSON.stringify(key.map((field) => String(row[field])))
  const rows = records.map((row) => ({ ...row }))
  const counts = { created: 0, updated: 0, unchanged: 0, emptyKey: 0, noRecord: 0 }
  const seen = new Set<string>()
  for (const row of source.map(toStored)) {
    const text = formatKey(row)
    const found = rows.filter((record, i) => i < records.length && formatKey(record) === text)
    if (text === undefined) counts.emptyKey++
    else if (!found.length && !addsNew) counts.noRecord++
    else if (seen.has(text) || found.length > 1) return undefined
    else if (!found.length) {
      rows.push({ ...row, note: null })
      counts.created++
    } else if (FIELDS.every((field) => found[0]![field] === row[field])) counts.unchanged++
    else {
      Object.assign(found[0]!, row)
      counts.updated++
    }
    if (text !== undefined) seen.add(text)
  }
  return { rows, counts }
}

/** The fields of a record are in no promised order. */
const sortByCell = (changes: readonly CellChange[]): CellChange[] =>
  changes.toSorted((a, b) => `${a.recordId} ${a.fieldKey}`.localeCompare(`${b.recordId} ${b.fieldKey}`))

const Code = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }).map(String), fc.constant(null))
const Source = fc.record({
  code: Code,
  region: fc.constantFrom('north', 'North', '', null),
  name: fc.constantFrom('Ada', 'Blaise', '', 'Zoë "Z"'),
  age: fc.constantFrom(1, '1', 2, null, 'old'),
})
const Table = fc.uniqueArray(Source, { selector: ({ code, region }) => `${code} ${region}`, maxLength: 40 })

describe('an import by key', () => {
  it(
    'has the result and the counts of a map of records by key, on random tables',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          Table,
          Table,
          fc.constantFrom(['code'], ['region', 'code'], ['region']),
          fc.boolean(),
          fc.array(fc.nat(39), { maxLength: 5 }),
          fc.record({
            segmentRows: fc.constantFrom(4, 100),
            editedRows: fc.constantFrom(1, 500),
            matchedBytes: fc.constantFrom(1, 10_000_000),
          }),
          async (records, source, key, addsNew, deletedRows, limits) => {
            const sheet = createSheet()
            const store = engine.createStore(limits)
            if (records.length) await insert(sheet, toInputs(records.map((row) => ({ ...row, note: 'n' }))), store)
            const ids = (await readRows(sheet)).map(({ id }) => id)
            const gone = [...new Set(deletedRows)].flatMap((row) => ids[row] ?? [])
            if (gone.length) await engine.remove(sheet, gone, createWriteContext(), store)
            if (ids[0] && !gone.includes(ids[0]))
              await update(sheet, [{ id: ids[0], values: { age: { value: 7 } } }], store)
            const before = await readRows(sheet)
            const options: KeyedImport = { key, fields: FIELDS, addsNew }
            const expected = importNaively(
              before.map(({ id: _, ...row }) => row),
              source,
              options,
            )
            const read = readInBatches(source, FIELDS)
            const preview = () => engine.previewByKey(sheet, read, options, 100, store)
            const ctx = createWriteContext()
            const run = () => engine.importByKey(sheet, read, options, ctx, store)
            if (!expected) {
              await expect(preview()).rejects.toMatchObject({ code: 'unprocessable' })
              await expect(run()).rejects.toMatchObject({ code: 'unprocessable' })
              expect(await readRows(sheet)).toEqual(before)
              return
            }
            const previewed = await preview()
            expect(previewed).toMatchObject(expected.counts)
            const result = await run()
            expect(result).toMatchObject({ ...expected.counts, createdErrors: previewed.createdErrors })
            const after = await readRows(sheet)
            expect(after.map(({ id: _, ...row }) => row)).toEqual(expected.rows)
            expect(after.slice(0, before.length).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
            expect(result.changed).toBe(result.created + result.updated > 0)
            if (!result.changed) return
            expect(await run()).toMatchObject({ ...expected.counts, commitId: result.commitId })
            const changes = await collect(result.changes)
            expect(new Set(changes.map(({ recordId }) => recordId)).size).toBe(result.updated)
            for (const { previousValue, newValue } of changes) expect(previousValue).not.toEqual(newValue)
            const fromLog = await engine.readCommitRecords(sheet, result.commitId!, engine.createStore())
            expect(sortByCell(await collect(fromLog!.changes))).toEqual(sortByCell(changes))
            expect([...fromLog!.created]).toEqual([...result.createdIds])
          },
        ),
        { numRuns: runs(300, 50) },
      )
    },
    TIMEOUT_MS,
  )

  it.each([1, 500])(
    'previews that an added row repeats a unique value given to a record, with %d edited rows',
    async (editedRows) => {
      const sheet = createSheet()
      const store = engine.createStore({ editedRows })
      await insert(sheet, toInputs([{ code: 1, region: 'north' }]), store)
      const source = ['north', 'south'].map((region) => ({ code: 0, region }))
      const options = { key: ['region'], fields: ['code', 'region'], addsNew: true }
      const read = readInBatches(source, options.fields)
      const counts = { created: 1, createdErrors: 1, updated: 1 }
      expect(await engine.previewByKey(sheet, read, options, 100, store)).toMatchObject(counts)
      expect(await engine.importByKey(sheet, read, options, createWriteContext(), store)).toMatchObject(counts)
    },
  )

  it('names the repeated keys of the source and of the records, and writes nothing', async () => {
    const sheet = createSheet()
    const rows = ['north', 'north', 'south', 'west'].map((region, code) => ({ code, region }))
    await insert(sheet, toInputs(rows))
    const source = ['north', 'south', 'south', 'east', 'east', 'east'].map((region) => ({ region, name: 'x' }))
    const options = { key: ['region'], fields: ['region', 'name'], addsNew: true }
    const error = await engine
      .importByKey(sheet, readInBatches(source, ['region', 'name']), options, createWriteContext())
      .catch((thrown: Error) => thrown)
    expect(error).toMatchObject({
      code: 'unprocessable',
      message:
        'Keys that several rows of the source have: 2, for example south; east. ' +
        'Keys of the source that several records have: 1, for example north.',
    })
    expect((await readRows(sheet)).map(({ name }) => name)).toEqual([null, null, null, null])
  })

  it('skips repeated keys that no record has when it adds nothing', async () => {
    const sheet = createSheet()
    await insert(sheet, toInputs([{ code: 1 }]))
    const source = [{ code: 2 }, { code: 2 }, { code: 1, name: 'Ada' }]
    const options = { key: ['code'], fields: ['code', 'name'], addsNew: false }
    const result = await engine.importByKey(
      sheet,
      readInBatches(source, ['code', 'name']),
      options,
      createWriteContext(),
    )
    expect(result).toMatchObject({ created: 0, updated: 1, noRecord: 2 })
  })

  it.each<[string, unknown, ...unknown[]]>([
    ['date', '2024-03-01', '2024-03-01', '1 Mar 2024', '2024-3-01'],
    ['boolean', true, true, 'true'],
    ['string-list', ['a', 'b'], ['a', 'b']],
    ['string', 'Ada', 'Ada'],
  ])('leaves the %s %j unchanged in each of its forms', async (type, value, ...forms) => {
    const sheet = {
      sheetId: newSheetId(),
      fields: [
        { key: 'code', type: 'number' },
        { key: 'cell', type },
      ],
    }
    const store = engine.createStore()
    await insert(sheet, toInputs([{ code: 1, cell: value }]), store)
    const run = async (cell: unknown) => {
      const source = readInBatches([{ code: 1, cell }], ['code', 'cell'])
      const options = { key: ['code'], fields: ['code', 'cell'], addsNew: false }
      const { updated, unchanged } = await engine.importByKey(sheet, source, options, createWriteContext(), store)
      const { records } = await engine.readRecords(sheet, {}, store)
      return { updated, unchanged, cell: records[0]!.values.cell!.value }
    }
    for (const form of forms) expect(await run(form), String(form)).toEqual({ updated: 0, unchanged: 1, cell: value })
    expect(await run('2024-04-01x')).toMatchObject({ updated: 1, unchanged: 0 })
    expect(await run('12-345678-9')).toMatchObject({ updated: 1, cell: '12-345678-9' })
    expect(await run(value)).toEqual({ updated: 1, unchanged: 0, cell: value })
  })

  it.each(['1 Mar 2024', '2024-03-1'])(
    'updates the text %s that was stored before its field became a date',
    async (text) => {
      const createFields = (type: string) => [
        { key: 'code', type: 'number' },
        { key: 'cell', type },
      ]
      const sheet = { sheetId: newSheetId(), fields: createFields('string') }
      await insert(sheet, toInputs([{ code: 1, cell: text }]))
      const typed = { ...sheet, fields: createFields('date') }
      const source = readInBatches([{ code: 1, cell: text }], ['code', 'cell'])
      const options = { key: ['code'], fields: ['code', 'cell'], addsNew: false }
      expect(await engine.importByKey(typed, source, options, createWriteContext())).toMatchObject({ updated: 1 })
      const { records } = await engine.readRecords(typed)
      expect(records[0]!.values.cell!.value).toBe('2024-03-01')
    },
  )

  it('keeps the cells of fields it does not set, metadata and messages of hooks on unchanged cells', async () => {
    const sheet = createSheet()
    const store = engine.createStore()
    const { ids } = await insert(sheet, toInputs([{ code: 1, name: 'Ada', age: 36, note: 'n' }]), store)
    const [id] = [...ids]
    const message = { type: 'warn', message: 'check', source: 'custom-logic' }
    const cell = { messages: [message] }
    await update(sheet, [{ id: id!, values: { name: cell, age: cell } }], store)
    const options = { key: ['code'], fields: ['code', 'name', 'age'], addsNew: true }
    const source = readInBatches([{ code: '1', name: 'Ada', age: 37 }], ['code', 'name', 'age'])
    expect(await engine.importByKey(sheet, source, options, createWriteContext(), store)).toMatchObject({ updated: 1 })
    const { records } = await engine.readRecords(sheet, {}, store)
    expect(records[0]!.values).toMatchObject({
      name: { value: 'Ada', messages: [{ message: 'check' }] },
      age: { value: 37, messages: [] },
      note: { value: 'n' },
    })
    expect(records[0]!.metadata).toEqual({ kept: true })
  })

  it.each([0, 500])(
    'has the values, messages and counts of the same rows added to another sheet, with %i edited rows in a segment',
    async (editedRows) => {
      const fields = [
        { key: 'code', type: 'number' },
        { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
        { key: 'mail', type: 'string', constraints: [{ type: 'email' }] },
        { key: 'age', type: 'number', constraints: [{ type: 'range', config: { gte: 0 } }] },
        { key: 'born', type: 'date' },
        { key: 'paid', type: 'boolean' },
        { key: 'size', type: 'enum', config: { options: [{ value: 'S' }, { value: 'L' }] } },
        { key: 'tags', type: 'string-list' },
      ]
      const keys = fields.map(({ key }) => key)
      const cells = {
        name: fc.constantFrom(null, 'Ada', 'say "hi"', 'a\\b', 'Zoë\n2'),
        mail: fc.constantFrom(null, 'a@example.com', 'none'),
        age: fc.constantFrom(null, 36, '36', '36.50', -1, 'old'),
        born: fc.constantFrom(null, '2024-03-01', '1 Mar 2024', 'May'),
        paid: fc.constantFrom(null, true, 'false', 'perhaps'),
        size: fc.constantFrom(null, 'S', 'L', 'XL'),
        tags: fc.constantFrom(null, ['a'], ['a', 'b'], 'a'),
      }
      const read = async (sheet: SheetRef, store: ReturnType<typeof engine.createStore>) => {
        const { records } = await engine.readRecords(sheet, {}, store)
        const counts = await engine.countRecords(sheet, {}, store)
        return { counts, cells: records.map(({ values, valid }) => ({ values, valid })) }
      }
      const table = fc.array(fc.record(cells), { minLength: 1, maxLength: 8 })
      await fc.assert(
        fc.asyncProperty(table, table, async (before, after) => {
          const number = (rows: readonly Row[]) => rows.map((row, code) => ({ code, ...row }))
          const rows = number(before.map((row, i) => after[i] ?? row))
          const store = engine.createStore({ editedRows, segmentRows: 3 })
          const [sheet, other] = [newSheetId(), newSheetId()].map((sheetId) => ({ sheetId, fields }))
          await insert(sheet!, toInputs(number(before)), store)
          await insert(other!, toInputs(rows), store)
          const options = { key: ['code'], fields: keys, addsNew: true }
          const source = rows.slice(0, after.length)
          await engine.importByKey(sheet!, readInBatches(source, keys), options, createWriteContext(), store)
          expect(await read(sheet!, store)).toEqual(await read(other!, store))
        }),
        { numRuns: runs(60) },
      )
    },
    TIMEOUT_MS,
  )

  it.each([1, 10_000_000])(
    'keeps the notes of values and texts left unread, with %i bytes for its rows',
    async (matchedBytes) => {
      const sheet = createSheet()
      const store = engine.createStore({ matchedBytes, segmentRows: 2 })
      const codes = [1, 2, 3, 4]
      await insert(sheet, toInputs(codes.map((code) => ({ code, name: 'Ada', age: code }))), store)
      const run = async (ages: readonly unknown[]) => {
        const source = codes.map((code, i) => ({ code, name: 'Ada', age: ages[i] })).reverse()
        const options = { key: ['code'], fields: ['code', 'name', 'age'], addsNew: true }
        const batches = readInBatches(source, options.fields, 1)
        const { updated, unchanged } = await engine.importByKey(sheet, batches, options, createWriteContext(), store)
        const { records } = await engine.readRecords(sheet, {}, store)
        const cells = records.map(({ values }) => [
          values.age!.value,
          values.age!.messages.map(({ message }) => message),
        ])
        return { updated, unchanged, cells }
      }
      const unread = noteUnread('age', '1.234', 'Two readings')
      const expected = [
        [1, ['was "1,0"']],
        ['1.234', ['Two readings']],
        [3.5, []],
        [4, []],
      ]
      const first = [noteOriginal('age', 1, '1,0'), unread, '3.50', '4']
      expect(await run(first)).toEqual({ updated: 2, unchanged: 1, cells: expected })
      expect(await run([first[0], '1.234', 3.5, 4])).toEqual({ updated: 0, unchanged: 4, cells: expected })
      const last = await run([1, 1.234, '3.5', '4.0'])
      expect(last).toMatchObject({ updated: 1, unchanged: 3 })
      expect(last.cells[1]).toEqual([1.234, []])
    },
  )

  it('commits on the newest records: another write in between changes what a row matches', async () => {
    const sheet = createSheet()
    await insert(
      sheet,
      toInputs([
        { code: 1, name: 'Ada' },
        { code: 2, name: 'Blaise' },
      ]),
    )
    const source = [
      { code: 1, name: 'ADA' },
      { code: 3, name: 'CARL' },
    ]
    const fields = ['code', 'name']
    for (const [write, expected] of [
      [() => insert(sheet, toInputs([{ code: 3, name: 'other' }])), { created: 0, updated: 2 }],
      [() => insert(sheet, toInputs([{ code: 9, name: 'other' }])), { created: 0, updated: 0, unchanged: 2 }],
    ] as const) {
      let writes = 0
      const beforeCommit = async () => {
        if (writes++ === 0) await write()
      }
      const options = { key: ['code'], fields, addsNew: true, beforeCommit }
      const result = await engine.importByKey(sheet, readInBatches(source, fields), options, createWriteContext())
      expect(result).toMatchObject(expected)
      if (result.changed) expect(writes).toBeGreaterThan(1)
    }
    expect((await readRows(sheet)).map(({ code, name }) => [code, name])).toEqual([
      [1, 'ADA'],
      [2, 'Blaise'],
      [3, 'CARL'],
      [9, 'other'],
    ])
  })
})
