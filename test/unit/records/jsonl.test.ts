/** Records as JSON lines, out and in. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonlBytes, JsonlOptions, JsonlPart } from '../../../lib/records/index.ts'
import type { ListQuery, RecordInput, SheetRef } from '../../../lib/records/sheet.ts'
import { LINE_BYTES } from '../../../schemas/kit/byte-limits.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { collect, newSheetId } from '../../support/records.ts'

const { engine, insert, importRows, update, remove } = await startRecordSuite()

const createPeopleSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
    { key: 'age', type: 'number' },
    { key: 'tags', type: 'string-list' },
  ],
})

async function exportText(sheet: SheetRef, query: ListQuery = {}, options: JsonlOptions = {}): Promise<string> {
  const buffers: Buffer[] = []
  for await (const buffer of engine.streamJsonl(sheet, query, options)) buffers.push(buffer)
  return Buffer.concat(buffers).toString()
}
const exportLines = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

async function parseParts(
  bytes: JsonlBytes | string,
  fields: SheetRef['fields'] = createPeopleSheet().fields,
): Promise<JsonlPart[]> {
  const parts: JsonlPart[] = []
  const source = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  for await (const part of engine.parseJsonl(source, fields)) parts.push(part)
  return parts
}
const toResult = (value: Buffer | undefined): IteratorResult<Uint8Array> =>
  value ? { value, done: false } : { value: undefined, done: true }
const toLinesText = (...lines: object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

describe('records as JSON lines', () => {
  it('have their id, version, sheet, validity and non-empty cells', async () => {
    const sheet = createPeopleSheet()
    const { ids, commitId } = await insert(sheet, [
      { values: { name: { value: 'Ada' }, tags: { value: ['x', 'y'] } } },
      { values: { age: { value: 'n/a' } } },
    ])
    const [ada, other] = [...ids]
    const own = { __v: commitId, __s: sheet.sheetId }
    expect(await exportText(sheet)).toBe(
      toLinesText(
        { __k: ada, ...own, __e: true, name: 'Ada', tags: ['x', 'y'] },
        { __k: other, ...own, __e: false, age: 'n/a' },
      ),
    )
    expect(
      exportLines(await exportText(sheet, { fields: ['name', 'age'] }, { includeEmptyCells: true, noContext: true })),
    ).toEqual([
      { __k: ada, __v: commitId, __e: true, name: 'Ada', age: null },
      { __k: other, __v: commitId, __e: false, name: null, age: 'n/a' },
    ])
    expect(await exportText(createPeopleSheet())).toBe('')
  })

  it('include messages, metadata, config, times, slug and links on request', async () => {
    const sheet = createPeopleSheet()
    const messages = [{ type: 'warn', source: 'custom-logic', message: 'Really?', field: 'name' }]
    const { ids } = await insert(sheet, [
      { values: { name: { value: 'Ada', messages } }, metadata: { a: [1] }, config: { readonly: true } },
      { values: { name: { value: 'Bob' }, age: { value: 'n/a' } } },
    ])
    const everything: JsonlOptions = {
      includeMessages: true,
      includeMetadata: true,
      includeConfig: true,
      includeTimestamps: true,
      sheetSlug: 'people',
      links: async (open, rows) => {
        expect([open.segment.rows, rows]).toEqual([2, [0, 1]])
        return (row) => (row === 1 ? Buffer.from('[{"__k":"us_rc_other"}]') : undefined)
      },
    }
    const [ada, bob] = exportLines(await exportText(sheet, {}, everything))
    expect(ada).toMatchObject({
      __k: [...ids][0],
      __n: 'people',
      __u: '2026-01-02T03:04:05.678Z',
      __m: { a: [1] },
      __c: { readonly: true },
      __i: { name: messages },
    })
    expect(ada).not.toHaveProperty('__l')
    expect(bob).toMatchObject({ __e: false, __l: [{ __k: 'us_rc_other' }], __i: { age: [{ source: 'is-artifact' }] } })
    for (const key of ['__m', '__c']) expect(bob).not.toHaveProperty(key)
  })

  it('include edits, skip deleted records, and separate objects from cells', async () => {
    const sheet = createPeopleSheet()
    const { ids } = await insert(
      sheet,
      [1, 2, 3].map((age) => ({ values: { name: { value: { value: age } }, age: { value: age } } })),
    )
    const [first, second, third] = [...ids]
    await remove(sheet, { ids: [second!] })
    await update(sheet, [{ id: third!, values: { name: { value: 'Cy' }, age: { value: null } } }])
    expect(exportLines(await exportText(sheet, {}, { includeEmptyCells: true }))).toMatchObject([
      { __k: first, name: { value: { value: 1 } }, age: 1 },
      { __k: third, name: 'Cy', age: null },
    ])
  })
})

describe('incoming JSON lines', () => {
  it('are parsed into new records, changes and deletions, in batches', async () => {
    const message = { type: 'info', message: 'Looks fine' }
    const parts = await parseParts(
      `\ufeff${JSON.stringify({ name: 'Ada', age: 36, __nk: 'mine', __v: 'v', __e: true, __u: 'u', __l: [] })}\r\n\r\n  \n${toLinesText(
        { __k: 'us_rc_1', name: null, __m: { a: 1 } },
        { name: { value: 'Bob', messages: [message] }, city: 'Rome', __c: { readonly: true } },
        { __k: 'us_rc_2', __d: true },
        { __k: 'us_rc_3', __i: { name: [message] }, age: { value: 5 } },
        { __k: 'us_rc_3', __i: [{ ...message, field: 'age' }] },
      )}{"name":"last"}`,
    )
    const hook = { type: 'info', source: 'custom-logic', message: 'Looks fine', field: 'name' }
    expect(parts).toEqual([
      {
        inserts: {
          keys: ['name', 'age', 'tags', 'city'],
          rows: [
            ['Ada', 36, null],
            ['Bob', null, null, 'Rome'],
            ['last', null, null, null],
          ],
          extras: [{}, { config: { readonly: true }, messages: new Map([['name', [hook]]]) }, {}],
        },
      },
      {
        updates: [
          { id: 'us_rc_1', values: { name: { value: null } }, metadata: { a: 1 } },
          { id: 'us_rc_3', values: { age: { value: 5 }, name: { messages: [message] } } },
          { id: 'us_rc_3', values: { age: { messages: [{ ...message, field: 'age' }] } } },
        ],
      },
      { removes: ['us_rc_2'] },
    ])
  })

  it('are the same however their bytes are split', async () => {
    const text = toLinesText({ name: 'Zoë 😀', __s: 'us_sh_1' }, { __k: 'us_rc_1', age: 1 }, {}, { name: 'x\ny' })
    const whole = await parseParts(text)
    for (const size of [1, 2, 3, 7, 50]) {
      async function* splitAt() {
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      }
      expect(await parseParts(splitAt())).toEqual(whole)
    }
  })

  it('are batched in at most 5,000 records, without changes to a record deleted in the same batch', async () => {
    const many = toLinesText(...Array.from({ length: 12_001 }, (_, i) => ({ name: `n${i}` })))
    const sizes = (await parseParts(many)).map((part) => ('inserts' in part ? part.inserts.rows.length : 0))
    expect(sizes).toEqual([5000, 5000, 2001])
    expect(await parseParts(toLinesText({ __k: 'a', __d: true }, { __k: 'b', age: 2 }, { __k: 'a', age: 1 }))).toEqual([
      { updates: [{ id: 'b', values: { age: { value: 2 } } }] },
      { removes: ['a'] },
      { updates: [{ id: 'a', values: { age: { value: 1 } } }] },
    ])
  })

  it('report their sheet before their records', async () => {
    const text = toLinesText(
      { name: 'a' },
      { name: 'b', __s: 'us_sh_1', __n: 'people' },
      { name: 'c', __s: 'us_sh_2' },
      { name: 'd', __s: 'us_sh_2' },
    )
    const parts = await parseParts(text)
    expect(parts.filter((part) => 'sheet' in part)).toEqual([
      { sheet: { id: 'us_sh_1', slug: 'people' }, line: 2 },
      { sheet: { id: 'us_sh_2' }, line: 3 },
    ])
    expect(parts.map((part) => Object.keys(part)[0])).toEqual(['inserts', 'sheet', 'inserts', 'sheet', 'inserts'])
    async function* splitAt() {
      for (const byte of Buffer.from(`\n${toLinesText({ __s: 'us_sh_9', name: 'a' }, { name: 'b' })}`))
        yield Buffer.from([byte])
    }
    const peeked = await engine.peekSheet(splitAt())
    expect(peeked.sheet).toEqual({ id: 'us_sh_9' })
    expect(await parseParts(peeked.bytes)).toMatchObject([
      { sheet: { id: 'us_sh_9' } },
      {
        inserts: {
          rows: [
            ['a', null, null],
            ['b', null, null],
          ],
        },
      },
    ])
    expect((await engine.peekSheet(Buffer.from('\n'))).sheet).toEqual({})
    await expect(engine.peekSheet(Buffer.from('{"__s":5}'))).rejects.toMatchObject({ problems: [{ key: 'line 1' }] })
  })

  it('close their source when their reader stops early', async () => {
    let isClosed = false
    async function* readChunks() {
      try {
        for (let i = 0; i < 10; i++) yield Buffer.from(`{"__s":"us_sh_1","name":"${i}"}\n`)
      } finally {
        isClosed = true
      }
    }
    const { bytes } = await engine.peekSheet(readChunks())
    expect(isClosed).toBe(false)
    for await (const _ of bytes as AsyncIterable<Uint8Array>) break
    expect(isClosed).toBe(true)
  })

  it('are read to their end from a source that cannot be closed', async () => {
    const chunks = ['{"__s":"us_sh_1"}\n', '{"name":"Ada"}\n'].map((text) => Buffer.from(text))
    const source = { [Symbol.asyncIterator]: () => ({ next: async () => toResult(chunks.shift()) }) }
    const { sheet, bytes } = await engine.peekSheet(source)
    expect(sheet).toEqual({ id: 'us_sh_1' })
    expect(await parseParts(bytes)).toMatchObject([
      { sheet },
      { inserts: { rows: [Array(3).fill(null), ['Ada', null, null]] } },
    ])
  })

  it('are rejected with all errors, by line', async () => {
    const faulty: [string, RegExp][] = [
      ['{"name": ', /not valid JSON/],
      ['[1]', /not a JSON object/],
      ['{"name":{"x":1}}', /name is an object but not a cell/],
      ['{"__k":""}', /__k is not a non-empty string/],
      ['{"__k":5}', /__k is not a non-empty string/],
      ['{"__d":true}', /add the id of the record/],
      ['{"__k":"a","__d":"yes"}', /__d is not true or false/],
      ['{"__m":[]}', /__m is not an object/],
      ['{"__i":{"name":"x"}}', /__i\.name is not a list/],
      ['{"__i":[{"message":"x"}]}', /without a field/],
      ['{"name":{"messages":[1]}}', /name\.messages is not a list/],
      ['{"__proto__":1}', /^"__proto__" is not allowed/],
      ['{"__m":{"a":{"__pro\\u0074o__":1}}}', /^"__m\.a\.__proto__" is not allowed/],
    ]
    const text = `{"name":"fine"}\n\n${faulty.map(([line]) => line).join('\n{}\n')}`
    const error = await parseParts(text).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'invalid' })
    expect(error.problems.map(({ key }: { key: string }) => key)).toEqual(faulty.map((_, i) => `line ${3 + i * 2}`))
    faulty.forEach(([, message], i) => {
      expect(error.problems[i].message).toMatch(message)
    })
    expect((await parseParts('?\n'.repeat(50)).catch((thrown) => thrown)).problems).toHaveLength(20)
    const latin = await parseParts(Buffer.from('{"name":"Zo\xeb"}', 'latin1')).catch((thrown) => thrown)
    expect(latin.problems).toEqual([{ key: 'line 1', message: 'is not UTF-8' }])
  })

  it('are rejected when longer than 16 MB, before the rest is read', async () => {
    let read = 0
    async function* generateEndless() {
      yield Buffer.from('{}\n{"name":"')
      for (; read < 100; read++) yield Buffer.alloc(1 << 20, 'x')
    }
    await expect(parseParts(generateEndless())).rejects.toMatchObject({ code: 'too-large' })
    expect(read).toBeLessThanOrEqual(LINE_BYTES / (1 << 20) + 1)
  })
})

describe('JSON lines round trip', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
    fc.boolean(),
    fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 3 }),
    fc.record({ value: fc.integer(), messages: fc.constant([]) }),
    fc.constant(null),
  )
  const json = fc.dictionary(
    fc.string({ unit: 'binary' }).filter((key) => key !== '__proto__'),
    fc.integer(),
    { noNullPrototype: true, minKeys: 1 },
  )
  const message = fc.record({ type: fc.constantFrom('error', 'warn', 'info'), message: fc.string({ unit: 'binary' }) })
  const record = fc.record({
    values: fc.tuple(value, value, value),
    messages: fc.array(message, { maxLength: 2 }),
    metadata: fc.option(json),
    config: fc.option(json),
  })

  it('preserves values, messages, metadata and config', async () => {
    const everything = { includeMessages: true, includeMetadata: true, includeConfig: true }
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 30 }), async (records) => {
        const [from, to] = [createPeopleSheet(), createPeopleSheet()]
        const inputs = records.map(
          ({ values, messages, metadata, config }): RecordInput => ({
            values: { name: { value: values[0], messages }, age: { value: values[1] }, tags: { value: values[2] } },
            metadata,
            config,
          }),
        )
        await insert(from, inputs)
        const text = (await exportText(from, {}, { ...everything, noContext: true })).replaceAll(/"__k":"[^"]*",/g, '')
        async function* generateBatches() {
          for (const part of await parseParts(text, to.fields)) if ('inserts' in part) yield part.inserts
        }
        await importRows(to, generateBatches())
        const withoutIds = async (sheet: SheetRef) =>
          (await engine.readRecords(sheet)).records.map(({ id: _, ...record }) => record)
        expect(await withoutIds(to)).toEqual(await withoutIds(from))
      }),
      { numRuns: 12 },
    )
  })

  it('changes nothing when the sheet already has the same records', async () => {
    const sheet = createPeopleSheet()
    await insert(sheet, [{ values: { name: { value: 'Ada' } } }, { values: { age: { value: 'n/a' } } }])
    const parts = await parseParts(await exportText(sheet, {}, { includeMessages: true, includeEmptyCells: true }))
    const updates = parts.flatMap((part) => ('updates' in part ? part.updates : []))
    expect(updates).toHaveLength(2)
    const result = await update(sheet, updates)
    expect(result).toMatchObject({ updated: 0, missing: [] })
    expect(await collect(result.changes)).toEqual([])
  })
})
