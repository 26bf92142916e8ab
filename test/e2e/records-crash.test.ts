/** Writers of records killed (-9) at any moment: a write is whole or not there, and what was acknowledged is there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CellInputs, SheetRef } from '../../lib/records/sheet.ts'
import { type RecordWorker, type RecordWorkers, recordWorkers } from '../support/record-workers.ts'
import { type Command, type Done, importedRows, perform, seeded, type Write } from '../support/record-writes.ts'
import { by, newSheetId, type RecordCloud, recordCloud } from '../support/records.ts'
import { PATIENCE, RUNS } from '../support/runs.ts'
import { insertRows, type Model, removeRows, updateRows, wireCounts, wireRecords } from '../unit/records/model.ts'

type Engine = typeof import('../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine
let workers: RecordWorkers

/** Small, so that an import is many segments, some items and some objects, and edits are rewritten into columns. */
const OPTIONS = { segmentRows: 500, blobItemBytes: 8000, editedRows: 10 }
const seed = Date.now() % 1e9
const random = seeded(seed)
const below = (limit: number): number => Math.floor(random() * limit)
const because = `seed ${seed}`

beforeAll(async () => {
  cloud = await recordCloud()
  engine = await import('../../lib/records/index.ts')
  workers = await recordWorkers(2, OPTIONS)
})
afterAll(async () => {
  await workers.close()
  await cloud.close()
})

const sheetOf = (): SheetRef => ({
  sheetId: newSheetId(),
  fields: [
    { key: 'code', type: 'string', constraints: [{ type: 'unique' }] },
    { key: 'left', type: 'string' },
    { key: 'right', type: 'string' },
  ],
})

/** Kills at the request of this number from now on, or of this operation: before it is answered, or once its work is done. */
function killAtRequest(worker: RecordWorker, number: number, when: 'before' | 'after', only?: string): void {
  let left = number
  const strike = (operation: string): boolean => {
    if ((only && operation !== only) || --left > 0) return false
    worker.kill()
    return true
  }
  if (when === 'after') cloud.intercept.after = strike
  else
    cloud.intercept.before = (operation) => {
      if (strike(operation)) throw new Error('killed')
    }
}

function killAfter(worker: RecordWorker, milliseconds: number): void {
  setTimeout(worker.kill, milliseconds)
}

let armed = 0
/** Arms one kill, at some time, request or append; one that would come too late comes at the end of the work. */
function arm(worker: RecordWorker, span: { requests: number; milliseconds: number }): void {
  const how = armed++ % 4
  if (how === 0) killAfter(worker, random() * span.milliseconds)
  else if (how === 3) killAtRequest(worker, 1 + below(span.requests / 4), 'after', 'UpdateItem')
  else killAtRequest(worker, 1 + below(span.requests), how === 1 ? 'before' : 'after')
}

/** Requests of the dead arrive no more. */
async function buried(worker: RecordWorker): Promise<void> {
  worker.kill()
  await worker.dead
  cloud.intercept.before = undefined
  cloud.intercept.after = undefined
}

const commitIds = async (sheet: SheetRef): Promise<string[]> =>
  (await engine.commits(sheet.sheetId, { pageSize: 2000 * RUNS })).map(({ id }) => id).reverse()

describe('an import killed at any moment', () => {
  const ROWS = 20_000
  const KILLS = 26 * RUNS
  const total = { kills: 0, none: 0, all: 0, partial: 0, acknowledged: 0, lost: 0, repeated: 0 }
  let span = { requests: 0, milliseconds: 0 }

  /** A sheet with one record, whose code the import has too: it is in error if and only if the import is there. */
  async function started(): Promise<{ sheet: SheetRef; command: Command; first: string }> {
    const sheet = sheetOf()
    const row = { values: { code: { value: 'code 777' } } }
    const { commitId } = await engine.insert(sheet, [row], by(), engine.newStore(OPTIONS))
    return { sheet, command: { sheet, write: { do: 'import', count: ROWS }, ctx: by() }, first: commitId! }
  }

  beforeAll(async () => {
    const { command } = await started()
    const worker = await workers.take()
    cloud.meter.reset()
    const begin = performance.now()
    await worker.write(command)
    span = { requests: cloud.meter.count(), milliseconds: performance.now() - begin }
    await buried(worker)
  })

  async function rowsSeen(sheet: SheetRef, first: string, commitId?: string): Promise<number> {
    const store = engine.newStore()
    const counts = await engine.counts(sheet, {}, store)
    const { total: listed } = await engine.list(sheet, { includeLength: true, pageSize: 1 }, store)
    const errors = await engine.list(sheet, { filter: 'error', includeLength: true, pageSize: 1 }, store)
    const commits = await commitIds(sheet)
    expect(counts.total, because).toBe(listed)
    expect(counts.error, because).toBe(errors.total)
    expect(counts.error, because).toBe(counts.total > 1 ? 2 : 0)
    expect(commits, because).toEqual([first, ...(counts.total > 1 ? [commitId ?? expect.any(String)] : [])])
    return counts.total - 1
  }

  async function killOne(): Promise<void> {
    const { sheet, command, first } = await started()
    const worker = await workers.take()
    arm(worker, span)
    const done = await worker.write(command)
    await buried(worker)
    const seen = await rowsSeen(sheet, first, done?.commitId)
    total.kills++
    if (done) total.acknowledged++
    if (done && seen === 0) total.lost++
    if (seen === 0) total.none++
    else if (seen === ROWS) total.all++
    else total.partial++
    const again = await perform(engine, command, engine.newStore(OPTIONS))
    if ((await rowsSeen(sheet, first, again.commitId)) !== ROWS) total.repeated++
    if (total.kills === KILLS) await sameValues(sheet)
  }

  async function sameValues(sheet: SheetRef): Promise<void> {
    const wanted: unknown[] = ['code 777']
    for await (const { rows } of importedRows(ROWS)) wanted.push(...rows.map(([code]) => code))
    const codes: unknown[] = []
    for await (const { columns } of engine.scan(sheet, { fields: ['code'] }, engine.newStore()))
      codes.push(...columns.get('code')!)
    expect(codes).toEqual(wanted)
  }

  it(
    'is there with all of its rows or with none, and its next try adds them once',
    async () => {
      while (total.kills < KILLS) await killOne()
      expect(total, because).toMatchObject({ kills: KILLS, partial: 0, lost: 0, repeated: 0 })
      expect(total.none + total.all, because).toBe(KILLS)
    },
    PATIENCE,
  )
})

