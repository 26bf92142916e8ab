/** CSV and JSON written in threads, compared with the same records written by one thread, and with their values. */
import { describe, expect, it } from 'vitest'
import type { SheetRef } from '../../../lib/records/sheet.ts'
import type { RowFormat } from '../../../lib/records/stream/rows.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { engine, importRows, update, remove } = await startRecordSuite()

const KEYS = ['name', 'amount', 'tags', 'missing']
const createSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'name', type: 'string' },
    { key: 'amount', type: 'number' },
    { key: 'tags', type: 'string-list' },
    { key: 'missing', type: 'string' },
  ],
})
const NAMES = ['plain', '=1+1', 'a, b', 'say "hi"', 'two\nlines', ' ü 😀\\', "'@x", '', 'x;=2']
const ROWS = 23_000

async function* yieldRows() {
  const rows = Array.from({ length: ROWS }, (_, i) => [NAMES[i % NAMES.length], i / 8, i % 3 ? null : ['a', `b ${i}`]])
  yield { keys: KEYS.slice(0, 3), rows }
}

async function collect(pieces: AsyncIterable<Buffer>): Promise<{ text: string; lengths: number[] }> {
  const buffers: Buffer[] = []
  for await (const piece of pieces) buffers.push(Buffer.from(piece))
  return { text: Buffer.concat(buffers).toString(), lengths: buffers.map(({ length }) => length) }
}

const BUFFER_BYTES = 50_000

describe('CSV in threads', async () => {
  const sheet = createSheet()
  const ids = [...(await importRows(sheet, yieldRows())).ids]
  const imported = (await engine.readNewestCommitId(sheet))!
  await update(sheet, [{ id: ids[3]!, values: { name: { value: '-edited' } } }])
  await remove(sheet, [ids[0]!, ids[9_999]!, ids[10_000]!, ids.at(-1)!])
  const newest = (await engine.readNewestCommitId(sheet))!
  const write = (asOf: string, rows?: { from: number; to: number }, options = {}, fields = KEYS) =>
    collect(engine.streamCsvInThreads(sheet, { fields, asOf, rows }, { bufferBytes: BUFFER_BYTES, ...options }))

  it('has the same bytes, in buffers of the same length', async () => {
    for (const asOf of [imported, newest]) {
      const { text, lengths } = await write(asOf)
      expect(text).toBe((await collect(engine.streamCsv(sheet, { asOf }))).text)
      expect(new Set(lengths.slice(0, -1))).toEqual(new Set([BUFFER_BYTES]))
    }
  })

  it('writes a page without a header, and formulas as they are', async () => {
    const options = { header: false, neutralizeFormulas: false }
    const { text } = await write(newest, { from: 7000, to: 14_000 }, options, ['amount', 'name'])
    const query = { asOf: newest, pageSize: 7000, pageNumber: 2, fields: ['amount', 'name'] }
    expect(text).toBe((await collect(engine.streamCsv(sheet, query, options))).text)
  })

  it('has a header if the sheet is empty', async () => {
    const all = Array.from({ length: 3 }, (_, i) => ids.slice(i * 10_000, (i + 1) * 10_000))
    for (const some of all) await remove(sheet, some)
    const { text } = await write((await engine.readNewestCommitId(sheet))!)
    expect(text).toBe('name,amount,tags,missing\r\n')
  })
})

describe('JSON objects in threads', async () => {
  const sheet = createSheet()
  const ids = [...(await importRows(sheet, yieldRows())).ids]
  await update(sheet, [{ id: ids[3]!, values: { name: { value: '-edited' } } }])
  await remove(sheet, [ids[0]!, ids[10_000]!, ids.at(-1)!])
  const asOf = (await engine.readNewestCommitId(sheet))!
  const write = (fields: string[], marks: { before: string; after: string }, rows?: { from: number; to: number }) =>
    collect(engine.streamObjectsInThreads(sheet, { fields, asOf, rows }, { bufferBytes: BUFFER_BYTES, ...marks }))

  async function readObjects(fields: string[], page = {}): Promise<object[]> {
    const objects: object[] = []
    const writeRow: RowFormat['writeRow'] = (_, cells) => {
      const values = cells.map(({ bytes, from, to }) =>
        from === to ? null : JSON.parse(bytes.toString('utf8', from, to)),
      )
      objects.push(Object.fromEntries(values.map((value, i) => [fields[i], value])))
    }
    for await (const _ of engine.streamRows(sheet, { asOf, fields, ...page }, { writeRow }));
    return objects
  }

  it('have the values of each record, in buffers of the same length', async () => {
    const { text, lengths } = await write(KEYS, { before: '', after: '\n' })
    const objects = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(objects).toEqual(await readObjects(KEYS))
    expect(objects).toHaveLength(ROWS - 3)
    expect(new Set(lengths.slice(0, -1))).toEqual(new Set([BUFFER_BYTES]))
  })

  it('are the members of a list, for a page', async () => {
    const { text } = await write(['amount', 'name'], { before: ',\n', after: '' }, { from: 7000, to: 14_000 })
    const objects = JSON.parse(`[${text.slice(1)}]`)
    expect(objects).toEqual(await readObjects(['name', 'amount'], { pageSize: 7000, pageNumber: 2 }))
  })

  it('have no members without fields', async () => {
    const { text } = await write([], { before: '', after: '\n' }, { from: 0, to: 3 })
    expect(text).toBe('{}\n{}\n{}\n')
  })
})
