/** Plays a random history with several workers and faults, on a sheet and on the naive model. */
import { expect } from 'vitest'
import type { Store, StoreOptions } from '../../../lib/records/log/store.ts'
import type { CellInputs, RecordInput, RecordUpdate, Selection, SheetRef } from '../../../lib/records/sheet.ts'
import { collect, createWriteContext as context, type Intercept, newSheetId } from '../../support/records.ts'
import {
  copyModel,
  forgetMessages,
  insertRows,
  type Model,
  type ModelRow,
  removeRows,
  updateRows,
  wireCounts,
  wireRecords,
} from './model.ts'
import { replaceValue } from './model-replace.ts'
import {
  type Clash,
  type Edit,
  type Fault,
  FIRST_SHEET,
  getSheetFields,
  type History,
  type Race,
  type SelectionStep,
  type Step,
  type WriteStep,
} from './model-steps.ts'
import { computeEffect, type Effect, isEmptyEffect, restoreRows } from './model-versions.ts'
import { selectNaively } from './naive.ts'

export type Engine = typeof import('../../../lib/records/index.ts')

export interface FaultControls {
  intercept: Intercept
  sendsAgain: boolean
}

export interface Commit {
  id: string
  effect: Effect
  model: Model
  by: 'one' | 'restore' | 'several'
}

export interface World {
  engine: Engine
  trouble: FaultControls
  options: Partial<StoreOptions>
  isLinked: boolean
  model: Model
  sheet: SheetRef
  first: Model
  commits: Commit[]
  other: { sheet: SheetRef; rows: { id: string; value: unknown }[] }
  stores: Store[]
  turn: number
  fresh: number
}

const WORKERS = 3
const parseSeq = (commitId: string): number => Number(commitId.slice(commitId.lastIndexOf('_') + 1))

export function createWorld(engine: Engine, trouble: FaultControls, { options, isLinked }: History): World {
  const fields = getSheetFields(FIRST_SHEET, isLinked)
  const other: SheetRef = { sheetId: newSheetId(), fields: [{ key: 'id', type: 'string' }] }
  const model: Model = { fields, rows: [], ...(isLinked ? { linked: [] } : {}) }
  return {
    engine,
    trouble,
    options,
    isLinked,
    model,
    sheet: { sheetId: newSheetId(), fields, ...(isLinked ? { findLinkedSheet: async () => other } : {}) },
    first: copyModel(model),
    commits: [],
    other: { sheet: other, rows: [] },
    stores: Array.from({ length: WORKERS }, () => engine.createStore(options)),
    turn: 0,
    fresh: 0,
  }
}

export const pickStore = (world: World): Store => world.stores[world.turn++ % world.stores.length]!
const getIdAt = ({ model }: World, at: number): string | undefined => model.rows[at % model.rows.length]?.id
const getIdsAt = (world: World, rows: readonly number[]): string[] => [
  ...new Set(rows.flatMap((at) => getIdAt(world, at) ?? [])),
]

function toSelection(world: World, chosen: SelectionStep): Selection {
  const { commits, model } = world
  const matches = (key: string | undefined): string | undefined =>
    model.fields.some((field) => field.key === key) ? key : undefined
  if (chosen.by === 'ids') return { ids: getIdsAt(world, chosen.rows) }
  if (chosen.by === 'others') return { filter: 'all', ids: getIdsAt(world, chosen.rows) }
  if (chosen.by === 'valid' || chosen.by === 'error') return { filter: chosen.by, filterField: matches(chosen.field) }
  if (chosen.by === 'search') return { search: { value: chosen.value, field: matches(chosen.field) } }
  if (!('commit' in chosen) || !commits.length) return {}
  const { id } = commits[chosen.commit % commits.length]!
  return chosen.by === 'commit' ? { commitId: id } : { sinceCommitId: id }
}

export function selectIds({ model, commits }: World, selection: Selection): string[] {
  const touched = commits.map(({ id, effect: { created, updated } }) => ({
    id,
    touched: new Set([...created, ...updated]),
  }))
  const records = selectNaively({ fields: model.fields, records: wireRecords(model), commits: touched }, selection)
  return records.map(({ id }) => id)
}

