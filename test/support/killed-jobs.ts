/**
 * Map, mutate, delete and export under way at the same time, the platform killed (-9) in their middle and started again: what
 * each of them must have come to is looked at row by row.
 */
import type { Client } from '../../localstack/demo/client.ts'
import {
  begun,
  clientOf,
  commitsOf,
  completed,
  done,
  fileRows,
  jobs,
  newSheet,
  rowsIn,
  type Sheet,
} from './large-jobs.ts'
import type { Platform } from './platform.ts'

/** A row of the file, by field. */
export type FileRow = Readonly<Record<string, string>>

export interface Killing {
  platform: Platform
  /** Another process on the same data. */
  start(): Promise<Platform>
  spaceId: string
  /** The extracted file: all its cells are texts. */
  source: Sheet
  fields: readonly object[]
  /** The file's rows, anew each time. */
  rows(): Iterable<FileRow>
}

/** One of the operations: begun as often as it ends too soon, and looked at once it was killed. */
interface Victim {
  what: string
  /** The id of a further job of it. */
  begin(): Promise<string>
  /** @throws when a row, a commit or a file is not as it must be after all of them */
  check(jobId: string): Promise<void>
}

interface Running {
  victim: Victim
  jobId: string
}

const FAST_POLL_MS = 20
/** An operation that ends each time before the kill is too quick to be killed: that is no success. */
const ROUNDS = 10

/** The platform that runs at the end, and how long the jobs took once it did, in milliseconds. */
export async function killInTheMiddle(killing: Killing): Promise<{ platform: Platform; afterMs: number }> {
  const world = { ...killing }
  const client = (): Client => clientOf(world.platform.local)
  const mapped = async (): Promise<Sheet> => {
    const sheet = await newSheet(client(), world.spaceId, [...world.fields])
    await done(client(), jobs.map(world.source, sheet))
    return sheet
  }
  const [changed, thinned] = [await mapped(), await mapped()]
  let victims = victimsIn(world, client, changed, thinned)
  let afterMs = 0
  for (let attempt = 0; victims.length > 0; attempt++) {
    if (attempt === ROUNDS) throw new Error(`${victims.map(({ what }) => what)} ended before they could be killed`)
    const running = await inTheMiddle(client(), victims)
    await world.platform.kill()
    const killedAt = new Date().toISOString()
    world.platform = await world.start()
    const began = performance.now()
    const alive = new Set<Victim>()
    for (const { victim, jobId } of running) {
      const job = await completed(client(), jobId)
      if (job.finishedAt < killedAt) alive.add(victim)
      else await victim.check(jobId)
    }
    afterMs = performance.now() - began
    victims = victims.filter((victim) => alive.has(victim))
  }
  return { platform: world.platform, afterMs }
}

/** Begins all of them, again where one ends, until all are at their work at the same time. */
async function inTheMiddle(client: Client, victims: readonly Victim[]): Promise<Running[]> {
  const begin = async (victim: Victim): Promise<Running> => ({ victim, jobId: await victim.begin() })
  const running = await Promise.all(victims.map(begin))
  let again = 0
  for (;;) {
    const seen = await Promise.all(running.map(({ jobId }) => client.get(`/jobs/${jobId}`)))
    if (seen.every(({ status }) => status === 'executing')) return running
    for (const [i, { status, info }] of seen.entries()) {
      if (status === 'failed') throw new Error(`${running[i]!.victim.what} failed: ${info}`)
      if (status !== 'completed') continue
      const { victim } = running[i]!
      if (again++ === ROUNDS) throw new Error(`${victim.what} ends before the others are at work`)
      running[i] = await begin(victim)
    }
    await new Promise((resolve) => setTimeout(resolve, FAST_POLL_MS))
  }
}

function victimsIn(world: Killing, client: () => Client, changed: Sheet, thinned: Sheet): Victim[] {
  return [
    mutation(world, client, changed),
    mapping(world, client),
    exporting(world, client),
    deletion(world, client, thinned),
  ]
}

/** Each mutation leaves a text of its own: what only an earlier one wrote is found. */
function mutation(world: Killing, client: () => Client, sheet: Sheet): Victim {
  let begunSoFar = 0
  return {
    what: 'mutate',
    begin: () => {
      const source = `record => record.set('phone', '${++begunSoFar}:' + record.get('customer_id'))`
      return begun(client(), jobs.mutate(sheet, source))
    },
    check: async () => {
      await alike(world, sheet, ({ customer_id }) => ({ customer_id, phone: `${begunSoFar}:${customer_id}` }))
      equal('commits of the changed sheet', await commitsOf(client(), sheet), 1 + begunSoFar)
    },
  }
}

function mapping(world: Killing, client: () => Client): Victim {
  let sheet: Sheet
  return {
    what: 'map',
    begin: async () => {
      sheet = await newSheet(client(), world.spaceId, [...world.fields])
      return begun(client(), jobs.map(world.source, sheet))
    },
    check: async () => {
      await alike(world, sheet, ({ customer_id, email, company }) => ({ customer_id, email, company }))
      equal('commits of the mapped sheet', await commitsOf(client(), sheet), 1)
    },
  }
}

function exporting(world: Killing, client: () => Client): Victim {
  return {
    what: 'export',
    begin: () => begun(client(), jobs.export(world.source, 'jsonl')),
    check: async (jobId) => {
      const { result } = await client().get(`/jobs/${jobId}`)
      await sameRows(fileRows(world.platform.local, result.fileId), world.rows(), (row) => row)
    },
  }
}

/** Each deletes some more. */
function deletion(world: Killing, client: () => Client, sheet: Sheet): Victim {
  let begunSoFar = 0
  const bound = (): number => 300 + 20 * begunSoFar
  return {
    what: 'delete',
    begin: () => {
      begunSoFar++
      return begun(client(), jobs.remove(sheet, `quantity lt ${bound()}`))
    },
    check: async () => {
      await alike(world, sheet, ({ customer_id, quantity }) =>
        Number(quantity) < bound() ? undefined : { customer_id },
      )
      equal('commits of the thinned sheet', await commitsOf(client(), sheet), 1 + begunSoFar)
    },
  }
}

/** Every record of the sheet is its row of the file, in order; none twice, none missing. */
const alike = ({ platform, rows }: Killing, sheet: Sheet, expected: (row: FileRow) => object | undefined) =>
  sameRows(rowsIn(platform.local, sheet), rows(), expected)

async function sameRows(
  found: AsyncIterable<Record<string, unknown>>,
  file: Iterable<FileRow>,
  expected: (row: FileRow) => object | undefined,
): Promise<void> {
  const wanted = expectedRows(file, expected)
  let count = 0
  for await (const row of found) {
    const next = wanted.next()
    if (next.done) throw new Error(`There are more than the ${count} rows there must be`)
    for (const [key, value] of Object.entries(next.value))
      if ((row[key] ?? '') !== value) throw new Error(`Row ${count} has ${key} ${row[key]}, not ${value}`)
    count++
  }
  if (!wanted.next().done) throw new Error(`Only ${count} rows are there`)
}

function* expectedRows(file: Iterable<FileRow>, expected: (row: FileRow) => object | undefined): Generator<object> {
  for (const row of file) {
    const one = expected(row)
    if (one) yield one
  }
}

function equal(what: string, found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`There are ${found} ${what}, not ${wanted}`)
}
