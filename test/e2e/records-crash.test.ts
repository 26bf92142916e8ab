/** Kills writers of records (-9) at any moment: a write is complete or absent, and acknowledged writes persist. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CellInputs, SheetRef } from '../../lib/records/sheet.ts'
import { type RecordWorker, type RecordWorkers, startRecordWorkers } from '../support/record-workers.ts'
import {
  type Command,
  createImportRows,
  createRandom,
  type Done,
  performWrite,
  type Write,
} from '../support/record-writes.ts'
import { createWriteContext, newSheetId, type RecordCloud, startRecordCloud } from '../support/records.ts'
import { runs, TIMEOUT_MS } from '../support/runs.ts'
import { insertRows, type Model, removeRows, updateRows, wireCounts, wireRecords } from '../unit/records/model.ts'

type Engine = typeof import('../../lib/records/index.ts')
let cloud: RecordCloud
let engine: Engine
let workers: RecordWorkers

/** Small, so that an import spans many segments, items and objects, and edits are rewritten into columns. */
const OPTIONS = { segmentRows: 500, blobItemBytes: 8000, editedRows: 10 }
const seed = Date.now() % 1e9
const random = createRandom(seed)
const randomBelow = (limit: number): number => Math.floor(random() * limit)
const because = `seed ${seed}`

