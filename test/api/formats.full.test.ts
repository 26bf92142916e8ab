/** Automatic extraction of formats other than CSV. Malicious files fail their job and nothing else. */
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { waitForFileJob } from '../support/activity.ts'
import { createCaller, createTestAccount, pluck, waitUntil } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { HOSTILE } from '../support/hostile-files.ts'
import { uploadFile } from '../support/upload.ts'
import { buildWorkbookByHand, createZip } from '../support/xlsx-by-hand.ts'

beforeAll(() => createFreshSpace({ name: 'Formats' }))

const upload = (name: string, content: string | Uint8Array, into = spaceId) => uploadFile(account, into, name, content)
const jobsOf = async (fileId: string) => await must('GET', `/jobs?fileId=${fileId}`)

type Cells = Record<string, { value: unknown }>

async function getSheets(fileId: string): Promise<{ name: string; metadata?: object; rows: object[] }[]> {
  const { workbookId } = await must('GET', `/files/${fileId}`)
  const { sheets } = await must('GET', `/workbooks/${workbookId}`)
  return Promise.all(
    sheets.map(async ({ id, name, metadata }: { id: string; name: string; metadata?: object }) => {
      const { records } = await must('GET', `/sheets/${id}/records`)
      const rows = records.map(({ values }: { values: Cells }) =>
        Object.fromEntries(Object.entries(values).map(([key, { value }]) => [key, value])),
      )
      return { name, ...(metadata ? { metadata } : {}), rows }
    }),
  )
}

