/** Kills an import by a recipe (-9) at any request: its duplicates are merged once. */
import { beforeAll, expect, it } from 'vitest'
import { pluck } from '../support/api.ts'
import { createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { runWithKill } from '../support/killed-process.ts'
import { buildMappingJob, createSheets, executeJob } from '../support/mapping-jobs.ts'
import { useOwnPlatform } from '../support/own-platform.ts'

const ROWS = 200

useOwnPlatform()
beforeAll(() => createFreshSpace({ name: 'Crash' }))

const CONTACTS = ['name', 'city'].map((key) => ({ key, type: 'string' }))
const COLUMNS = ['Name', 'Ort'].map((key) => ({ key, type: 'string' }))
const RULES = ['name', 'city'].map((key, index) => ({
  name: key,
  type: 'assign',
  config: { sourceField: COLUMNS[index]!.key, destinationField: key },
}))

const createFile = (rows: string[][]) => createSheets({ fields: COLUMNS, destination: CONTACTS, rows, in: spaceId })

async function makeRecipe(): Promise<string> {
  const sheets = await createFile([['Ada', 'Wien']])
  const { id } = await must('POST', '/jobs', buildMappingJob(sheets, { mappingRules: RULES }))
  await executeJob(id)
  const { program } = await must('POST', `/jobs/${id}/recipe`, { name: 'Merging' })
  await must('PATCH', `/mapping/${program.id}`, { merges: [{ fields: ['name'], method: 'fingerprint', radius: 2 }] })
  return program.id
}

async function createReadyJob(recipeId: string) {
  const sheets = await createFile(Array.from({ length: ROWS }, (_, row) => [`Ada ${row}`, 'Graz']))
  const existing = Array.from({ length: ROWS / 2 }, (_, row) => ({ name: `ada ${row}`, city: 'Wien' }))
  await must('POST', `/sheets/${sheets.destination}/records`, existing)
  const { id } = await must('POST', '/jobs', buildMappingJob(sheets, { recipeId }))
  const { Jobs } = await import('../../lib/entities/jobs.ts')
  const { begin } = await import('../../lib/tx.ts')
  const before = (await Jobs.get(id))!
  const tx = begin({ accountId: before.accountId, actorId: before.createdBy })
  tx.write(Jobs.replace(before, { ...before, status: 'ready' }))
  await tx.commit()
  return { jobId: id as string, destination: sheets.destination }
}

it('merges once, whenever it is killed', async () => {
  const { runJob } = await import('../../lib/jobs/run/run-job.ts')
  const recipeId = await makeRecipe()
  const whole = await createReadyJob(recipeId)
  const { output, requests } = await runWithKill('run-job.ts', [whole.jobId], () => undefined)
  expect(output).toBe('performed')
  let kills = 0
  for (const [index, part] of [0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95].entries()) {
    const at = Math.max(1, Math.round(part * requests))
    const timing = index % 2 === 0 ? 'after' : 'before'
    const because = `killed ${timing} request ${at} of ${requests}`
    const { jobId, destination } = await createReadyJob(recipeId)
    const death = await runWithKill('run-job.ts', [jobId], (_, number) => (number === at ? timing : undefined))
    kills += Number(death.killed)
    await runJob(jobId, { owner: 'heir', leaseMs: 600 })
    const { status, result } = await must('GET', `/jobs/${jobId}`)
    expect(status, because).toBe('completed')
    expect(result.merges, because).toMatchObject([{ deleted: ROWS / 2, commitId: expect.any(String) }])
    const commits = pluck(await must('GET', `/sheets/${destination}/commits`), 'id')
    expect(commits, because).toHaveLength(3)
    const { counts } = await must('GET', `/sheets/${destination}/counts`)
    expect(counts.total, because).toBe(ROWS)
  }
  expect(kills).toBeGreaterThanOrEqual(6)
}, 240_000)
