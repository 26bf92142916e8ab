/** The operations killed (-9) with the platform in their middle, and finished by what is started next. */
import { type FileRow, type Killing, killInTheMiddle } from '../support/killed-jobs.ts'
import { FIELDS, KEYS } from './records-data.ts'
import { parsed } from './records-import.ts'
import type { BenchRow } from './row.ts'

/** How long a run that died counts as alive (lib/jobs/lease.ts). */
const LEASE_MS = 30_000

/** All rows of a file of the benches, by field. */
export function* rowsOf(file: Buffer): Generator<FileRow> {
  for (const rows of parsed(file))
    for (const row of rows) yield Object.fromEntries(KEYS.map((key, i) => [key, row[i]!]))
}

type World = Pick<Killing, 'platform' | 'start' | 'spaceId' | 'source'> & { rows: number; file: Buffer }

/** @param alone what each takes undisturbed, together; milliseconds */
export async function killedRow(world: World, alone: number): Promise<BenchRow> {
  const { start, spaceId, source, rows, file } = world
  const killing = { platform: world.platform, start, spaceId, source, fields: FIELDS, rows: () => rowsOf(file) }
  const { platform, afterMs } = await killInTheMiddle(killing)
  world.platform = platform
  return {
    ...{ what: 'map, mutate, export and delete at once, killed: until the last has ended', rows, value: afterMs },
    ...{ reference: 'each undisturbed, and the lease', referenceValue: alone + LEASE_MS, reach: 2 },
  }
}
