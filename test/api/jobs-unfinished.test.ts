/** A job that takes longer than a run may: the next run goes on where the last one had to stop. */
import { expect, it } from 'vitest'
import type { Call } from '../../lib/jobs/mutation/call.ts'
import { callerOf, mintAccount, mustOf } from '../support/api.ts'
import { quietJob } from '../support/quiet-job.ts'

const ROWS = 10_000

it('is gone on with in further runs: no record is asked for twice once it was answered for', async () => {
  const { secretKey } = await mintAccount()
  const call = callerOf(secretKey)
  const must = mustOf(() => call)
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
  // Slow with the first record of each call: five calls of 1.2 s, four at once.
  const mutateRecord = `(record) => {
    const until = Date.now() + (globalThis.begun ? 0 : 1200)
    globalThis.begun = true
    while (Date.now() < until);
    return record.set('count', record.get('count') + 1)
  }`
  const config = { sheetId, mutateRecord, snapshotLabel: 'Before' }
  const jobId = await quietJob(call, { operation: 'mutate-records', source: workbook.id, config })

  const { runJob } = await import('../../lib/jobs/run.ts')
  const { listObjects } = await import('../../lib/objects/store.ts')
  const kept = async () => {
    let count = 0
    for await (const _ of listObjects(`mutations/${jobId}/`)) count++
    return count
  }
  let begun = 0
  const goOn = async () => void begun++
  // Its time is up before the first call is answered for.
  expect(await runJob(jobId, { owner: 'first', deadline: Date.now(), goOn })).toBe('unfinished')
  expect(begun).toBe(1)
  expect(await kept()).toBeGreaterThan(0)
  expect((await must('GET', `/jobs/${jobId}`)).status).toBe('executing')
  const { records: untouched } = await must('GET', `/sheets/${sheetId}/records?pageSize=1`)
  expect(untouched[0].values.count.value).toBe(0)

  expect(await runJob(jobId, { owner: 'second', goOn })).toBe('performed')
  const job = await must('GET', `/jobs/${jobId}`)
  expect([job.status, job.result.records]).toEqual(['completed', ROWS])
  expect(await kept()).toBe(0)
  const { records } = await must('GET', `/sheets/${sheetId}/records?pageSize=${ROWS}&includeMessages=false`)
  const counts = records.map(({ values }: { values: { count: { value: number } } }) => values.count.value)
  expect(counts).toEqual(Array.from({ length: ROWS }, (_, count) => count + 1))
  expect(await must('GET', `/sheets/${sheetId}/commits`)).toHaveLength(2)
  expect(await must('GET', `/snapshots?sheetId=${sheetId}`)).toHaveLength(1)
}, 120_000)

it('fails where a further run would come no further', async () => {
  const { secretKey } = await mintAccount()
  const call = callerOf(secretKey)
  const space = (await call('POST', '/spaces', { name: 'Space' })).body.data
  const sheets = [{ name: 'Few', slug: 'few', fields: [{ key: 'count', type: 'number' }] }]
  const workbook = (await call('POST', '/workbooks', { spaceId: space.id, name: 'Book', sheets })).body.data
  const sheetId = workbook.sheets[0].id
  await call('POST', `/sheets/${sheetId}/records`, [{ count: 1 }])
  const config = { sheetId, mutateRecord: "record => record.set('count', 2)" }
  const jobId = await quietJob(call, { operation: 'mutate-records', source: workbook.id, config })
  const { runJob } = await import('../../lib/jobs/run.ts')
  const goOn = () => Promise.reject(new Error('it was begun'))
  expect(await runJob(jobId, { owner: 'late', deadline: Date.now() - 1000, goOn })).toBe('performed')
  const job = (await call('GET', `/jobs/${jobId}`)).body.data
  expect([job.status, job.info]).toEqual(['failed', expect.stringContaining('longer than one run may take')])
}, 60_000)

it('stores slow answers by program and records, for the job alone', async () => {
  await mintAccount()
  const { KeptAnswers } = await import('../../lib/jobs/mutation/kept.ts')
  const call: Call = {
    program: '(r) => 1',
    filename: 'f.js',
    ids: '["r1"]',
    columns: [['a', '[1]']],
    milliseconds: 10,
  }
  const asked: Call[] = []
  const slow = async (asking: Call) => {
    asked.push(asking)
    await new Promise((resolve) => setTimeout(resolve, 1100))
    return { changes: JSON.stringify(asking) }
  }
  const jobId = `us_jb_kept${Date.now()}`
  const first = await KeptAnswers.of(jobId)
  await first.answerTo(call, slow)
  expect(asked).toHaveLength(1)
  const again = async (other: Partial<Call>, job = jobId) => {
    asked.length = 0
    const answer = await (await KeptAnswers.of(job)).answerTo({ ...call, ...other }, slow)
    return [asked.length, 'changes' in answer && JSON.parse(answer.changes).program]
  }
  expect(await again({})).toEqual([0, '(r) => 1'])
  expect(await again({ program: '(r) => 2' }), 'another program').toEqual([1, '(r) => 2'])
  expect(await again({ ids: '["r2"]' }), 'another record').toEqual([1, '(r) => 1'])
  expect(await again({ columns: [['a', '[2]']] }), 'another value').toEqual([1, '(r) => 1'])
  expect(await again({ columns: [['b', '[1]']] }), 'another field').toEqual([1, '(r) => 1'])
  expect(await again({}, `${jobId}x`), 'another job').toEqual([1, '(r) => 1'])
  await (await KeptAnswers.of(jobId)).forget()
  expect(await again({}), 'after the end').toEqual([1, '(r) => 1'])
  await (await KeptAnswers.of(jobId)).forget()
}, 60_000)
