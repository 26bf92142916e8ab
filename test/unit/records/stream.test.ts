/** Record streams: contents, order and memory; and objects uploaded from streams. */
import { describe, expect, it } from 'vitest'
import type { ListQuery, SheetRef } from '../../../lib/records/sheet.ts'
import { startRecordSuite } from '../../support/record-suite.ts'
import { newSheetId } from '../../support/records.ts'

const { cloud, engine, importRows, update, remove } = await startRecordSuite()
const objects = await import('../../../lib/objects/store.ts')

const createNumberedSheet = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'n', type: 'number' },
    { key: 'text', type: 'string' },
  ],
})

async function* generateRows(count: number) {
  const rows = Array.from({ length: count }, (_, i) => [i % 10 ? (i * 7919) % count : 'bad', `row ${i}`])
  yield { keys: ['n', 'text'], rows }
}

async function streamTexts(sheet: SheetRef, query: ListQuery = {}): Promise<string[]> {
  const buffers: Buffer[] = []
  for await (const buffer of engine.streamJsonl(sheet, query)) buffers.push(buffer)
  const lines = Buffer.concat(buffers).toString().split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => JSON.parse(line).text)
}

describe('record stream', () => {
  const small = { segmentRows: 100 }

  it('contains the same as the pages of a list, in order, for every selection', async () => {
    const sheet = createNumberedSheet()
    const store = engine.createStore(small)
    const { ids } = await importRows(sheet, generateRows(1234), store)
    const some = [...ids].filter((_, i) => i % 97 === 5)
    await remove(sheet, { ids: some.slice(0, 5) })
    await update(sheet, [{ id: some[7]!, values: { text: { value: 'edited' } } }])
    const queries: ListQuery[] = [
      {},
      { filter: 'error' },
      { filter: 'valid', ids: some },
      { ids: some },
      { search: { value: '"edited"' } },
      { sort: { field: 'n', direction: 'asc' } },
      { sort: { field: 'n', direction: 'desc' }, filter: 'error' },
      { sort: { field: 'text', direction: 'desc' }, pageSize: 70, pageNumber: 3 },
      { pageSize: 150, pageNumber: 2 },
      { pageSize: 150, pageNumber: 9 },
      { pageSize: 150, pageNumber: 10 },
      { pageNumber: 2 },
      { filter: 'none' },
    ]
    for (const query of queries) {
      const { records } = await engine.readRecords(sheet, query)
      expect(await streamTexts(sheet, query), JSON.stringify(query)).toEqual(
        records.map(({ values }) => values.text!.value),
      )
    }
  })

  it('returns the sheet as it was when the stream started', async () => {
    const sheet = createNumberedSheet()
    await importRows(sheet, generateRows(300), engine.createStore(small))
    const stream = engine.streamCsv(sheet, {}, {}, engine.createStore())
    const first = await stream.next()
    await remove(sheet, { filter: 'all' })
    let text = String(first.value)
    for await (const buffer of stream) text += buffer.toString()
    expect(text.split('\r\n')).toHaveLength(302)
  })

  it('rejects fields that the sheet does not have', async () => {
    const sheet = createNumberedSheet()
    const sorted = engine.streamJsonl(sheet, { sort: { field: 'nope', direction: 'asc' } })
    await expect(sorted.next()).rejects.toMatchObject({ code: 'invalid' })
  })

  it('does not evict the chunk cache of the process', async () => {
    const sheet = createNumberedSheet()
    const store = engine.createStore()
    await importRows(sheet, generateRows(5000), store)
    await engine.listRecords(sheet, {}, store)
    const warm = [...store.chunks.keys()]
    cloud.meter.reset()
    for await (const buffer of engine.streamJsonl(sheet, {}, {}, store)) expect(buffer.length).toBeGreaterThan(0)
    expect(cloud.meter.count('GET')).toBe(0)
    expect([...store.chunks.keys()].sort()).toEqual(warm.sort())
  })
})

describe('object uploaded from a stream', () => {
  const MB = 1024 * 1024
  async function* generateChunks(count: number, size = MB) {
    for (let i = 0; i < count; i++) yield Buffer.alloc(size, i)
  }
  const countUploads = async (): Promise<number> => {
    const { S3Client, ListMultipartUploadsCommand } = await import('@aws-sdk/client-s3')
    const client = new S3Client({ forcePathStyle: true })
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: objects.getBucketName() }))
    client.destroy()
    return Uploads.length
  }

  it('is one PUT when small, and a multipart upload when large', async () => {
    expect(await objects.putStream('streams/none', generateChunks(0))).toBe(0)
    expect(await objects.putStream('streams/small', generateChunks(3, 10), { contentType: 'text/csv' })).toBe(30)
    expect(cloud.meter.count('PUT')).toBe(2)
    expect(await objects.headObject('streams/small')).toMatchObject({ size: 30, contentType: 'text/csv' })
    cloud.meter.reset()
    expect(await objects.putStream('streams/large', generateChunks(21), { contentType: 'text/csv' })).toBe(21 * MB)
    expect(cloud.meter.count('PUT')).toBe(3)
    expect(await objects.headObject('streams/large')).toMatchObject({ size: 21 * MB, contentType: 'text/csv' })
    const bytes = await objects.getObject('streams/large')
    for (let i = 0; i < 21; i++) expect([bytes[i * MB], bytes[(i + 1) * MB - 1]]).toEqual([i, i])
    expect((await objects.headObject('streams/none'))?.size).toBe(0)
  })

  it('does not appear or leave parts behind when its stream fails', async () => {
    async function* failingSource() {
      yield* generateChunks(20)
      throw new Error('The source broke')
    }
    await expect(objects.putStream('streams/broken', failingSource())).rejects.toThrow('The source broke')
    expect(await objects.headObject('streams/broken')).toBeUndefined()
    expect(await countUploads()).toBe(0)
  })

  it('does not appear, and releases its stream, when a part cannot be stored', async () => {
    let puts = 0
    let closed = false
    async function* watchedSource() {
      try {
        yield* generateChunks(100)
      } finally {
        closed = true
      }
    }
    cloud.intercept.beforeRequest = (operation) => {
      if (operation === 'PUT' && ++puts >= 2) throw new Error('no')
    }
    await expect(objects.putStream('streams/lost', watchedSource())).rejects.toThrow()
    cloud.intercept.beforeRequest = undefined
    expect(closed).toBe(true)
    expect(await objects.headObject('streams/lost')).toBeUndefined()
    expect(await countUploads()).toBe(0)
  })
})