interface WriteResult {
  commitId: string | undefined
  counts: object
  created?: Iterable<string>
  updated?: Iterable<string>
  removed?: Iterable<string>
  changes?: AsyncIterable<Iterable<unknown>>
}
type Context = ReturnType<typeof context>

interface Write {
  send(store: Store, ctx: Context): Promise<WriteResult>
  apply(seq: number): void
  isRestore?: boolean
}

function toUpdates(world: World, edits: readonly Edit[]): RecordUpdate[] {
  return edits.flatMap(({ row, ...rest }) => {
    const id = getIdAt(world, row)
    return id ? [{ ...rest, id }] : []
  })
}

function mergeUpdates(updates: readonly RecordUpdate[]): RecordUpdate[] {
  const byId = new Map<string, RecordUpdate>()
  for (const update of updates) {
    const earlier = byId.get(update.id)
    byId.set(update.id, { ...earlier, ...update, values: { ...earlier?.values, ...update.values } })
  }
  return [...byId.values()]
}

function listIds(world: World, seq: number, count: number): string[] {
  const prefix = world.sheet.sheetId.replace('us_sh_', 'us_rc_')
  const size = world.options.segmentRows ?? count
  return Array.from({ length: count }, (_, i) => `${prefix}_${seq}_${Math.floor(i / size)}_${i % size}`)
}

async function* splitBatches(keys: readonly string[], rows: readonly RecordInput[]) {
  for (let from = 0; from < rows.length; from += 5)
    yield { keys, rows: rows.slice(from, from + 5).map(({ values }) => keys.map((key) => values[key]?.value)) }
}

const withoutMessages = ({ values }: RecordInput): RecordInput => ({
  values: Object.fromEntries(Object.entries(values).map(([key, { value }]) => [key, { value }])),
})
const copyValues = ({ values }: ModelRow): RecordInput => ({
  values: Object.fromEntries([...values].map(([key, value]) => [key, { value }])),
})

function createWrite(world: World, step: WriteStep): Write {
  switch (step.do) {
    case 'insert':
      return createInsert(world, step.rows)
    case 'copy':
      return createInsert(
        world,
        step.rows.flatMap((at) => world.model.rows[at % world.model.rows.length] ?? []).map(copyValues),
      )
    case 'import':
      return createImport(world, step.rows.map(withoutMessages))
    case 'update':
      return createUpdate(world, toUpdates(world, step.edits))
    case 'remove':
      return createRemoval(world, getIdsAt(world, step.rows))
    case 'removeBy':
      return createRemoval(world, toSelection(world, step.chosen))
    case 'write':
      return createMixed(world, step)
    case 'bulk':
      return createBulk(world, toSelection(world, step.chosen), step.cells)
    case 'replace':
      return createReplace(world, step)
    case 'restore':
      return createRestore(world, step)
  }
}

function createInsert(world: World, rows: readonly RecordInput[]): Write {
  const { engine, sheet, model } = world
  return {
    async send(store, ctx) {
      const { commitId, counts, ids } = await engine.insert(sheet, rows, ctx, store)
      return { commitId, counts, created: ids }
    },
    apply: (seq) => insertRows(model, listIds(world, seq, rows.length), rows),
  }
}

function createImport(world: World, rows: readonly RecordInput[]): Write {
  const { engine, sheet, model } = world
  const keys = model.fields.map(({ key }) => key)
  return {
    async send(store, ctx) {
      const { commitId, counts, ids } = await engine.importRows(sheet, splitBatches(keys, rows), ctx, store)
      return { commitId, counts, created: ids }
    },
    apply: (seq) => insertRows(model, listIds(world, seq, rows.length), rows),
  }
}

const NOBODY = 'us_rc_0_0_0_0'

