/** Operations that change many records, killed at any point: another run finishes them, and every record counts once. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, mustOf } from '../support/api.ts'
import { type Death, dyingProcess, type Kill, killedAt, type Point } from '../support/dying-process.ts'
import { quietJob } from '../support/quiet-job.ts'

const ROWS = 12_000
const PAGE = 10_000

let call: ReturnType<typeof callerOf>
let spaceId: string

beforeAll(async () => {
  call = callerOf((await mintAccount()).secretKey)
  spaceId = (await must('POST', '/spaces', { name: 'Space' })).id
})

const must = mustOf(() => call)

async function newSheet(): Promise<{ workbookId: string; sheetId: string }> {
  const fields = [
    { key: 'name', type: 'string' },
    { key: 'count', type: 'number' },
  ]
  const sheets = [{ name: 'Many', slug: 'many', fields }]
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'Book', sheets })
  const sheetId = workbook.sheets[0].id
  for (let first = 0; first < ROWS; first += PAGE) {
    const length = Math.min(PAGE, ROWS - first)
    const rows = Array.from({ length }, (_, i) => ({ name: `n${first + i}`, count: first + i }))
    await must('POST', `/sheets/${sheetId}/records`, rows)
  }
  return { workbookId: workbook.id, sheetId }
}

async function countsOf(sheetId: string): Promise<number[]> {
  const counts: number[] = []
  for (let page = 1; counts.length === (page - 1) * PAGE; page++) {
    const path = `/sheets/${sheetId}/records?pageSize=${PAGE}&pageNumber=${page}&includeMessages=false`
    const { records } = await must('GET', path)
    counts.push(...records.map(({ values }: { values: { count: { value: number } } }) => values.count.value))
  }
  return counts
}
const commitsOf = async (sheetId: string): Promise<number> => (await must('GET', `/sheets/${sheetId}/commits`)).length

const run = (jobId: string, kill?: Kill) =>
  dyingProcess('run-job.ts', [jobId], (_, number) => (number === kill?.at ? kill.verdict : undefined))

/** The next run takes up what a killed one left. After a slow first run the job's end may already lie before the kill. */
const finished = async (jobId: string, { killed }: Death) => {
  for (let attempt = 1; ; attempt++) {
    const job = await must('GET', `/jobs/${jobId}`)
    if (!killed || job.status === 'completed') return job
    // The last words of the dead may arrive after it: then it looks alive once more.
    expect(attempt).toBeLessThan(4)
    await run(jobId)
  }
}

/** In its beginning, its work and its end. */
const POINTS: readonly Point[] = [
  { part: 0.3, verdict: 'after' },
  { part: 0.6, verdict: 'before' },
  { part: 0.85, verdict: 'after' },
]

describe('a run that is killed', () => {
  it('while a function changes records is finished by the next: each is changed once', async () => {
    const { workbookId, sheetId } = await newSheet()
    const config = { sheetId, mutateRecord: "(record) => record.set('count', record.get('count') + 1)" }
    const mutation = { operation: 'mutate-records', source: workbookId, config: { ...config, snapshotLabel: 'Before' } }
    const first = await quietJob(call, mutation)
    const { requests, output } = await run(first)
    expect(output).toBe('performed')
    let changed = 1
    await killedAt(POINTS, requests, async (kill) => {
      const commits = await commitsOf(sheetId)
      const id = await quietJob(call, mutation)
      const death = await run(id, kill)
      const job = await finished(id, death)
      expect([job.status, job.result.records]).toEqual(['completed', ROWS])
      changed++
      expect(await commitsOf(sheetId), 'one commit').toBe(commits + 1)
      expect(await must('GET', `/snapshots?sheetId=${sheetId}`), 'one snapshot').toHaveLength(changed)
      const counts = await countsOf(sheetId)
      expect(counts.length).toBe(ROWS)
      expect(counts.findIndex((count, i) => count !== i + changed)).toBe(-1)
      return death
    })
  }, 300_000)

  it('while values are replaced is finished by the next', async () => {
    const { workbookId, sheetId } = await newSheet()
    const replacement = (find: string, replace: string) =>
      quietJob(call, {
        operation: 'find-replace',
        source: workbookId,
        config: { sheetId, fieldKey: 'name', find, replace },
      })
    const { requests } = await run(await replacement('n', 'aa'))
    let length = 2
    await killedAt(POINTS, requests, async (kill) => {
      const commits = await commitsOf(sheetId)
      // Done twice it would be longer.
      const growing = await replacement('a'.repeat(length), 'a'.repeat(length + 1))
      const death = await run(growing, kill)
      const job = await finished(growing, death)
      expect([job.status, job.result.records]).toEqual(['completed', ROWS])
      length++
      expect(await commitsOf(sheetId)).toBe(commits + 1)
      const { records } = await must('GET', `/sheets/${sheetId}/records?pageSize=1`)
      expect(records[0].values.name.value).toBe(`${'a'.repeat(length)}0`)
      return death
    })
  }, 200_000)

  it('while records are deleted is finished by the next', async () => {
    const { workbookId, sheetId } = await newSheet()
    const deletion = (low: number, high: number) =>
      quietJob(call, {
        operation: 'delete-records',
        source: workbookId,
        config: { sheet: sheetId, q: `count gte ${low} and count lt ${high}` },
      })
    const { requests } = await run(await deletion(0, 1000))
    let left = 1000
    await killedAt(POINTS, requests, async (kill) => {
      const commits = await commitsOf(sheetId)
      const id = await deletion(left, left + 2000)
      const death = await run(id, kill)
      const job = await finished(id, death)
      expect([job.status, job.result.records]).toEqual(['completed', 2000])
      left += 2000
      expect(await commitsOf(sheetId)).toBe(commits + 1)
      expect(await countsOf(sheetId)).toEqual(Array.from({ length: ROWS - left }, (_, i) => left + i))
      return death
    })
  }, 200_000)

  it('after it was canceled is not taken up again', async () => {
    const { workbookId, sheetId } = await newSheet()
    const config = { sheetId, mutateRecord: "(record) => record.set('count', -1)" }
    const id = await quietJob(call, { operation: 'mutate-records', source: workbookId, config })
    expect((await run(id, { at: 12, verdict: 'before' })).killed).toBe(true)
    await must('POST', `/jobs/${id}/cancel`)
    expect((await run(id)).output).toBe('left')
    expect((await countsOf(sheetId)).every((count, i) => count === i)).toBe(true)
  }, 120_000)
})
