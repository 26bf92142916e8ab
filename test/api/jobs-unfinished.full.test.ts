/** A job that takes longer than one run: the next run resumes it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { MutationCall } from '../../lib/jobs/mutation/call.ts'
import { createCaller, createDataCaller, createTestAccount } from '../support/api.ts'
import { createUnannouncedJob } from '../support/unannounced-job.ts'

const ROWS = 10_000

it('an unfinished job resumes in further runs: no record is evaluated twice once its result is stored', async () => {
  const { secretKey } = await createTestAccount()
  const call = createCaller(secretKey)
  const must = createDataCaller(() => call)
  const { id: spaceId } = await must('POST', '/spaces', { name: 'Space' })
  const fields = [{ key: 'count', type: 'number' }]
  const sheets = [{ name: 'Many', slug: 'many', fields }]
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'Book', sheets })
  const sheetId: string = workbook.sheets[0].id
  await must(
    'POST',
    `/sheets/${sheetId}/records`,
    Array.from({ length: ROWS }, (_, count) => ({ count })),
  )
  // Slow on the first record of each call: five calls of 1.2 s, four at a time.
  const mutateRecord = `(record) => {
    const until = Date.now() + (globalThis.begun ? 0 : 1200)
    globalThis.begun = true
    while (Date.now() < until);
    return record.set('count', record.get('count') + 1)
  }`
  const config = { sheetId, mutateRecord, snapshotLabel: 'Before' }
  const jobId = await createUnannouncedJob(call, { operation: 'mutate-records', source: workbook.id, config })

  const { runJob } = await import('../../lib/jobs/run/run-job.ts')
  const { listObjects } = await import('../../lib/objects/store.ts')
  const countStoredResults = async () => {
    let count = 0
    for await (const _ of listObjects(`mutations/${jobId}/`)) count++
    return count
  }
  let begun = 0
  const startNextRun = async () => void begun++
  expect(await runJob(jobId, { owner: 'first', deadline: Date.now(), startNextRun })).toBe('unfinished')
  expect(begun).toBe(1)
  expect(await countStoredResults()).toBeGreaterThan(0)
  expect((await must('GET', `/jobs/${jobId}`)).status).toBe('executing')
  const { records: untouched } = await must('GET', `/sheets/${sheetId}/records?pageSize=1`)
  expect(untouched[0].values.count.value).toBe(0)

  expect(await runJob(jobId, { owner: 'second', startNextRun })).toBe('performed')
  const job = await must('GET', `/jobs/${jobId}`)
  expect([job.status, job.result.records]).toEqual(['completed', ROWS])
  expect(await countStoredResults()).toBe(0)
  const { records } = await must('GET', `/sheets/${sheetId}/records?pageSize=${ROWS}&includeMessages=false`)
  const counts = records.map(({ values }: { values: { count: { value: number } } }) => values.count.value)
  expect(counts).toEqual(Array.from({ length: ROWS }, (_, count) => count + 1))
  expect(await must('GET', `/sheets/${sheetId}/commits`)).toHaveLength(2)
  expect(await must('GET', `/snapshots?sheetId=${sheetId}`)).toHaveLength(1)
}, 120_000)

it('a job fails when a further run would make no progress', async () => {
  const { secretKey } = await createTestAccount()
  const call = createCaller(secretKey)
  const space = (await call('POST', '/spaces', { name: 'Space' })).body.data
  const sheets = [{ name: 'Few', slug: 'few', fields: [{ key: 'count', type: 'number' }] }]
  const workbook = (await call('POST', '/workbooks', { spaceId: space.id, name: 'Book', sheets })).body.data
  const sheetId = workbook.sheets[0].id
  await call('POST', `/sheets/${sheetId}/records`, [{ count: 1 }])
  const config = { sheetId, mutateRecord: "record => record.set('count', 2)" }
  const jobId = await createUnannouncedJob(call, { operation: 'mutate-records', source: workbook.id, config })
  const { runJob } = await import('../../lib/jobs/run/run-job.ts')
  const startNextRun = () => Promise.reject(new Error('it was begun'))
  expect(await runJob(jobId, { owner: 'late', deadline: Date.now() - 1000, startNextRun })).toBe('performed')
  const job = (await call('GET', `/jobs/${jobId}`)).body.data
  expect([job.status, job.info]).toEqual(['failed', expect.stringContaining('exceeded the time limit of one run')])
}, 60_000)

it('slow results are cached by program and records, per job', async () => {
  await createTestAccount()
  const { ResultCache } = await import('../../lib/jobs/mutation/result-cache.ts')
  const call: MutationCall = {
    program: '(r) => 1',
    filename: 'f.js',
    idRanges: '[["r",1,1]]',
    columns: [['a', '[1]']],
    milliseconds: 10,
  }
  const asked: MutationCall[] = []
  const evaluateSlowly = async (asking: MutationCall) => {
    asked.push(asking)
    await sleep(1100)
    return { changes: JSON.stringify(asking), read: [] }
  }
  const jobId = `us_jb_kept${Date.now()}`
  const first = await ResultCache.load(jobId)
  await first.getOrEvaluate(call, evaluateSlowly)
  expect(asked).toHaveLength(1)
  const evaluateAgain = async (other: Partial<MutationCall>, job = jobId) => {
    asked.length = 0
    const answer = await (await ResultCache.load(job)).getOrEvaluate({ ...call, ...other }, evaluateSlowly)
    return [asked.length, 'changes' in answer && JSON.parse(answer.changes).program]
  }
  expect(await evaluateAgain({})).toEqual([0, '(r) => 1'])
  expect(await evaluateAgain({ program: '(r) => 2' }), 'another program').toEqual([1, '(r) => 2'])
  expect(await evaluateAgain({ idRanges: '[["r",2,1]]' }), 'another record').toEqual([1, '(r) => 1'])
  expect(await evaluateAgain({ columns: [['a', '[2]']] }), 'another value').toEqual([1, '(r) => 1'])
  expect(await evaluateAgain({ columns: [['b', '[1]']] }), 'another field').toEqual([1, '(r) => 1'])
  expect(await evaluateAgain({}, `${jobId}x`), 'another job').toEqual([1, '(r) => 1'])
  await (await ResultCache.load(jobId)).clear()
  expect(await evaluateAgain({}), 'after the end').toEqual([1, '(r) => 1'])
  await (await ResultCache.load(jobId)).clear()
}, 60_000)