function createUpdate(world: World, updates: readonly RecordUpdate[]): Write {
  const { engine, sheet, model } = world
  return {
    async send(store, ctx) {
      const result = await engine.update(sheet, [...updates, { id: NOBODY }], ctx, store)
      expect(result.missing).toContain(NOBODY)
      return { ...result, updated: result.updatedIds }
    },
    apply: () => updateRows(model, mergeUpdates(updates)),
  }
}

function createRemoval(world: World, what: string[] | Selection): Write {
  const { engine, sheet, model } = world
  return {
    async send(store, ctx) {
      const { commitId, counts, ids } = await engine.remove(sheet, what, ctx, store)
      return { commitId, counts, removed: ids }
    },
    apply: () => removeRows(model, Array.isArray(what) ? what : selectIds(world, what)),
  }
}

function createMixed(world: World, step: Extract<WriteStep, { do: 'write' }>): Write {
  const { engine, sheet, model } = world
  const { truncate, rows } = step
  const updates = toUpdates(world, step.edits)
  const deletes = getIdsAt(world, step.deletes)
  const inputs = rows.map(withoutMessages)
  const keys = model.fields.map(({ key }) => key)
  async function* source() {
    yield { updates: updates.slice(0, 2) }
    yield* splitBatches(keys, inputs)
    yield { deletes }
    yield { updates: updates.slice(2) }
  }
  return {
    async send(store, ctx) {
      const result = await engine.write(sheet, source(), ctx, { truncate }, store)
      const { commitId, counts, createdIds, updatedIds, removedIds, changes } = result
      return { commitId, counts, created: createdIds, updated: updatedIds, removed: removedIds, changes }
    },
    apply(seq) {
      updateRows(model, mergeUpdates(updates))
      removeRows(model, truncate ? model.rows.map(({ id }) => id) : deletes)
      insertRows(model, listIds(world, seq, inputs.length), inputs)
    },
  }
}

function createBulk(world: World, selection: Selection, cells: CellInputs): Write {
  const { engine, sheet, model } = world
  return {
    async send(store, ctx) {
      const { ids, ...result } = await engine.bulkUpdate(sheet, selection, cells, ctx, store)
      return { ...result, updated: ids }
    },
    apply: () =>
      updateRows(
        model,
        selectIds(world, selection).map((id) => ({ id, values: cells })),
      ),
  }
}

function createReplace(world: World, step: Extract<WriteStep, { do: 'replace' }>): Write {
  const { engine, sheet, model } = world
  const { find, replace } = step
  const field = model.fields.some(({ key }) => key === step.field) ? step.field : 'name'
  const selection = toSelection(world, step.chosen)
  return {
    async send(store, ctx) {
      const { ids, ...result } = await engine.findReplace(
        sheet,
        selection,
        { fields: [field], find, replace },
        ctx,
        store,
      )
      return { ...result, updated: ids }
    },
    apply() {
      const chosen = new Set(selectIds(world, selection))
      const updates = model.rows.flatMap(({ id, values }) => {
        const value = chosen.has(id) ? replaceValue(values.get(field) ?? null, find, replace) : undefined
        return value === undefined ? [] : [{ id, values: { [field]: { value } } }]
      })
      updateRows(model, updates)
    },
  }
}

function createRestore(world: World, step: Extract<WriteStep, { do: 'restore' }>): Write {
  const { engine, sheet, model, commits } = world
  const at = step.to % (commits.length + 1)
  const version = commits[at - 1]
  const options = { to: version ? parseSeq(version.id) + 1 : 0, ...step.parts }
  return {
    send: (store, ctx) => engine.restoreVersion(sheet, options, ctx, store),
    apply: () => restoreRows(model, version?.model ?? world.first, step.parts),
    isRestore: true,
  }
}

function recordCommit(world: World, commitId: string, before: Model, by: Commit['by']): void {
  const effect = computeEffect(before, world.model)
  world.commits.push({ id: commitId, effect, model: copyModel(world.model), by })
}

