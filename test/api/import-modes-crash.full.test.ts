/** Kills an import by key (-9) at any request: the next run finishes it with the same counts, and writes nothing twice. */
import { beforeAll, expect, it } from 'vitest'
import { pluck } from '../support/api.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { type KillTiming, runWithKill } from '../support/killed-process.ts'
import { useOwnPlatform } from '../support/own-platform.ts'
import { createUnannouncedJob } from '../support/unannounced-job.ts'

const ROWS = 400

useOwnPlatform()
beforeAll(() => createFreshSpace({ name: 'Crash' }))

const createRows = (count: number, getName: (row: number) => string) =>
  Array.from({ length: count }, (_, row) => ({ code: { value: `${row}` }, name: { value: getName(row) } }))

const COUNTS = {
  ...{ created: ROWS / 2, updated: ROWS / 4, unchanged: ROWS / 4, deleted: 0 },
  ...{ skipped: { emptyKey: 1, noRecord: 0 }, valid: ROWS / 2, invalid: 0 },
}

async function createReadyJob() {
  const fields = [
    { key: 'code', type: 'string' },
    { key: 'name', type: 'string' },
  ]
  const workbook = await must('POST', '/workbooks', {
    spaceId,
    name: 'Import',
    sheets: [
      { name: 'File', slug: 'file', fields },
      { name: 'Contacts', slug: 'contacts', fields },
    ],
  })
  const [source, destination] = pluck(workbook.sheets, 'id')
  const sourceRows = [...createRows(ROWS, (row) => `Name ${row}`), { name: { value: 'nobody' } }]
  await must('POST', `/sheets/${source}/records`, sourceRows)
  const records = createRows(ROWS / 2, (row) => (row < ROWS / 4 ? `Name ${row}` : 'old'))
  await must('POST', `/sheets/${destination}/records`, records)
  const config = { sourceSheetId: source, destinationSheetId: destination, importMode: 'upsert', keyFields: ['code'] }
  const jobId = await createUnannouncedJob(call, { operation: 'map', source: workbook.id, config })
  return { jobId, destination: destination as string }
}

it('a killed import by key is finished by the next run, with exact counts', async () => {
  const { runJob } = await import('../../lib/jobs/run/run-job.ts')
  const { handler: sweep } = await import('../../functions/system/publish-pending.ts')
  const whole = await createReadyJob()
  const { output, requests } = await runWithKill('run-job.ts', [whole.jobId], () => undefined)
  expect(output).toBe('performed')
  const moments: [number, KillTiming][] = [0.2, 0.4, 0.6, 0.7, 0.8, 0.9].map((part, index) => [
    Math.max(1, Math.round(part * requests)),
    index % 2 === 0 ? 'after' : 'before',
  ])
  let kills = 0
  for (const [at, timing] of moments) {
    const because = `killed ${timing} request ${at} of ${requests}`
    const { jobId, destination } = await createReadyJob()
    const death = await runWithKill('run-job.ts', [jobId], (_, number) => (number === at ? timing : undefined))
    kills += Number(death.killed)
    await runJob(jobId, { owner: 'heir', leaseMs: 3000 })
    await sweep({ time: new Date(Date.now() + 3_600_000).toISOString() })
    const { status, info, result } = await must('GET', `/jobs/${jobId}`)
    expect({ status, info, counts: result?.counts }, because).toMatchObject({ status: 'completed', counts: COUNTS })
    const { records } = await must('GET', `/sheets/${destination}/records`)
    const names = records.map(({ values }: { values: { name: { value: string } } }) => values.name.value)
    expect(names, because).toEqual(createRows(ROWS, (row) => `Name ${row}`).map(({ name }) => name.value))
    expect(await must('GET', `/sheets/${destination}/commits`), because).toHaveLength(2)
  }
  // A slow machine renews its lease more often, so the last kill points can lie after the end.
  expect(kills).toBeGreaterThanOrEqual(4)
}, 240_000)
