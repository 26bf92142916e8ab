/** Jobs on large files and sheets, and reads of them, that several functions share, compared with one function. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../examples/airports/client.ts'
import {
  createClient,
  createSheet,
  downloadFile,
  jobs,
  runJob,
  type Sheet,
  startJob,
  uploadAndExtract,
  uploadFile,
  waitForJob,
  waitForResult,
} from '../support/large-jobs.ts'
import { type Platform, startPlatform } from '../support/platform.ts'

const ROWS = 44_000
/** Parts of an upload to S3 have at least 5 MB. */
const NOTE = 'a note that makes the row long enough '.repeat(14)
const PARTS = { PART_BYTES: '3000000', PART_RECORDS: '10000', PARTS_AT_ONCE: '3', LEASE_MS: '5000' }

const FIELDS = [
  { key: 'id', type: 'string', constraints: [{ type: 'unique' }] },
  { key: 'amount', type: 'number' },
  { key: 'day', type: 'date' },
  { key: 'note', type: 'string', constraints: [{ type: 'required' }] },
]

const writeRow = (row: number): string =>
  [
    row % 9_000 === 0 ? 'repeated' : `id-${row}`,
    row % 1_000 === 0 ? 'much' : `"${row},50"`,
    `${1 + (row % 28)}.02.2024`,
    row % 500 === 0 ? '' : row % 7 === 0 ? `"${NOTE}\n${row},1,2,3\n""quoted"""` : NOTE,
  ].join(',')

const createCsv = (change: (lines: string[]) => void = () => {}): Buffer => {
  const lines = ['id,amount,day,note', ...Array.from({ length: ROWS }, (_, row) => writeRow(row))]
  change(lines)
  return Buffer.from(`${lines.join('\n')}\n`)
}

interface Side {
  platform: Platform
  client: Client
  spaceId: string
  folder: string
}

async function startSide(env: Record<string, string>): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-divided-'))
  const platform = await startPlatform(folder, env)
  const client = createClient(platform.local)
  const { id } = await client.post('/spaces', { name: 'Divided' })
  return { platform, client, spaceId: id, folder }
}

let divided: Side
let whole: Side

beforeAll(async () => {
  ;[divided, whole] = await Promise.all([startSide(PARTS), startSide({})])
}, 120_000)

afterAll(async () => {
  for (const { platform, folder } of [divided, whole]) {
    await platform.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  }
})