export async function perform(world: World, step: Step): Promise<void> {
  if (step.do === 'race') await runRace(world, step, step.fault)
  else if (step.do === 'clash') await runClash(world, step, step.fault)
  else if (step.do === 'other') await changeOtherSheet(world, step)
  else if (step.do === 'restart') world.stores[step.worker] = world.engine.createStore(world.options)
  else if (step.do === 'sheet') await changeSheet(world, step.sheet)
  else if (step.do === 'many') await runMany(world, step.count)
  else if (step.do === 'look') await readAndCompare(world)
  else await runAlone(world, createWrite(world, step), step.fault)
}

async function changeSheet(world: World, index: number): Promise<void> {
  const { engine, model } = world
  model.fields = getSheetFields(index, world.isLinked)
  world.sheet = { ...world.sheet, fields: model.fields }
  forgetMessages(model)
  expect(await engine.countRecords(world.sheet, {}, pickStore(world))).toEqual(wireCounts(wireRecords(model)))
}

async function readAndCompare(world: World): Promise<void> {
  const { engine, sheet, model } = world
  const wanted = wireRecords(model)
  const { records, total } = await engine.readRecords(sheet, { includeLength: true }, pickStore(world))
  expect(records).toEqual(wanted)
  expect(total).toBe(wanted.length)
  expect(await engine.countRecords(sheet, {}, pickStore(world))).toEqual(wireCounts(wanted))
}

async function runAlone(world: World, write: Write, fault: Fault | undefined): Promise<void> {
  const { model } = world
  const answer = await sendWithRetry(world, write, fault)
  const before = copyModel(model)
  write.apply(answer.commitId ? parseSeq(answer.commitId) : -1)
  const effect = computeEffect(before, model)
  expect(answer.commitId !== undefined, 'a commit if and only if a value changed').toBe(!isEmptyEffect(effect))
  expect(answer.counts).toEqual(wireCounts(wireRecords(model)))
  if (answer.created) expect([...answer.created]).toEqual(effect.created)
  if (answer.updated) expect([...answer.updated].sort()).toEqual([...effect.updated].sort())
  if (answer.removed) expect([...answer.removed].sort()).toEqual([...effect.deleted].sort())
  if (answer.changes) expect(sortedChanges(await collect(answer.changes))).toEqual(sortedChanges(effect.changes))
  if (answer.commitId) recordCommit(world, answer.commitId, before, write.isRestore ? 'restore' : 'one')
}

export const sortedChanges = (changes: readonly unknown[]): string[] =>
  changes.map((change) => JSON.stringify(Object.entries(change as object).sort())).sort()

async function sendWithRetry(world: World, write: Write, fault: Fault | undefined): Promise<WriteResult> {
  const ctx = context()
  if (!fault) return write.send(pickStore(world), ctx)
  const disarm = armFault(world.trouble, fault)
  try {
    await write.send(pickStore(world), ctx)
  } catch (error) {
    if (!disarm.hasStruck() || isProgrammingError(error)) throw error
  } finally {
    disarm()
  }
  return write.send(pickStore(world), ctx)
}

const isProgrammingError = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError

function armFault(trouble: FaultControls, { mode, at }: Fault): { (): void; hasStruck(): boolean } {
  const { intercept } = trouble
  let number = 0
  let struck = false
  const triggerFault = (until: number): boolean => {
    number++
    const strikes = number >= at && number < until
    if (strikes) struck = true
    return strikes
  }
  if (mode === 'throttled') intercept.throttle = () => triggerFault(at + 3)
  else if (mode === 'lost' || mode === 'sent again') intercept.loseResponse = () => triggerFault(at + 1)
  else
    intercept.beforeRequest = () => {
      if (triggerFault(mode === 'dies' ? Number.POSITIVE_INFINITY : at + 1)) throw new Error('cut off')
    }
  trouble.sendsAgain = mode === 'sent again'
  const disarm = (): void => {
    intercept.beforeRequest = undefined
    intercept.loseResponse = undefined
    intercept.throttle = undefined
    trouble.sendsAgain = false
  }
  return Object.assign(disarm, { hasStruck: () => struck })
}

