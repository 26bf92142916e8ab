/** Kills a mapping (-9) at any request: it is taken over, and writes, completes and is learned once. */
import { beforeAll, expect, it } from 'vitest'
import { pluck } from '../support/api.ts'
import { account, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { type KillTiming, runWithKill } from '../support/killed-process.ts'
import { useOwnPlatform } from '../support/own-platform.ts'

const ROWS = 400

useOwnPlatform()
beforeAll(() => createFreshSpace({ name: 'Crash' }))

async function readyJob() {
  const text = (key: string) => ({ key, type: 'string' })
  const workbook = await must('POST', '/workbooks', {
    spaceId,
    name: 'Import',
    sheets: [
      { name: 'File', slug: 'file', fields: [text('Vorname'), text('Konto')] },
      {
        name: 'Contacts',
        slug: 'contacts',
        fields: [text('first_name'), { key: 'code', type: 'string', constraints: [{ type: 'unique' }] }],
      },
    ],
  })
  const [source, destination] = pluck(workbook.sheets, 'id')
  const rows = Array.from({ length: ROWS }, (_, row) => ({
    Vorname: { value: `Ada ${row}` },
    Konto: { value: `${row}` },
  }))
  await must('POST', `/sheets/${source}/records`, rows)
  const config = { sourceSheetId: source, destinationSheetId: destination }
  const job = await must('POST', '/jobs', { type: 'workbook', operation: 'map', source: workbook.id, config })
  const { programId } = (await must('GET', `/jobs/${job.id}/plan`)).plan
  await must('POST', `/mapping/${programId}/rules`, [
    {
      name: 'Code',
      type: 'interpolate',
      config: { sourceFields: ['Konto'], destinationField: 'code', template: 'K-{0}' },
    },
  ])
  const { Jobs } = await import('../../lib/entities/jobs.ts')
  const { begin } = await import('../../lib/tx.ts')
  const before = (await Jobs.get(job.id))!
  const tx = begin({ accountId: before.accountId, actorId: before.createdBy })
  tx.write(Jobs.replace(before, { ...before, status: 'ready' }))
  await tx.commit()
  return { jobId: job.id as string, destination: destination as string, programId: programId as string }
}

const eventsOf = async (topic: string, context: Record<string, string>) =>
  (await must('GET', `/events?topic=${topic}&pageSize=1000&includeAcknowledged=true`)).filter(
    (event: { context: Record<string, string> }) =>
      Object.entries(context).every(([key, value]) => event.context[key] === value),
  )

async function countAccepted(): Promise<number> {
  const { MappingMemories } = await import('../../lib/entities/mapping-memories.ts')
  const [memory] = await MappingMemories.ofSheets(account.accountId, 'contacts')
  return memory?.edges.find(({ field }) => field === 'first_name')?.count ?? 0
}

it('a killed mapping is finished by the next run, once', async () => {
  const { runJob } = await import('../../lib/jobs/run/run-job.ts')
  const whole = await readyJob()
  const { output, requests } = await runWithKill('run-job.ts', [whole.jobId], () => undefined)
  expect(output).toBe('performed')
  expect(await countAccepted()).toBe(1)
  const places: [number, KillTiming][] = [0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9].map((part, index) => [
    Math.max(1, Math.round(part * requests)),
    index % 2 === 0 ? 'after' : 'before',
  ])
  let kills = 0
  const { handler: sweep } = await import('../../functions/system/publish-pending.ts')
  for (const [index, [at, verdict]] of places.entries()) {
    const because = `killed ${verdict} request ${at} of ${requests}`
    const { jobId, destination, programId } = await readyJob()
    const death = await runWithKill('run-job.ts', [jobId], (_, number) => (number === at ? verdict : undefined))
    kills += Number(death.killed)
    await runJob(jobId, { owner: 'heir', leaseMs: 600 })
    await sweep({ time: new Date(Date.now() + 3_600_000).toISOString() })
    expect(await must('GET', `/jobs/${jobId}`), because).toMatchObject({
      status: 'completed',
      info: `Mapped ${ROWS} records`,
    })
    const page = await must('GET', `/sheets/${destination}/records?includeCounts=true&pageSize=1000`)
    expect(page.counts, because).toMatchObject({ total: ROWS, error: 0 })
    expect(page.records[ROWS - 1].values.code.value, because).toBe(`K-${ROWS - 1}`)
    expect(await eventsOf('commit:created', { sheetId: destination }), because).toHaveLength(1)
    expect(await eventsOf('job:completed', { jobId }), because).toHaveLength(1)
    expect((await must('GET', `/mapping/${programId}`)).acceptedAt, because).toBeDefined()
    expect(await countAccepted(), because).toBe(index + 2)
  }
  // A slow machine renews its lease more often, so the last kill points can lie after the end.
  expect(kills).toBeGreaterThanOrEqual(5)
}, 240_000)