const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`
const header = `<row r="2">${text('A2', 'name')}${text('B2', 'born')}</row>`

describe('a file', () => {
  it('in Excel format becomes a workbook with one sheet per worksheet', async () => {
    const fileId = await upload(
      'team.xlsx',
      buildWorkbookByHand({
        builtIn: [14],
        sheets: [
          { name: 'People', data: `${header}<row r="3">${text('A3', 'Ada')}<c r="B3" s="1"><v>43831</v></c></row>` },
          { name: 'Empty', data: '' },
          { name: 'Lists', state: 'hidden', data: `${header}<row r="3">${text('A3', 'x')}</row>` },
        ],
      }),
    )
    expect(await waitForFileJob(fileId)).toMatchObject({ status: 'completed', info: 'Extracted 2 rows' })
    expect(await getSheets(fileId)).toEqual([
      { name: 'People', metadata: { rowHeaders: [2] }, rows: [{ name: 'Ada', born: '2020-01-01' }] },
      { name: 'Lists', metadata: { rowHeaders: [2], hidden: true }, rows: [{ name: 'x', born: null }] },
    ])
    expect((await must('GET', `/files/${fileId}`)).status).toBe('complete')
  })

  it.each<[string, string | Buffer, { name: string; rows: object[] }[]]>([
    [
      'a.json',
      '{"p":[{"a":{"b":1}}],"q":[{"c":"x"}]}',
      [
        { name: 'p', rows: [{ 'a.b': '1' }] },
        { name: 'q', rows: [{ c: 'x' }] },
      ],
    ],
    [
      'a.jsonl',
      '{"a":1}\n{"b":2}\n',
      [
        {
          name: 'a',
          rows: [
            { a: '1', b: null },
            { a: null, b: '2' },
          ],
        },
      ],
    ],
    [
      'a.xml',
      '<r><i id="1"><a>x</a></i><i id="2"/></r>',
      [
        {
          name: 'a',
          rows: [
            { '@id': '1', a: 'x' },
            { '@id': '2', a: null },
          ],
        },
      ],
    ],
    ['a.txt', 'a\tb\n1\t2\n', [{ name: 'a', rows: [{ a: '1', b: '2' }] }]],
    ['a.csv.gz', gzipSync('a,b\n1,2\n'), [{ name: 'a.csv', rows: [{ a: '1', b: '2' }] }]],
    [
      'a.zip',
      createZip({ 'x.csv': 'a\n1\n', 'y.json': '[{"b":2}]', 'z.pdf': '%PDF' }),
      [
        { name: 'x', rows: [{ a: '1' }] },
        { name: 'y', rows: [{ b: '2' }] },
      ],
    ],
  ])('is extracted automatically if its type is %s', async (name, content, sheets) => {
    const fileId = await upload(name, content)
    const job = await waitForFileJob(fileId)
    expect(job.status, job.info).toBe('completed')
    expect((await getSheets(fileId)).map(({ name, rows }) => ({ name, rows }))).toEqual(sheets)
    if (name === 'a.zip') expect(job.outcome.message).toContain('Skipped: z.pdf.')
  })

  it('with fixed-width columns is extracted as its job declares them', async () => {
    const listeners = { name: 'Mine', settings: { extraction: 'listener' } }
    const own = (await must('POST', '/spaces', listeners)).id
    const fileId = await upload('fixed.txt', 'name city  \nAda  London\n', own)
    const job = (config: object) => ({
      type: 'file',
      operation: 'extract',
      source: fileId,
      trigger: 'immediate',
      config,
    })
    expect((await call('POST', '/jobs', job({ options: { widths: [0] } }))).status).toBe(400)
    expect((await call('POST', '/jobs', job({ options: { widths: [5, 6] } }))).status).toBe(200)
    expect(await waitForFileJob(fileId)).toMatchObject({ status: 'completed' })
    expect((await getSheets(fileId))[0]!.rows).toEqual([{ name: 'Ada', city: 'London' }])
  })

  it('with an unsupported type says so when an extraction is requested', async () => {
    const fileId = await upload('old.pages', 'text')
    await call('POST', '/jobs', { type: 'file', operation: 'extract', source: fileId, trigger: 'immediate' })
    expect(await waitForFileJob(fileId)).toMatchObject({
      status: 'failed',
      info: expect.stringContaining('old.pages: Documents (PAGES) are not supported'),
    })
  })

  it('is left to a deployed agent subscribed to new files, except CSV and where the space overrides it', async () => {
    const other = await createTestAccount()
    const theirs = createCaller(other.secretKey)
    const source = 'module.exports = { routeEvent: async () => {} }'
    const agent = { topics: ['file:created'], compiler: 'js', source }
    const deployed = await theirs('POST', `/agents?environmentId=${other.environmentId}`, agent)
    expect(deployed.status, JSON.stringify(deployed.body)).toBe(200)
    const spaces = await Promise.all(
      [{}, { settings: { extraction: 'platform' } }].map(async (more) => {
        const { body } = await theirs('POST', '/spaces', { name: 'Theirs', ...more })
        return body.data.id as string
      }),
    )
    const files = await Promise.all(
      spaces.flatMap((id) =>
        ['a.json', 'a.csv'].map((name) => uploadFile(other, id, name, name === 'a.csv' ? 'a\n1\n' : '[{"a":1}]')),
      ),
    )
    const countJobs = async (fileId: string) => (await theirs('GET', `/jobs?fileId=${fileId}`)).body.data.length
    await waitUntil(async () => (await Promise.all(files.slice(1).map(countJobs))).every((count) => count === 1), 20)
    expect(await Promise.all(files.map(countJobs))).toEqual([0, 1, 1, 1])
  }, 60_000)

  it('is left to a live listener that handles it, except CSV', async () => {
    const other = await createTestAccount()
    const theirs = createCaller(other.secretKey)
    const space = (await theirs('POST', '/spaces', { name: 'Theirs' })).body.data.id
    expect((await theirs('GET', `/subscription?scope=${other.environmentId}`)).status).toBe(200)
    const [taken, left, csv] = (await Promise.all(
      ['a.json', 'b.json', 'c.csv'].map((name) =>
        uploadFile(other, space, name, name === 'c.csv' ? 'a\n1\n' : '[{"a":1}]'),
      ),
    )) as [string, string, string]
    const job = { type: 'file', operation: 'extract-plugin-json', source: taken, trigger: 'manual' }
    expect((await theirs('POST', '/jobs', job)).status).toBe(200)
    const operations = async (fileId: string): Promise<string[]> =>
      pluck((await theirs('GET', `/jobs?fileId=${fileId}`)).body.data, 'operation')
    await waitUntil(async () => (await operations(csv)).length === 1, 4)
    expect(await operations(left)).toEqual([])
    await waitUntil(async () => (await operations(left)).length === 1, 20)
    expect(await operations(taken)).toEqual(['extract-plugin-json'])
  }, 60_000)

  it('is left to listeners where the space is configured so', async () => {
    const space = { name: 'Mine', settings: { extraction: 'listener' } }
    const own = (await must('POST', '/spaces', space)).id
    const left = await Promise.all(['a.csv', 'a.json'].map((name) => upload(name, '[]', own)))
    await waitForFileJob(await upload('after.csv', 'a\n1\n'))
    for (const fileId of left) expect(await jobsOf(fileId)).toEqual([])
  })
})

describe('a malicious file', () => {
  it.each(HOSTILE.filter(({ name }) => /^(?:bomb|traversal|external|deep|nul|link|many|huge)/.test(name)))(
    '$name fails its job with the reason, and the next job completes',
    async ({ name, bytes, refusal }) => {
      const fileId = await upload(name, bytes())
      const next = await upload('next.csv', 'a,b\n1,2\n')
      const job = await waitForFileJob(fileId)
      expect(job.status).toBe('failed')
      expect(job.info).toMatch(refusal)
      expect(job.info.startsWith(`${name}: `)).toBe(true)
      const file = await must('GET', `/files/${fileId}`)
      expect([file.status, file.workbookId]).toEqual(['failed', undefined])
      expect(await waitForFileJob(next)).toMatchObject({ status: 'completed' })
    },
  )
})
