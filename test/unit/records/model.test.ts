/**
 * Any history of writes, by workers that know more or less of it and partly at the same time, with restarts, compactions
 * and broken requests in between: records, counts, history and versions are what the model says.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, it } from 'vitest'
import { type RecordCloud, recordCloud } from '../../support/records.ts'
import { withoutNetwork } from '../../support/records-direct.ts'
import { RUNS } from '../../support/runs.ts'
import { checkAll } from './model-check.ts'
import { type History, history } from './model-steps.ts'
import { type Engine, newWorld, perform, type Trouble } from './model-world.ts'

/** `MODEL_RUNS` times as many histories; `MODEL_SEED` makes them the same ones again. */
const HISTORIES = 500 * RUNS
const SEED = Number(process.env.MODEL_SEED ?? 22)
/** Commits looked at in each history. */
const DEPTH = 3

let cloud: RecordCloud
let engine: Engine
let trouble: Trouble
let database: { close(): Promise<void> }

beforeAll(async () => {
  // A request that breaks is told at once: the client's pauses before it tries again would be most of the time.
  process.env.AWS_MAX_ATTEMPTS = '1'
  cloud = await recordCloud()
  engine = await import('../../../lib/records/index.ts')
  trouble = { intercept: cloud.intercept, sendsAgain: false }
  database = await withoutNetwork(cloud, trouble)
})
afterAll(async () => {
  delete process.env.AWS_MAX_ATTEMPTS
  await database.close()
  await cloud.close()
})

/** Counts of an older version are not settled when it is compared with another: that once answered the newest instead. */
const UNSETTLED: History = {
  options: { segmentRows: 7, mergeSegments: 3, mergeRows: 6, mergeRuns: 3, compactEdits: 3, editedRows: 4 },
  isLinked: false,
  steps: [
    { do: 'write', truncate: true, rows: Array.from({ length: 5 }, () => ({ values: {} })), edits: [], deletes: [] },
    {
      do: 'race',
      edits: [{ row: 0, key: 'kind' }],
      bulk: [427, 144, 0, 741, 318],
      insert: [{ values: {} }],
      remove: undefined,
      other: 'v0',
    },
  ],
}

/** Shorter histories that fail are looked for this long: one found is shrunk no further then. */
const SHRINKING_MS = 60_000
let failedAt = Number.POSITIVE_INFINITY

async function holds(one: History): Promise<void> {
  if (Date.now() - failedAt > SHRINKING_MS) return
  const world = newWorld(engine, trouble, one)
  try {
    for (const step of one.steps) await perform(world, step)
    await checkAll(world, DEPTH)
  } catch (error) {
    failedAt = Math.min(failedAt, Date.now())
    throw error
  }
}

it(`holds for ${HISTORIES} histories from seed ${SEED}`, async () => {
  await fc.assert(fc.asyncProperty(history, holds), { numRuns: HISTORIES, seed: SEED, examples: [[UNSETTLED]] })
}, 7_200_000)
