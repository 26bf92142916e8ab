import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import avro from 'avsc'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, it } from 'vitest'
import { getServer, waitUntil } from '../support/api.ts'
import { account, admin, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { invokePlatformFunction } from '../support/platform-function.ts'
import { createUser } from '../support/resources.ts'

// biome-ignore lint/suspicious/noExplicitAny: metadata is read as it comes
type Json = any

beforeAll(() => createFreshSpace({ name: 'Tables' }))

const FIELDS = [
  { key: 'name', type: 'string' },
  { key: 'age', type: 'number' },
  { key: 'tags', type: 'string-list' },
]

const openBucket = () => ({
  s3: new S3Client({ endpoint: getServer().cloud, region: 'us-east-1', forcePathStyle: true }),
  Bucket: getServer().environment.BUCKET_NAME!,
})
const prefixOf = (sheetId: string) => `tables/${account.environmentId}/${sheetId}/`

async function readObject(Key: string): Promise<Buffer> {
  const { s3, Bucket } = openBucket()
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }))
  return Buffer.from(await Body!.transformToByteArray())
}

async function listObjects(sheetId: string): Promise<string[]> {
  const { s3, Bucket } = openBucket()
  const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: prefixOf(sheetId) }))
  return (Contents ?? []).map(({ Key }) => Key!.slice(prefixOf(sheetId).length))
}

interface Pointer {
  version: number
  commitId: string
  metadata: string
  rows: number
  files: { path: string; rows: number; addedBy: number }[]
}

const readPointer = async (sheetId: string): Promise<Pointer> =>
  JSON.parse((await readObject(`${prefixOf(sheetId)}_latest.json`)).toString())

const startUpdates = () => invokePlatformFunction('jobs-due', { time: new Date().toISOString() })

async function waitForCommit(sheetId: string): Promise<Pointer> {
  const [{ id: commitId }] = await must('GET', `/sheets/${sheetId}/commits`)
  return waitUntil(async () => {
    await startUpdates()
    const pointer = await readPointer(sheetId).catch(() => undefined)
    return pointer?.commitId === commitId && pointer
  }, 30)
}

async function createSheet(rows: object[]): Promise<{ sheetId: string; bookId: string }> {
  const book = await must('POST', '/workbooks', {
    spaceId,
    name: 'Book',
    sheets: [{ name: 'People', slug: 'people', fields: FIELDS }],
  })
  const sheetId = book.sheets[0].id
  await call('POST', `/sheets/${sheetId}/records`, rows)
  return { sheetId, bookId: book.id }
}

async function createTable(rows: object[]) {
  const made = await createSheet(rows)
  expect(await must('PATCH', `/sheets/${made.sheetId}`, { table: true })).toMatchObject({ table: true })
  return { ...made, pointer: await waitForCommit(made.sheetId) }
}

async function readRows(sheetId: string, files: readonly { path: string }[]): Promise<Record<string, unknown>[]> {
  const read = files.map(async ({ path }) => {
    const bytes = new Uint8Array(await readObject(prefixOf(sheetId) + path))
    return parquetReadObjects({ file: bytes.buffer })
  })
  return (await Promise.all(read)).flat()
}

async function readAvro(sheetId: string, location: string): Promise<Record<string, Json>[]> {
  const { Bucket } = openBucket()
  const bytes = await readObject(location.replace(`s3://${Bucket}/`, ''))
  expect(location).toContain(prefixOf(sheetId))
  const decoder = new avro.streams.BlockDecoder()
  const records: Record<string, Json>[] = []
  decoder.on('data', (record) => records.push(record))
  decoder.end(bytes)
  await new Promise((resolve, reject) => decoder.on('end', resolve).on('error', reject))
  return records
}

const withoutInvalid = (rows: Record<string, unknown>[]) => rows.map(({ _invalid, ...row }) => row)

