/** Kills operations that change many records at any point: another run finishes them, and every record counts once. */
import { beforeAll, describe, expect, it } from 'vitest'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import {
  type KillPoint,
  type KillRequest,
  killAtPoints,
  type ProcessResult,
  runWithKill,
} from '../support/killed-process.ts'
import { createUnannouncedJob } from '../support/unannounced-job.ts'

const ROWS = 12_000
const PAGE = 10_000

beforeAll(() => createFreshSpace())

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

const run = (jobId: string, kill?: KillRequest) =>
  runWithKill('run-job.ts', [jobId], (_, number) => (number === kill?.at ? kill.timing : undefined))

const finished = async (jobId: string, { killed }: ProcessResult) => {
  for (let attempt = 1; ; attempt++) {
    const job = await must('GET', `/jobs/${jobId}`)
    if (!killed || job.status === 'completed') return job
    // A late heartbeat of the killed run can make it look alive once more.
    expect(attempt).toBeLessThan(4)
    await run(jobId)
  }
}

const POINTS: readonly KillPoint[] = [
  { share: 0.3, timing: 'after' },
  { share: 0.6, timing: 'before' },
  { share: 0.85, timing: 'after' },
]

describe('a job run that is killed', () => {
  it('while a function changes records is finished by the next: each record is changed once', async () => {
    const { workbookId, sheetId } = await newSheet()
    const config = { sheetId, mutateRecord: "(record) => record.set('count', record.get('count') + 1)" }
    const mutation = { operation: 'mutate-records', source: workbookId, config: { ...config, snapshotLabel: 'Before' } }
    const first = await createUnannouncedJob(call, mutation)
    const { requests, output } = await run(first)
    expect(output).toBe('performed')
    let changed = 1
    await killAtPoints(POINTS, requests, async (kill) => {
      const commits = await commitsOf(sheetId)
      const id = await createUnannouncedJob(call, mutation)
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
    const newReplaceJob = (find: string, replace: string) =>
      createUnannouncedJob(call, {
        operation: 'find-replace',
        source: workbookId,
        config: { sheetId, fieldKey: 'name', find, replace },
      })
    const { requests } = await run(await newReplaceJob('n', 'aa'))
    let length = 2
    await killAtPoints(POINTS, requests, async (kill) => {
      const commits = await commitsOf(sheetId)
      const growing = await newReplaceJob('a'.repeat(length), 'a'.repeat(length + 1))
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
    const newDeleteJob = (low: number, high: number) =>
      createUnannouncedJob(call, {
        operation: 'delete-records',
        source: workbookId,
        config: { sheet: sheetId, q: `count gte ${low} and count lt ${high}` },
      })
    const { requests } = await run(await newDeleteJob(0, 1000))
    let left = 1000
    await killAtPoints(POINTS, requests, async (kill) => {
      const commits = await commitsOf(sheetId)
      const id = await newDeleteJob(left, left + 2000)
      const death = await run(id, kill)
      const job = await finished(id, death)
      expect([job.status, job.result.records]).toEqual(['completed', 2000])
      left += 2000
      expect(await commitsOf(sheetId)).toBe(commits + 1)
      expect(await countsOf(sheetId)).toEqual(Array.from({ length: ROWS - left }, (_, i) => left + i))
      return death
    })
  }, 200_000)

  it('after it was canceled is not resumed', async () => {
    const { workbookId, sheetId } = await newSheet()
    const config = { sheetId, mutateRecord: "(record) => record.set('count', -1)" }
    const id = await createUnannouncedJob(call, { operation: 'mutate-records', source: workbookId, config })
    expect((await run(id, { at: 12, timing: 'before' })).killed).toBe(true)
    await must('POST', `/jobs/${id}/cancel`)
    expect((await run(id)).output).toBe('left')
    expect((await countsOf(sheetId)).every((count, i) => count === i)).toBe(true)
  }, 120_000)
})
