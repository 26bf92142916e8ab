/** Kills the operations midway with the platform (-9) and measures until the restarted platform has finished them. */
import { type FileRow, type KillScenario, killInTheMiddle } from '../test/support/killed-jobs.ts'
import { FIELDS, KEYS } from './records-data.ts'
import { parseBatches } from './records-import.ts'
import type { BenchRow } from './row.ts'

const LEASE_MS = 30_000

export function* toFileRows(file: Buffer): Generator<FileRow> {
  for (const rows of parseBatches(file))
    for (const row of rows) yield Object.fromEntries(KEYS.map((key, i) => [key, row[i]!]))
}

type World = Pick<KillScenario, 'platform' | 'start' | 'spaceId' | 'source'> & { rows: number; file: Buffer }

export async function measureKilledJobs(world: World, undisturbedMs: number): Promise<BenchRow> {
  const { start, spaceId, source, rows, file } = world
  const killing = { platform: world.platform, start, spaceId, source, fields: FIELDS, rows: () => toFileRows(file) }
  const { platform, afterMs } = await killInTheMiddle(killing)
  world.platform = platform
  return {
    ...{ what: 'four concurrent jobs, killed: time until all complete', rows, value: afterMs },
    ...{ reference: 'each job uninterrupted, plus the lease', referenceValue: undisturbedMs + LEASE_MS, target: 2 },
  }
}