async function runConcurrently(world: World, writes: readonly Write[], fault: Fault | undefined): Promise<void> {
  const disarm = fault ? armFault(world.trouble, fault) : undefined
  const tried = await Promise.all(
    writes.map(async (write) => {
      const ctx = context()
      try {
        return { write, ctx, answer: await write.send(pickStore(world), ctx) }
      } catch (error) {
        if (!disarm?.hasStruck() || isProgrammingError(error)) throw error
        return { write, ctx, answer: undefined }
      }
    }),
  )
  disarm?.()
  const done = await Promise.all(
    tried.map(async ({ write, ctx, answer }) => ({
      write,
      answer: answer ?? (await write.send(pickStore(world), ctx)),
    })),
  )
  const happened = done.flatMap(({ write, answer: { commitId } }) => (commitId ? [{ write, commitId }] : []))
  for (const { write, commitId } of happened.sort((a, b) => parseSeq(a.commitId) - parseSeq(b.commitId))) {
    const before = copyModel(world.model)
    write.apply(parseSeq(commitId))
    recordCommit(world, commitId, before, 'several')
  }
}

async function runRace(world: World, { edits, bulk: rows, insert, remove, other }: Race, fault: Fault | undefined) {
  const { model } = world
  const known = new Set(model.fields.map(({ key }) => key))
  // Cells with a message from a hook are excluded: whether a new value removes it depends on what the writer had seen.
  const fresh = (at: number, key: string): RecordUpdate[] => {
    const row = model.rows[at % model.rows.length]
    if (!row || !known.has(key) || row.hooks.get(key)?.length) return []
    return [{ id: row.id, values: { [key]: { value: `fresh${world.fresh++} ${at % 3}` } } }]
  }
  const several = mergeUpdates(rows.flatMap((at) => fresh(at, 'name')))
  const updates = [...edits.map(({ row, key }) => fresh(row, key)), several].filter(({ length }) => length > 0)
  const writes = [...updates.map((some) => createUpdate(world, some)), createInsert(world, insert)]
  if (remove !== undefined) writes.push(createRemoval(world, getIdsAt(world, [remove])))
  const others = other === undefined ? undefined : changeOtherSheet(world, { change: 'insert', at: 0, value: other })
  await Promise.all([others, runConcurrently(world, writes, others ? undefined : fault)])
}

const runClash = (world: World, { writes }: Clash, fault: Fault | undefined): Promise<void> =>
  runConcurrently(
    world,
    writes.map((one) => createWrite(world, one)),
    fault,
  )

async function runMany(world: World, count: number): Promise<void> {
  const { engine, sheet, model } = world
  for (let i = 0; i < count; i++) {
    const id = getIdAt(world, i * 7)
    const before = copyModel(model)
    const value = { value: `many ${world.fresh++}` }
    const updates = id ? [{ id, values: { name: value } }] : []
    const rows = id ? [] : [{ values: { name: value } }]
    const { commitId } = id
      ? await engine.update(sheet, updates, context(), pickStore(world))
      : await engine.insert(sheet, rows, context(), pickStore(world))
    if (id) updateRows(model, updates)
    else insertRows(model, listIds(world, parseSeq(commitId!), 1), rows)
    recordCommit(world, commitId!, before, 'one')
  }
}

async function changeOtherSheet(
  world: World,
  { change, at, value }: { change: 'insert' | 'update' | 'remove'; at: number; value: unknown },
): Promise<void> {
  const { engine, other, model } = world
  const values = { id: { value } }
  const row = other.rows[at % other.rows.length]
  const stored = value === '' ? null : value
  if (change === 'insert' || !row) {
    const { ids } = await engine.insert(other.sheet, [{ values }], context(), pickStore(world))
    for (const id of ids) other.rows.push({ id, value: stored })
  } else if (change === 'update') {
    await engine.update(other.sheet, [{ id: row.id, values }], context(), pickStore(world))
    row.value = stored
  } else {
    await engine.remove(other.sheet, [row.id], context(), pickStore(world))
    other.rows.splice(other.rows.indexOf(row), 1)
  }
  if (world.isLinked) model.linked = other.rows.map((one) => one.value)
}
