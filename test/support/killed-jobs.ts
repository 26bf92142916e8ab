/** Runs map, mutate, delete and export concurrently, kills (-9) and restarts the platform, and checks each row. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../examples/airports/client.ts'
import {
  countCommits,
  createClient,
  createSheet,
  jobs,
  readFileRows,
  readSheetRows,
  runJob,
  type Sheet,
  startJob,
  waitForJob,
} from './large-jobs.ts'
import type { Platform } from './platform.ts'

export type FileRow = Readonly<Record<string, string>>

export interface KillScenario {
  platform: Platform
  start(): Promise<Platform>
  spaceId: string
  source: Sheet
  fields: readonly object[]
  rows(): Iterable<FileRow>
}

interface Victim {
  what: string
  startJob(): Promise<string>
  check(jobId: string): Promise<void>
}

interface Running {
  victim: Victim
  jobId: string
}

const FAST_POLL_MS = 20
const ROUNDS = 10

export async function killInTheMiddle(killing: KillScenario): Promise<{ platform: Platform; afterMs: number }> {
  const scenario = { ...killing }
  const client = (): Client => createClient(scenario.platform.local)
  const mapToNewSheet = async (): Promise<Sheet> => {
    const sheet = await createSheet(client(), scenario.spaceId, [...scenario.fields])
    await runJob(client(), jobs.map(scenario.source, sheet))
    return sheet
  }
  const [changed, thinned] = [await mapToNewSheet(), await mapToNewSheet()]
  let victims = createVictims(scenario, client, changed, thinned)
  let afterMs = 0
  for (let attempt = 0; victims.length > 0; attempt++) {
    if (attempt === ROUNDS) throw new Error(`${victims.map(({ what }) => what)} ended before they could be killed`)
    const running = await startUntilRunning(client(), victims)
    await scenario.platform.kill()
    const killedAt = new Date().toISOString()
    scenario.platform = await scenario.start()
    const startedAt = performance.now()
    const alive = new Set<Victim>()
    for (const { victim, jobId } of running) {
      const job = await waitForJob(client(), jobId)
      if (job.finishedAt < killedAt) alive.add(victim)
      else await victim.check(jobId)
    }
    afterMs = performance.now() - startedAt
    victims = victims.filter((victim) => alive.has(victim))
  }
  return { platform: scenario.platform, afterMs }
}

async function startUntilRunning(client: Client, victims: readonly Victim[]): Promise<Running[]> {
  const startVictim = async (victim: Victim): Promise<Running> => ({ victim, jobId: await victim.startJob() })
  const running = await Promise.all(victims.map(startVictim))
  let restarts = 0
  for (;;) {
    const seen = await Promise.all(running.map(({ jobId }) => client.get(`/jobs/${jobId}`)))
    if (seen.every(({ status }) => status === 'executing')) return running
    for (const [i, { status, info }] of seen.entries()) {
      if (status === 'failed') throw new Error(`${running[i]!.victim.what} failed: ${info}`)
      if (status !== 'completed') continue
      const { victim } = running[i]!
      if (restarts++ === ROUNDS) throw new Error(`${victim.what} ends before the others are running`)
      running[i] = await startVictim(victim)
    }
    await sleep(FAST_POLL_MS)
  }
}

function createVictims(scenario: KillScenario, client: () => Client, changed: Sheet, thinned: Sheet): Victim[] {
  return [
    createMutation(scenario, client, changed),
    createMapping(scenario, client),
    createExport(scenario, client),
    createDeletion(scenario, client, thinned),
  ]
}

function createMutation(scenario: KillScenario, client: () => Client, sheet: Sheet): Victim {
  let startedJobs = 0
  return {
    what: 'mutate',
    startJob: () => {
      const source = `record => record.set('phone', '${++startedJobs}:' + record.get('customer_id'))`
      return startJob(client(), jobs.mutate(sheet, source))
    },
    check: async () => {
      await expectSheetMatches(scenario, sheet, ({ customer_id }) => ({
        customer_id,
        phone: `${startedJobs}:${customer_id}`,
      }))
      expectEqual('commits of the changed sheet', await countCommits(client(), sheet), 1 + startedJobs)
    },
  }
}

function createMapping(scenario: KillScenario, client: () => Client): Victim {
  let sheet: Sheet
  return {
    what: 'map',
    startJob: async () => {
      sheet = await createSheet(client(), scenario.spaceId, [...scenario.fields])
      return startJob(client(), jobs.map(scenario.source, sheet))
    },
    check: async () => {
      await expectSheetMatches(scenario, sheet, ({ customer_id, email, company }) => ({ customer_id, email, company }))
      expectEqual('commits of the mapped sheet', await countCommits(client(), sheet), 1)
    },
  }
}

function createExport(scenario: KillScenario, client: () => Client): Victim {
  return {
    what: 'export',
    startJob: () => startJob(client(), jobs.export(scenario.source, 'jsonl')),
    check: async (jobId) => {
      const { result } = await client().get(`/jobs/${jobId}`)
      await compareRows(readFileRows(scenario.platform.local, result.fileId), scenario.rows(), (row) => row)
    },
  }
}

function createDeletion(scenario: KillScenario, client: () => Client, sheet: Sheet): Victim {
  let startedJobs = 0
  const computeBound = (): number => 300 + 20 * startedJobs
  return {
    what: 'delete',
    startJob: () => {
      startedJobs++
      return startJob(client(), jobs.remove(sheet, `quantity lt ${computeBound()}`))
    },
    check: async () => {
      await expectSheetMatches(scenario, sheet, ({ customer_id, quantity }) =>
        Number(quantity) < computeBound() ? undefined : { customer_id },
      )
      expectEqual('commits of the thinned sheet', await countCommits(client(), sheet), 1 + startedJobs)
    },
  }
}

const expectSheetMatches = (
  { platform, rows }: KillScenario,
  sheet: Sheet,
  expected: (row: FileRow) => object | undefined,
) => compareRows(readSheetRows(platform.local, sheet), rows(), expected)

async function compareRows(
  found: AsyncIterable<Record<string, unknown>>,
  file: Iterable<FileRow>,
  expected: (row: FileRow) => object | undefined,
): Promise<void> {
  const wanted = generateExpectedRows(file, expected)
  let count = 0
  for await (const row of found) {
    const next = wanted.next()
    if (next.done) throw new Error(`There are more than the expected ${count} rows`)
    for (const [key, value] of Object.entries(next.value))
      if ((row[key] ?? '') !== value) throw new Error(`Row ${count} has ${key} ${row[key]}, expected ${value}`)
    count++
  }
  if (!wanted.next().done) throw new Error(`There are only ${count} rows`)
}

function* generateExpectedRows(
  file: Iterable<FileRow>,
  expected: (row: FileRow) => object | undefined,
): Generator<object> {
  for (const row of file) {
    const one = expected(row)
    if (one) yield one
  }
}

function expectEqual(what: string, found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`There are ${found} ${what}, expected ${wanted}`)
}