beforeAll(async () => {
  cloud = await startRecordCloud()
  engine = await import('../../lib/records/index.ts')
  workers = await startRecordWorkers(2, OPTIONS)
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

function killAtRequest(worker: RecordWorker, number: number, when: 'before' | 'after', only?: string): void {
  let left = number
  const killWhenDue = (operation: string): boolean => {
    if ((only && operation !== only) || --left > 0) return false
    worker.kill()
    return true
  }
  if (when === 'after') cloud.intercept.loseResponse = killWhenDue
  else
    cloud.intercept.beforeRequest = (operation) => {
      if (killWhenDue(operation)) throw new Error('killed')
    }
}

function killAfter(worker: RecordWorker, milliseconds: number): void {
  setTimeout(worker.kill, milliseconds)
}

let armed = 0
function arm(worker: RecordWorker, span: { requests: number; milliseconds: number }): void {
  const how = armed++ % 4
  if (how === 0) killAfter(worker, random() * span.milliseconds)
  else if (how === 3) killAtRequest(worker, 1 + randomBelow(span.requests / 4), 'after', 'UpdateItem')
  else killAtRequest(worker, 1 + randomBelow(span.requests), how === 1 ? 'before' : 'after')
}

async function killAndWait(worker: RecordWorker): Promise<void> {
  worker.kill()
  await worker.exited
  cloud.intercept.beforeRequest = undefined
  cloud.intercept.loseResponse = undefined
}

const commitIds = async (sheet: SheetRef): Promise<string[]> =>
  (await engine.listCommits(sheet.sheetId, { pageSize: runs(2000) })).map(({ id }) => id).reverse()

describe('an import killed at any moment', () => {
  const ROWS = 20_000
  const KILLS = runs(26)
  const total = { kills: 0, none: 0, all: 0, partial: 0, acknowledged: 0, lost: 0, repeated: 0 }
  let span = { requests: 0, milliseconds: 0 }

  /** Its code is in the import too, so the record has an error if and only if the import is there. */
  async function started(): Promise<{ sheet: SheetRef; command: Command; first: string }> {
    const sheet = sheetOf()
    const row = { values: { code: { value: 'code 777' } } }
    const { commitId } = await engine.insert(sheet, [row], createWriteContext(), engine.createStore(OPTIONS))
    return {
      sheet,
      command: { sheet, write: { do: 'import', count: ROWS }, ctx: createWriteContext() },
      first: commitId!,
    }
  }

  beforeAll(async () => {
    const { command } = await started()
    const worker = await workers.take()
    cloud.meter.reset()
    const begin = performance.now()
    await worker.write(command)
    span = { requests: cloud.meter.count(), milliseconds: performance.now() - begin }
    await killAndWait(worker)
  })

  async function rowsSeen(sheet: SheetRef, first: string, commitId?: string): Promise<number> {
    const store = engine.createStore()
    const counts = await engine.countRecords(sheet, {}, store)
    const { total: listed } = await engine.listRecords(sheet, { includeLength: true, pageSize: 1 }, store)
    const errors = await engine.listRecords(sheet, { filter: 'error', includeLength: true, pageSize: 1 }, store)
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
    await killAndWait(worker)
    const seen = await rowsSeen(sheet, first, done?.commitId)
    total.kills++
    if (done) total.acknowledged++
    if (done && seen === 0) total.lost++
    if (seen === 0) total.none++
    else if (seen === ROWS) total.all++
    else total.partial++
    const again = await performWrite(engine, command, engine.createStore(OPTIONS))
    if ((await rowsSeen(sheet, first, again.commitId)) !== ROWS) total.repeated++
    if (total.kills === KILLS) await sameValues(sheet)
  }

  async function sameValues(sheet: SheetRef): Promise<void> {
    const wanted: unknown[] = ['code 777']
    for await (const { rows } of createImportRows(ROWS)) wanted.push(...rows.map(([code]) => code))
    const codes: unknown[] = []
    for await (const { columns } of engine.scanRecords(sheet, { fields: ['code'] }, engine.createStore()))
      codes.push(...columns.get('code')!)
    expect(codes).toEqual(wanted)
  }

  it(
    'has all of its rows or none, and its retry adds them once',
    async () => {
      while (total.kills < KILLS) await killOne()
      expect(total, because).toMatchObject({ kills: KILLS, partial: 0, lost: 0, repeated: 0 })
      expect(total.none + total.all, because).toBe(KILLS)
    },
    TIMEOUT_MS,
  )
})

describe('a writer of a thousand small writes, killed at any moment', () => {
  const WRITES = runs(1000)
  const LEAST_KILLS = runs(24)
  const LIFE = { requests: 150, milliseconds: 260 }
  const sheet = sheetOf()
  const model: Model = { fields: [...sheet.fields], rows: [] }
  const acknowledged: string[] = []
  const total = { kills: 0, writes: 0, unacknowledged: 0, done: 0, partial: 0, lost: 0 }

  function nextWrite(number: number): Write {
    const at = randomBelow(model.rows.length)
    const two = [model.rows[at], model.rows[(at + 1) % model.rows.length]]
    const text = { value: `write ${number}` }
    if (model.rows.length < 20 || number % 7 === 0) {
      const row = () => ({ values: { code: { value: `code ${randomBelow(200)}` }, left: text, right: text } })
      return { do: 'insert', rows: [row(), row(), row()] }
    }
    if (number % 5 === 0) return { do: 'remove', ids: two.map((row) => row!.id) }
    const values: CellInputs =
      number % 3 === 0 ? { code: { value: `code ${randomBelow(200)} of ${number}` } } : { left: text }
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

  async function inspect(pending: Command | undefined): Promise<void> {
    const store = engine.createStore()
    const { records } = await engine.readRecords(sheet, {}, store)
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
    expect(await engine.countRecords(sheet, {}, store), because).toEqual(wireCounts(wanted))
    if (pending) await finish(pending, commits.length > acknowledged.length ? commits.at(-1) : undefined)
  }

  async function finish(pending: Command, commitId: string | undefined): Promise<void> {
    total.unacknowledged++
    const done = await performWrite(engine, pending, engine.createStore(OPTIONS))
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
      const command = { sheet, write: nextWrite(total.writes), ctx: createWriteContext() }
      const done = await worker.write(command)
      if (done) acknowledge(command.write, done)
      else pending = command
    }
    await killAndWait(worker)
    total.kills++
    await inspect(pending)
  }

  it(
    'keeps every acknowledged write, no partial write, and exact counts',
    async () => {
      while (total.writes < WRITES) await life()
      expect(total, because).toMatchObject({ writes: WRITES, partial: 0, lost: 0 })
      expect(total.kills, because).toBeGreaterThanOrEqual(LEAST_KILLS)
      expect(total.done, because).toBeGreaterThan(0)
      expect(total.unacknowledged, because).toBeGreaterThanOrEqual(total.kills - 1)
    },
    TIMEOUT_MS,
  )
})