describe('the table of a sheet', () => {
  it('has the records of each commit, and every version of them', async () => {
    const { sheetId, pointer } = await createTable([
      { name: 'Zoë "Z"', age: 36.5, tags: ['a'] },
      { name: 'B', age: 'many' },
    ])
    const first = [
      { name: 'Zoë "Z"', age: 36.5, tags: '["a"]', _invalid: null },
      { name: 'B', age: null, tags: null, _invalid: '{"age":"many"}' },
    ]
    expect(pointer).toMatchObject({ version: 1, rows: 2 })
    expect(await readRows(sheetId, pointer.files)).toEqual(first)
    await call('POST', `/sheets/${sheetId}/records`, [{ name: 'C', age: 1, tags: [] }])
    const next = await waitForCommit(sheetId)
    expect(await readRows(sheetId, next.files)).toEqual([...first, { name: 'C', age: 1, tags: null, _invalid: null }])
    const metadata = JSON.parse((await readObject(prefixOf(sheetId) + next.metadata)).toString())
    expect(metadata.snapshots.map((snapshot: Json) => snapshot.summary['wharf.commit-id'])).toEqual([
      pointer.commitId,
      next.commitId,
    ])
    const paths: string[][] = []
    for (const snapshot of metadata.snapshots) {
      const [list] = await readAvro(sheetId, snapshot['manifest-list'])
      const entries = await readAvro(sheetId, list!.manifest_path)
      paths.push(entries.map(({ data_file }) => data_file.file_path.split(prefixOf(sheetId))[1]))
      expect(list!.added_rows_count + list!.existing_rows_count).toBe(Number(snapshot.summary['total-records']))
    }
    expect(paths).toEqual([pointer.files, next.files].map((files) => files.map(({ path }) => path)))
    expect(await readRows(sheetId, pointer.files)).toEqual(first)
  })

  it('reuses the files of segments that did not change', async () => {
    const { sheetId, pointer } = await createTable(Array.from({ length: 3000 }, (_, n) => ({ name: `a${n}`, age: n })))
    await call(
      'POST',
      `/sheets/${sheetId}/records`,
      Array.from({ length: 3000 }, (_, n) => ({ name: `b${n}`, age: n })),
    )
    const second = await waitForCommit(sheetId)
    expect(second.files[0]).toEqual(pointer.files[0])
    const [record] = await must('GET', `/sheets/${sheetId}/records?pageSize=1&pageNumber=3001`).then(
      (page) => page.records,
    )
    await must('PUT', `/sheets/${sheetId}/records`, [{ id: record.id, values: { name: { value: 'changed' } } }])
    await call('DELETE', `/sheets/${sheetId}/records?ids=${record.id.replace(/\d+$/, '7')}`)
    const third = await waitForCommit(sheetId)
    expect(third.files.map(({ addedBy }) => addedBy)).toEqual([1, third.version])
    expect(third.rows).toBe(5999)
    const rows = withoutInvalid(await readRows(sheetId, third.files))
    expect([rows[3000]!.name, rows[3006]!.name, rows[3007]!.name]).toEqual(['changed', 'b6', 'b8'])
  })

  it('has the columns of the fields, whose ids stay', async () => {
    const { sheetId, bookId } = await createTable([{ name: 'A', age: 1 }])
    const fields = [FIELDS[0], { key: 'age', type: 'string' }, { key: 'vip', type: 'boolean' }]
    await must('PATCH', `/workbooks/${bookId}`, { sheets: [{ id: sheetId, name: 'People', slug: 'people', fields }] })
    const { pointer, metadata } = await waitUntil(async () => {
      await startUpdates()
      const newest = await readPointer(sheetId)
      const read = JSON.parse((await readObject(prefixOf(sheetId) + newest.metadata)).toString())
      return read.schemas.length === 2 && { pointer: newest, metadata: read }
    }, 30)
    const columns = metadata.schemas.map((schema: Json) =>
      schema.fields.map(({ id, name, type }: Json) => [id, name, type]),
    )
    expect(columns).toEqual([
      [
        [1, 'name', 'string'],
        [2, 'age', 'double'],
        [3, 'tags', 'string'],
        [4, '_invalid', 'string'],
      ],
      [
        [1, 'name', 'string'],
        [5, 'age', 'string'],
        [6, 'vip', 'boolean'],
        [4, '_invalid', 'string'],
      ],
    ])
    const bytes = new Uint8Array(await readObject(prefixOf(sheetId) + pointer.files[0]!.path))
    expect(parquetMetadata(bytes.buffer).schema.map(({ field_id }) => field_id)).toEqual([undefined, 1, 5, 6, 4])
    expect(await readRows(sheetId, pointer.files)).toEqual([{ name: 'A', age: '1', vip: null, _invalid: null }])
  })

  it('is deleted when it is turned off, and with its sheet', async () => {
    const [one, other] = [await createTable([{ name: 'A' }]), await createTable([{ name: 'A' }])]
    await must('PATCH', `/sheets/${one.sheetId}`, { table: false })
    await must('DELETE', `/sheets/${other.sheetId}`)
    for (const { sheetId } of [one, other])
      await waitUntil(async () => {
        await startUpdates()
        return (await listObjects(sheetId)).length === 0
      }, 30)
  })

  it('is not created for a caller who could not create a webhook', async () => {
    const { sheetId } = await createSheet([])
    const { call: spaceAdmin } = await createUser([{ roleId: 'us_rol_administrator', resourceId: spaceId }])
    expect((await spaceAdmin('PATCH', `/sheets/${sheetId}`, { metadata: { a: 1 } })).status).toBe(200)
    expect((await spaceAdmin('PATCH', `/sheets/${sheetId}`, { table: true })).status).toBe(403)
    expect((await admin('GET', `/sheets/${sheetId}`)).body.data.table).toBeUndefined()
  })
})