describe('a writer of a thousand small writes, killed at any moment', () => {
  const WRITES = 1000 * RUNS
  /** In each life of a writer some writes get through: so many lives it takes at least. */
  const LEAST_KILLS = 24 * RUNS
  const LIFE = { requests: 150, milliseconds: 260 }
  const sheet = sheetOf()
  const model: Model = { fields: [...sheet.fields], rows: [] }
  const acknowledged: string[] = []
  const total = { kills: 0, writes: 0, unacknowledged: 0, done: 0, partial: 0, lost: 0 }

  /** Writes 3 cells of 2 records, or adds or removes records: never a write that changes nothing. */
  function nextWrite(number: number): Write {
    const at = below(model.rows.length)
    const two = [model.rows[at], model.rows[(at + 1) % model.rows.length]]
    const text = { value: `write ${number}` }
    if (model.rows.length < 20 || number % 7 === 0) {
      const row = () => ({ values: { code: { value: `code ${below(200)}` }, left: text, right: text } })
      return { do: 'insert', rows: [row(), row(), row()] }
    }
    if (number % 5 === 0) return { do: 'remove', ids: two.map((row) => row!.id) }
    const values: CellInputs =
      number % 3 === 0 ? { code: { value: `code ${below(200)} of ${number}` } } : { left: text }
    return {
      do: 'update',
      updates: [
        { id: two[0]!.id, values: { left: text, right: text } },
        { id: two[1]!.id, values },
      ],
    }
  }

  const idsIn = ({ rows }: Write & { do: 'insert' }, commitId: string): string[] =>
    rows.map((_, i) => `${commitId.replace('us_vr_', 'us_rc_')}_0_${i}`)

  function apply(write: Write, commitId: string): void {
    if (write.do === 'insert') insertRows(model, idsIn(write, commitId), write.rows)
    else if (write.do === 'update') updateRows(model, write.updates)
    else if (write.do === 'remove') removeRows(model, write.ids)
  }

  function acknowledge(write: Write, done: Done): void {
    if (write.do === 'insert') expect(done.ids).toEqual(idsIn(write, done.commitId!))
    apply(write, done.commitId!)
    acknowledged.push(done.commitId!)
    total.writes++
  }

  /** What is there is what was acknowledged, and perhaps the one write that was under way. */
  async function inspect(pending: Command | undefined): Promise<void> {
    const store = engine.newStore()
    const { records } = await engine.read(sheet, {}, store)
    const commits = await commitIds(sheet)
    const lost = acknowledged.filter((id) => !commits.includes(id))
    total.lost += lost.length
    expect(commits.slice(0, acknowledged.length), because).toEqual(acknowledged)
    expect(commits.length - acknowledged.length, because).toBeLessThanOrEqual(pending ? 1 : 0)
    if (commits.length > acknowledged.length) {
      apply(pending!.write, commits.at(-1)!)
      total.done++
    }
    const wanted = wireRecords(model)
    if (JSON.stringify(records) !== JSON.stringify(wanted)) total.partial++
    expect(records, because).toEqual(wanted)
    expect(await engine.counts(sheet, {}, store), because).toEqual(wireCounts(wanted))
    if (pending) await finish(pending, commits.length > acknowledged.length ? commits.at(-1) : undefined)
  }

  /** The same operation by another process. */
  async function finish(pending: Command, commitId: string | undefined): Promise<void> {
    total.unacknowledged++
    const done = await perform(engine, pending, engine.newStore(OPTIONS))
    if (commitId) {
      expect(done.commitId, because).toBe(commitId)
      acknowledged.push(commitId)
      total.writes++
    } else acknowledge(pending.write, done)
    expect(await commitIds(sheet), because).toEqual(acknowledged)
  }

  async function life(): Promise<void> {
    const worker = await workers.take()
    arm(worker, LIFE)
    let pending: Command | undefined
    while (!pending && total.writes < WRITES) {
      const command = { sheet, write: nextWrite(total.writes), ctx: by() }
      const done = await worker.write(command)
      if (done) acknowledge(command.write, done)
      else pending = command
    }
    await buried(worker)
    total.kills++
    await inspect(pending)
  }

  it(
    'leaves every acknowledged write, no write in part, and exact counts',
    async () => {
      while (total.writes < WRITES) await life()
      expect(total, because).toMatchObject({ writes: WRITES, partial: 0, lost: 0 })
      expect(total.kills, because).toBeGreaterThanOrEqual(LEAST_KILLS)
      expect(total.done, because).toBeGreaterThan(0)
      expect(total.unacknowledged, because).toBeGreaterThanOrEqual(total.kills - 1)
    },
    PATIENCE,
  )
})
