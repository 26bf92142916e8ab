/** Streams of records: what they hold, in which order, in how much memory; and objects made of streams. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ListQuery, SheetRef } from '../../../lib/records/sheet.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../../support/records.ts'

type Engine = typeof import('../../../lib/records/index.ts')
type Objects = typeof import('../../../lib/objects/store.ts')
let cloud: RecordCloud
let engine: Engine
let objects: Objects

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
  objects = await import('../../../lib/objects/store.ts')
})
afterAll(() => cloud.close())
beforeEach(() => {
  cloud.intercept.before = undefined
  cloud.meter.reset()
})

const numbered = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'n', type: 'number' },
    { key: 'text', type: 'string' },
  ],
})

/** Rows 0 to count: `n` scrambled, every tenth row in error. */
async function* rowsOf(count: number) {
  const rows = Array.from({ length: count }, (_, i) => [i % 10 ? (i * 7919) % count : 'bad', `row ${i}`])
  yield { keys: ['n', 'text'], rows }
}

async function textsOf(sheet: SheetRef, query: ListQuery = {}): Promise<string[]> {
  const buffers: Buffer[] = []
  for await (const buffer of engine.streamJsonl(sheet, query)) buffers.push(buffer)
  const lines = Buffer.concat(buffers).toString().split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => JSON.parse(line).text)
}

describe('a stream of records', () => {
  const small = { segmentRows: 100 }

  it('holds what the pages of a list hold, in their order, for every way to select', async () => {
    const sheet = numbered()
    const store = engine.newStore(small)
    const { ids } = await engine.importRows(sheet, rowsOf(1234), by(), store)
    const some = [...ids].filter((_, i) => i % 97 === 5)
    await engine.remove(sheet, { ids: some.slice(0, 5) }, by())
    await engine.update(sheet, [{ id: some[7]!, values: { text: { value: 'edited' } } }], by())
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
      const { records } = await engine.read(sheet, query)
      expect(await textsOf(sheet, query), JSON.stringify(query)).toEqual(
        records.map(({ values }) => values.text!.value),
      )
    }
  })

  it('shows the sheet as it was when the stream began', async () => {
    const sheet = numbered()
    await engine.importRows(sheet, rowsOf(300), by(), engine.newStore(small))
    const stream = engine.streamCsv(sheet, {}, {}, engine.newStore())
    const first = await stream.next()
    await engine.remove(sheet, { filter: 'all' }, by())
    let text = String(first.value)
    for await (const buffer of stream) text += buffer.toString()
    expect(text.split('\r\n')).toHaveLength(302)
  })

  it('refuses fields the sheet has not', async () => {
    const sheet = numbered()
    const sorted = engine.streamJsonl(sheet, { sort: { field: 'nope', direction: 'asc' } })
    await expect(sorted.next()).rejects.toMatchObject({ code: 'invalid' })
  })

  it('leaves the process its warm chunks', async () => {
    const sheet = numbered()
    const store = engine.newStore()
    await engine.importRows(sheet, rowsOf(5000), by(), store)
    await engine.list(sheet, {}, store)
    const warm = [...store.chunks.keys()]
    cloud.meter.reset()
    for await (const buffer of engine.streamJsonl(sheet, {}, {}, store)) expect(buffer.length).toBeGreaterThan(0)
    expect(cloud.meter.count('GET')).toBe(0)
    expect([...store.chunks.keys()].sort()).toEqual(warm.sort())
  })
})

describe('an object made of a stream', () => {
  const MB = 1024 * 1024
  async function* chunks(count: number, size = MB) {
    for (let i = 0; i < count; i++) yield Buffer.alloc(size, i)
  }
  const uploads = async (): Promise<number> => {
    const { S3Client, ListMultipartUploadsCommand } = await import('@aws-sdk/client-s3')
    const client = new S3Client({ forcePathStyle: true })
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: objects.bucketName() }))
    client.destroy()
    return Uploads.length
  }

  it('is one PUT when small, and parts when large', async () => {
    expect(await objects.putStream('streams/none', chunks(0))).toBe(0)
    expect(await objects.putStream('streams/small', chunks(3, 10), { contentType: 'text/csv' })).toBe(30)
    expect(cloud.meter.count('PUT')).toBe(2)
    expect(await objects.headObject('streams/small')).toMatchObject({ size: 30, contentType: 'text/csv' })
    cloud.meter.reset()
    expect(await objects.putStream('streams/large', chunks(21), { contentType: 'text/csv' })).toBe(21 * MB)
    expect(cloud.meter.count('PUT')).toBe(3)
    expect(await objects.headObject('streams/large')).toMatchObject({ size: 21 * MB, contentType: 'text/csv' })
    const bytes = await objects.getObject('streams/large')
    for (let i = 0; i < 21; i++) expect([bytes[i * MB], bytes[(i + 1) * MB - 1]]).toEqual([i, i])
    expect((await objects.headObject('streams/none'))?.size).toBe(0)
  })

  it('does not appear, nor leave parts behind, when its stream fails', async () => {
    async function* broken() {
      yield* chunks(20)
      throw new Error('The source broke')
    }
    await expect(objects.putStream('streams/broken', broken())).rejects.toThrow('The source broke')
    expect(await objects.headObject('streams/broken')).toBeUndefined()
    expect(await uploads()).toBe(0)
  })

  it('does not appear, and lets go of its stream, when a part cannot be stored', async () => {
    let puts = 0
    let closed = false
    async function* watched() {
      try {
        yield* chunks(100)
      } finally {
        closed = true
      }
    }
    cloud.intercept.before = (operation) => {
      if (operation === 'PUT' && ++puts >= 2) throw new Error('no')
    }
    await expect(objects.putStream('streams/lost', watched())).rejects.toThrow()
    cloud.intercept.before = undefined
    expect(closed).toBe(true)
    expect(await objects.headObject('streams/lost')).toBeUndefined()
    expect(await uploads()).toBe(0)
  })
})
