import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { NotFound, OpenQuestions, type UploadProgress, type Wharf } from '../src/index.ts'
import { openFile } from '../src/node.ts'
import { createClient, createSheet } from './client.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-sdk-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ROW = 'ada@example.com,36\n'
const CSV = `E-Mail,Age\n${ROW.repeat(20_000)}`
const FIELDS = [
  { key: 'email', type: 'string' as const },
  { key: 'age', type: 'number' as const },
  { key: 'birthday', type: 'date' as const },
]

function saveFile(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const download = async (wharf: Wharf, id: string): Promise<string> => (await wharf.files.download(id)).text()

const INPUTS = {
  'a File': async () => new File([CSV], 'people.csv'),
  'a Blob': async () => new Blob([CSV]),
  'a Buffer': async () => Buffer.from(CSV),
  'a file on disk': () => openFile(saveFile('people.csv', CSV)),
  'a stream': async () => ({ name: 'people.csv', size: CSV.length, stream: new Blob([CSV]).stream() }),
}

describe('an upload', () => {
  it.each(Object.entries(INPUTS))('sends %s unchanged and reports its progress', async (_, open) => {
    const wharf = await createClient()
    const { id: spaceId } = await wharf.spaces.create({ name: 'Uploads' })
    const progress: UploadProgress[] = []
    const onProgress = (step: UploadProgress) => progress.push(step)
    const file = await wharf.files.upload(await open(), { spaceId, name: 'people.csv', onProgress })
    expect(file).toMatchObject({ name: 'people.csv', size: CSV.length, spaceId })
    expect(await download(wharf, file.id)).toBe(CSV)
    expect(progress.length).toBeGreaterThan(1)
    expect(progress.at(-1)).toEqual({ sentBytes: CSV.length, totalBytes: CSV.length })
  })

  it('sends a stream of more than 100 MB in parts', async () => {
    const wharf = await createClient()
    const { id: spaceId } = await wharf.spaces.create({ name: 'Uploads' })
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    const chunks = 130
    async function* stream() {
      for (let n = 0; n < chunks; n++) yield chunk
    }
    const size = chunks * chunk.length
    const sent: number[] = []
    const file = await wharf.files.upload(
      { name: 'large.bin', size, stream: stream() },
      { spaceId, onProgress: ({ sentBytes }) => sent.push(sentBytes) },
    )
    expect(file).toMatchObject({ size, bytesReceived: size })
    expect(sent.at(-1)).toBe(size)
  }, 60_000)

  it('repeats its parts when the storage fails for a time', async () => {
    let puts = 0
    const unreliable: typeof fetch = async (url, init) => {
      if (init?.method !== 'PUT' || ++puts > 2) return fetch(url, init)
      if (puts === 1) throw new TypeError('The connection was closed.')
      return new Response('<Error/>', { status: 503 })
    }
    const wharf = await createClient({ fetch: unreliable })
    const { id: spaceId } = await wharf.spaces.create({ name: 'Uploads' })
    const file = await wharf.files.upload(Buffer.from(CSV), { spaceId, name: 'people.csv' })
    expect(await download(wharf, file.id)).toBe(CSV)
    expect(puts).toBe(3)
  })

  it('leaves no file when it is aborted', async () => {
    const wharf = await createClient()
    const { id: spaceId } = await wharf.spaces.create({ name: 'Uploads' })
    const stop = new AbortController()
    const onProgress = () => stop.abort(new Error('The user left.'))
    const options = { spaceId, name: 'people.csv', onProgress, signal: stop.signal }
    await expect(wharf.files.upload(Buffer.from(CSV), options)).rejects.toThrow('The user left.')
    expect((await wharf.files.list({ spaceId })).data).toEqual([])
  })

  it('fails and leaves no file if the stream is shorter than its size', async () => {
    const wharf = await createClient()
    const { id: spaceId } = await wharf.spaces.create({ name: 'Uploads' })
    const input = { name: 'short.csv', size: 100, stream: new Blob(['short']).stream() }
    await expect(wharf.files.upload(input, { spaceId })).rejects.toThrow('The stream ended 95 bytes before its size.')
    expect((await wharf.files.list({ spaceId })).data).toEqual([])
  })
})

describe('importFile', () => {
  it('uploads, extracts, maps and imports a file, and reports each step', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    const steps = new Map<string, number>()
    const csv = 'E-Mail,Age,Shoe size\nada@example.com,36,38\ngrace@example.com,eighty,39\n'
    const file = await openFile(saveFile('import.csv', csv))
    const result = await wharf.importFile(file, {
      sheetId,
      onProgress: ({ step, percent }) => steps.set(step, percent),
    })
    expect(result).toMatchObject({ counts: { created: 2, valid: 1, invalid: 1 }, unmappedColumns: ['Shoe size'] })
    expect([...steps.keys()]).toEqual(['upload', 'extract', 'map', 'import'])
    expect([...steps.values()]).toEqual([100, 100, 100, 100])
    expect((await wharf.records.list(sheetId)).records.map(({ values }) => values.age?.value)).toEqual([36, 'eighty'])
  })

  it('updates records by a key', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    await wharf.records.write(sheetId, [{ values: { email: 'ada@example.com', age: 1 } }])
    const file = new File(['email,age\nada@example.com,36\ngrace@example.com,85\n'], 'people.csv')
    const { counts } = await wharf.importFile(file, { sheetId, importMode: 'upsert', keyFields: ['email'] })
    expect(counts).toMatchObject({ created: 1, updated: 1 })
  })

  const AMBIGUOUS = 'email,birthday\nada@example.com,01/02/1990\ngrace@example.com,03/04/1991\n'

  it('stops at a question, with the job and its columns', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    const error = await wharf.importFile(new File([AMBIGUOUS], 'a.csv'), { sheetId }).catch((reason) => reason)
    expect(error).toBeInstanceOf(OpenQuestions)
    expect(error.message).toContain('birthday (day-month-order)')
    expect((await wharf.jobs.get(error.jobId)).status).toBe('planning')
    expect((await wharf.cells.counts(sheetId)).counts.total).toBe(0)
  })

  it('reads a column as `decide` chooses', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    await wharf.importFile(new File([AMBIGUOUS], 'a.csv'), {
      sheetId,
      decide: ({ alternatives }) =>
        alternatives.find((reading) => 'orders' in reading && reading.orders?.['/'] === 'mdy'),
    })
    const { records } = await wharf.records.list(sheetId)
    expect(records.map(({ values }) => values.birthday?.value)).toEqual(['1990-01-02', '1991-03-04'])
  })

  it('fails with the reason if the file cannot be read', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    const broken = new File(['PK\u0003\u0004 broken'], 'broken.xlsx')
    const error = await wharf.importFile(broken, { sheetId }).catch((reason) => reason)
    expect(error).toMatchObject({ name: 'JobFailed', job: { status: 'failed', operation: 'extract' } })
    expect(error.message).toMatch(/workbook|Excel|archive/i)
  })

  it('needs the name of a table if the file has several', async () => {
    const wharf = await createClient()
    const { sheetId } = await createSheet(wharf, FIELDS)
    const json = JSON.stringify({ people: [{ email: 'ada@example.com' }], pets: [{ name: 'Rex' }] })
    const file = () => new File([json], 'all.json')
    await expect(wharf.importFile(file(), { sheetId })).rejects.toMatchObject({
      name: 'NotImportable',
      code: 'not-importable',
      message: expect.stringContaining('people, pets'),
    })
    const { counts, fileId } = await wharf.importFile(file(), { sheetId, table: 'people' })
    expect(counts.created).toBe(1)
    const second = await wharf.importFile({ fileId }, { sheetId, table: 'people' })
    expect(second).toMatchObject({ fileId, counts: { created: 1 } })
  })

  it('into an unknown sheet uploads nothing', async () => {
    const wharf = await createClient()
    const sheetId = 'us_sh_01KJM5Z8Q4T7W9XA2BCDEFGH3J'
    await expect(wharf.importFile(new File([CSV], 'a.csv'), { sheetId })).rejects.toBeInstanceOf(NotFound)
  })
})

describe('jobs.wait', () => {
  it('fails with the job when it is canceled', async () => {
    const wharf = await createClient()
    const { id } = await wharf.spaces.create({ name: 'Jobs' })
    const job = await wharf.jobs.create({ type: 'space', operation: 'greet', source: id, trigger: 'immediate' })
    const seen: string[] = []
    const waiting = wharf.jobs.wait(job.id, { onProgress: ({ status }) => seen.push(status) })
    const failure = { name: 'JobFailed', job: { id: job.id, status: 'canceled' } }
    await Promise.all([expect(waiting).rejects.toMatchObject(failure), wharf.jobs.cancel(job.id)])
    expect(seen.at(-1)).toBe('canceled')
  })
})