async function readExport({ platform, client }: Side, sheet: Sheet, format: string): Promise<Buffer> {
  const { result } = await runJob(client, jobs.export(sheet, format))
  const pieces: Uint8Array[] = []
  for await (const piece of downloadFile(platform.local, result.fileId)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function importFile(side: Side, bytes: Buffer) {
  const { client, spaceId } = side
  const source = await uploadAndExtract(client, spaceId, bytes)
  const destination = await createSheet(client, spaceId, FIELDS)
  const { result } = await runJob(client, jobs.map(source, destination))
  const { counts } = await client.get(`/sheets/${destination.sheetId}/counts?byField=true`)
  return { source, destination, counts: result.counts, sheetCounts: counts }
}

const MATCHES = encodeURIComponent('amount gt 20000 and note is EMPTY')
const READS = [
  'counts?byField=true',
  `counts?q=${MATCHES}`,
  'counts?searchValue=id-43',
  `records?q=${MATCHES}&pageSize=10&pageNumber=3&includeLength=true`,
  'records?filter=valid&pageSize=5&pageNumber=8000',
  'records?searchValue=id-43999',
  'records?searchValue=nobody&includeLength=true',
  'records?sortField=amount&sortDirection=desc&pageSize=20',
  'records?sortField=note&pageSize=100&pageNumber=300&fields=id',
  `records/columns?q=${MATCHES}&pageSize=10`,
]

/** Without the parts of ids that differ between sheets. */
async function readSheet({ client }: Side, { sheetId }: Sheet, read: string): Promise<unknown> {
  const text = JSON.stringify(await client.get(`/sheets/${sheetId}/${read}`))
  return JSON.parse(text.replaceAll(/(us_(rc|vr))_[^_"]+/g, '$1'))
}

async function readFailure({ client, spaceId }: Side, bytes: Buffer): Promise<string> {
  const { fileId } = await uploadFile(client, { spaceId, bytes })
  const { statusReason } = await waitForResult('the failure', async () => {
    const file = await client.get(`/files/${fileId}`)
    return file.status === 'failed' ? file : undefined
  })
  return statusReason
}

describe('a file and its sheets', { timeout: 300_000 }, () => {
  it('are extracted, mapped and exported as by one function', async () => {
    const bytes = createCsv()
    const [first, second] = [await importFile(divided, bytes), await importFile(whole, bytes)]
    expect(first.counts).toMatchObject({ created: ROWS })
    expect(first.counts).toEqual(second.counts)
    expect(first.sheetCounts).toEqual(second.sheetCounts)
    expect(first.sheetCounts.errorsByField).toMatchObject({ id: 5, amount: 44, note: 88 })
    for (const format of ['csv', 'jsonl'])
      for (const sheet of ['source', 'destination'] as const) {
        const exported = await readExport(divided, first[sheet], format)
        expect(exported.equals(await readExport(whole, second[sheet], format)), `${sheet} as ${format}`).toBe(true)
        expect(exported.length).toBeGreaterThan(20_000_000)
      }
    for (const read of READS)
      expect(await readSheet(divided, first.destination, read), read).toEqual(
        await readSheet(whole, second.destination, read),
      )
  })

  it('replace all records of a sheet in one commit', async () => {
    const { client, spaceId } = divided
    const source = await uploadAndExtract(client, spaceId, createCsv())
    const destination = await createSheet(client, spaceId, FIELDS)
    await client.post(`/sheets/${destination.sheetId}/records`, [{ id: { value: 'id-1' }, note: { value: 'x' } }])
    const options = { importMode: 'replace' }
    const { result } = await runJob(client, jobs.map(source, destination, options))
    expect(result.counts).toMatchObject({ created: ROWS, deleted: 1 })
    const commits = await client.get(`/sheets/${destination.sheetId}/commits`)
    expect(commits).toHaveLength(2)
  })

  it.each<[string, (lines: string[]) => void]>([
    [
      'a row that is wider than the first ones',
      (lines) => lines.splice(40_000, 0, 'x,1,1.1.2024,note,one more,and more'),
    ],
    ['lines in another encoding', (lines) => lines.push('last,1,1.1.2024,\u0000ENCODED')],
  ])('have the same columns and rows with %s', async (_, change) => {
    const text = createCsv(change).toString('latin1')
    const bytes = Buffer.from(text.replace('\u0000ENCODED', 'caf\u00e9'), 'latin1')
    const exports = []
    for (const side of [divided, whole])
      exports.push(await readExport(side, await uploadAndExtract(side.client, side.spaceId, bytes), 'csv'))
    expect(exports[0]!.equals(exports[1]!)).toBe(true)
  })

  it('fail with the row and byte of a problem', async () => {
    const bytes = createCsv((lines) => lines.splice(30_001, 0, 'x,1,1.1.2024,a\u0000b'))
    const reasons = [await readFailure(divided, bytes), await readFailure(whole, bytes)]
    expect(reasons[0]).toMatch(/\d/)
    expect(reasons[0]).toBe(reasons[1])
  })

  it('are complete, and imported once, after the process was killed in the middle', async () => {
    const { client, spaceId, folder } = divided
    const source = await uploadAndExtract(client, spaceId, createCsv())
    const destination = await createSheet(client, spaceId, FIELDS)
    const jobId = await startJob(client, jobs.map(source, destination))
    await waitForResult('the start', async () => (await client.get(`/jobs/${jobId}`)).progress > 0 || undefined, 20)
    await divided.platform.kill()
    divided.platform = await startPlatform(folder, PARTS)
    divided.client = createClient(divided.platform.local)
    const { result } = await waitForJob(divided.client, jobId)
    expect(result.counts).toMatchObject({ created: ROWS })
    const { counts } = await divided.client.get(`/sheets/${destination.sheetId}/counts`)
    expect(counts.total).toBe(ROWS)
    expect(await divided.client.get(`/sheets/${destination.sheetId}/commits`)).toHaveLength(1)
  })
})
