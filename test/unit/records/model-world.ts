/** Plays a random history on a sheet by several workers, with trouble on the way, and on the naive model beside it. */
import { expect } from 'vitest'
import type { Store, StoreOptions } from '../../../lib/records/log/store.ts'
import type { CellInputs, RecordInput, RecordUpdate, Selection, SheetRef } from '../../../lib/records/sheet.ts'
import { collected, by as context, type Intercept, newSheetId } from '../../support/records.ts'
import {
  copyOf,
  forgetMessages,
  insertRows,
  type Model,
  type ModelRow,
  removeRows,
  updateRows,
  wireCounts,
  wireRecords,
} from './model.ts'
import { replaced } from './model-replace.ts'
import {
  type Chosen,
  type Clash,
  type Edit,
  type Fault,
  FIRST_SHEET,
  type History,
  type Race,
  type Step,
  sheetFields,
  type WriteStep,
} from './model-steps.ts'
import { type Effect, effectOf, isNothing, restoreRows } from './model-versions.ts'
import { selected } from './naive.ts'

export type Engine = typeof import('../../../lib/records/index.ts')

/** The cloud's troubles, and whether the client sends a request again whose answer was lost. */
export interface Trouble {
  intercept: Intercept
  sendsAgain: boolean
}

/** A commit as the model has it. */
export interface Commit {
  id: string
  effect: Effect
  /** Right after it. */
  model: Model
  /** Restores bring messages of an older version; those of a write that met others may be judged later. */
  by: 'one' | 'restore' | 'several'
}

export interface World {
  engine: Engine
  trouble: Trouble
  options: Partial<StoreOptions>
  isLinked: boolean
  model: Model
  sheet: SheetRef
  /** Before any commit. */
  first: Model
  commits: Commit[]
  other: { sheet: SheetRef; rows: { id: string; value: unknown }[] }
  stores: Store[]
  turn: number
  fresh: number
}

const WORKERS = 3
const seqOf = (commitId: string): number => Number(commitId.slice(commitId.lastIndexOf('_') + 1))

export function newWorld(engine: Engine, trouble: Trouble, { options, isLinked }: History): World {
  const fields = sheetFields(FIRST_SHEET, isLinked)
  const other: SheetRef = { sheetId: newSheetId(), fields: [{ key: 'id', type: 'string' }] }
  const model: Model = { fields, rows: [], ...(isLinked ? { linked: [] } : {}) }
  return {
    engine,
    trouble,
    options,
    isLinked,
    model,
    sheet: { sheetId: newSheetId(), fields, ...(isLinked ? { linked: async () => other } : {}) },
    first: copyOf(model),
    commits: [],
    other: { sheet: other, rows: [] },
    stores: Array.from({ length: WORKERS }, () => engine.newStore(options)),
    turn: 0,
    fresh: 0,
  }
}

export const storeOf = (world: World): Store => world.stores[world.turn++ % world.stores.length]!
const idAt = ({ model }: World, at: number): string | undefined => model.rows[at % model.rows.length]?.id
const idsAt = (world: World, rows: readonly number[]): string[] => [
  ...new Set(rows.flatMap((at) => idAt(world, at) ?? [])),
]

function selectionOf(world: World, chosen: Chosen): Selection {
  const { commits, model } = world
  const has = (key: string | undefined): string | undefined =>
    model.fields.some((field) => field.key === key) ? key : undefined
  if (chosen.by === 'ids') return { ids: idsAt(world, chosen.rows) }
  if (chosen.by === 'others') return { filter: 'all', ids: idsAt(world, chosen.rows) }
  if (chosen.by === 'valid' || chosen.by === 'error') return { filter: chosen.by, filterField: has(chosen.field) }
  if (chosen.by === 'search') return { search: { value: chosen.value, field: has(chosen.field) } }
  if (!('commit' in chosen) || !commits.length) return {}
  const { id } = commits[chosen.commit % commits.length]!
  return chosen.by === 'commit' ? { commitId: id } : { sinceCommitId: id }
}

/** Records of the model a selection means now. */
export function selectedIds({ model, commits }: World, selection: Selection): string[] {
  const touched = commits.map(({ id, effect: { created, updated } }) => ({
    id,
    touched: new Set([...created, ...updated]),
  }))
  const records = selected({ fields: model.fields, records: wireRecords(model), commits: touched }, selection)
  return records.map(({ id }) => id)
}

/** What a write answered, as far as it is compared. */
interface Answer {
  commitId: string | undefined
  counts: object
  created?: Iterable<string>
  updated?: Iterable<string>
  removed?: Iterable<string>
  changes?: AsyncIterable<unknown[]> | Iterable<unknown>
}
type Context = ReturnType<typeof context>

interface Write {
  send(store: Store, ctx: Context): Promise<Answer>
  /** Does the same to the model; the commit's place in the log names new records. */
  apply(seq: number): void
  isRestore?: boolean
}

function updatesOf(world: World, edits: readonly Edit[]): RecordUpdate[] {
  return edits.flatMap(({ row, ...rest }) => {
    const id = idAt(world, row)
    return id ? [{ ...rest, id }] : []
  })
}

/** Several changes of a record are one. */
function merged(updates: readonly RecordUpdate[]): RecordUpdate[] {
  const byId = new Map<string, RecordUpdate>()
  for (const update of updates) {
    const earlier = byId.get(update.id)
    byId.set(update.id, { ...earlier, ...update, values: { ...earlier?.values, ...update.values } })
  }
  return [...byId.values()]
}

function idsIn(world: World, seq: number, count: number): string[] {
  const prefix = world.sheet.sheetId.replace('us_sh_', 'us_rc_')
  const size = world.options.segmentRows ?? count
  return Array.from({ length: count }, (_, i) => `${prefix}_${seq}_${Math.floor(i / size)}_${i % size}`)
}

async function* inBatches(keys: readonly string[], rows: readonly RecordInput[]) {
  for (let from = 0; from < rows.length; from += 5)
    yield { keys, rows: rows.slice(from, from + 5).map(({ values }) => keys.map((key) => values[key]?.value)) }
}

const withoutMessages = ({ values }: RecordInput): RecordInput => ({
  values: Object.fromEntries(Object.entries(values).map(([key, { value }]) => [key, { value }])),
})
const copied = ({ values }: ModelRow): RecordInput => ({
  values: Object.fromEntries([...values].map(([key, value]) => [key, { value }])),
})

function writeOf(world: World, step: WriteStep): Write {
  switch (step.do) {
    case 'insert':
      return inserting(world, step.rows)
    case 'copy':
      return inserting(
        world,
        step.rows.flatMap((at) => world.model.rows[at % world.model.rows.length] ?? []).map(copied),
      )
    case 'import':
      return importing(world, step.rows.map(withoutMessages))
    case 'update':
      return updating(world, updatesOf(world, step.edits))
    case 'remove':
      return removing(world, idsAt(world, step.rows))
    case 'removeBy':
      return removing(world, selectionOf(world, step.chosen))
    case 'write':
      return mixed(world, step)
    case 'bulk':
      return bulk(world, selectionOf(world, step.chosen), step.cells)
    case 'replace':
      return replacing(world, step)
    case 'restore':
      return restoring(world, step)
  }
}

function inserting(world: World, rows: readonly RecordInput[]): Write {
  const { engine, sheet, model } = world
  return {
    async send(store, ctx) {
      const { commitId, counts, ids } = await engine.insert(sheet, rows, ctx, store)
      return { commitId, counts, created: ids }
    },
    apply: (seq) => insertRows(model, idsIn(world, seq, rows.length), rows),
  }
}

function importing(world: World, rows: readonly RecordInput[]): Write {
  const { engine, sheet, model } = world
  const keys = model.fields.map(({ key }) => key)
  return {
    async send(store, ctx) {
      const { commitId, counts, ids } = await engine.importRows(sheet, inBatches(keys, rows), ctx, store)
      return { commitId, counts, created: ids }
    },
    apply: (seq) => insertRows(model, idsIn(world, seq, rows.length), rows),
  }
}

const NOBODY = 'us_rc_0_0_0_0'

function updating(world: World, updates: readonly RecordUpdate[]): Write {
  const { engine, sheet, model } = world
  return {
    async send(store, ctx) {
      const result = await engine.update(sheet, [...updates, { id: NOBODY }], ctx, store)
      expect(result.missing).toContain(NOBODY)
      return result
    },
    apply: () => updateRows(model, merged(updates)),
  }
}

function removing(world: World, what: string[] | Selection): Write {
  const { engine, sheet, model } = world
  return {
    async send(store, ctx) {
      const { commitId, counts, ids } = await engine.remove(sheet, what, ctx, store)
      return { commitId, counts, removed: ids }
    },
    apply: () => removeRows(model, Array.isArray(what) ? what : selectedIds(world, what)),
  }
}

function mixed(world: World, step: Extract<WriteStep, { do: 'write' }>): Write {
  const { engine, sheet, model } = world
  const { truncate, rows } = step
  const updates = updatesOf(world, step.edits)
  const deletes = idsAt(world, step.deletes)
  const inputs = rows.map(withoutMessages)
  const keys = model.fields.map(({ key }) => key)
  async function* source() {
    yield { updates: updates.slice(0, 2) }
    yield* inBatches(keys, inputs)
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
      updateRows(model, merged(updates))
      removeRows(model, truncate ? model.rows.map(({ id }) => id) : deletes)
      insertRows(model, idsIn(world, seq, inputs.length), inputs)
    },
  }
}

function bulk(world: World, selection: Selection, cells: CellInputs): Write {
  const { engine, sheet, model } = world
  return {
    async send(store, ctx) {
      const { ids, ...result } = await engine.bulkUpdate(sheet, selection, cells, ctx, store)
      return { ...result, updated: ids }
    },
    apply: () =>
      updateRows(
        model,
        selectedIds(world, selection).map((id) => ({ id, values: cells })),
      ),
  }
}

function replacing(world: World, step: Extract<WriteStep, { do: 'replace' }>): Write {
  const { engine, sheet, model } = world
  const { find, replace } = step
  const field = model.fields.some(({ key }) => key === step.field) ? step.field : 'name'
  const selection = selectionOf(world, step.chosen)
  return {
    async send(store, ctx) {
      const { ids, ...result } = await engine.findReplace(sheet, selection, { field, find, replace }, ctx, store)
      return { ...result, updated: ids }
    },
    apply() {
      const chosen = new Set(selectedIds(world, selection))
      const updates = model.rows.flatMap(({ id, values }) => {
        const value = chosen.has(id) ? replaced(values.get(field) ?? null, find, replace) : undefined
        return value === undefined ? [] : [{ id, values: { [field]: { value } } }]
      })
      updateRows(model, updates)
    },
  }
}

function restoring(world: World, step: Extract<WriteStep, { do: 'restore' }>): Write {
  const { engine, sheet, model, commits } = world
  const at = step.to % (commits.length + 1)
  const version = commits[at - 1]
  const options = { to: version ? seqOf(version.id) + 1 : 0, ...step.parts }
  return {
    send: (store, ctx) => engine.restore(sheet, options, ctx, store),
    apply: () => restoreRows(model, version?.model ?? world.first, step.parts),
    isRestore: true,
  }
}

/** Notes a commit that was just applied to the model. */
function note(world: World, commitId: string, before: Model, by: Commit['by']): void {
  const effect = effectOf(before, world.model)
  world.commits.push({ id: commitId, effect, model: copyOf(world.model), by })
}

export async function perform(world: World, step: Step): Promise<void> {
  if (step.do === 'race') await race(world, step, step.fault)
  else if (step.do === 'clash') await clash(world, step, step.fault)
  else if (step.do === 'other') await changeOther(world, step)
  else if (step.do === 'restart') world.stores[step.worker] = world.engine.newStore(world.options)
  else if (step.do === 'sheet') await changeSheet(world, step.sheet)
  else if (step.do === 'many') await many(world, step.count)
  else if (step.do === 'look') await look(world)
  else await alone(world, writeOf(world, step), step.fault)
}

/** Messages of fields that go end once somebody has looked at the sheet as it is then. */
async function changeSheet(world: World, index: number): Promise<void> {
  const { engine, model } = world
  model.fields = sheetFields(index, world.isLinked)
  world.sheet = { ...world.sheet, fields: model.fields }
  forgetMessages(model)
  expect(await engine.counts(world.sheet, {}, storeOf(world))).toEqual(wireCounts(wireRecords(model)))
}

/** Records and counts by different workers. */
async function look(world: World): Promise<void> {
  const { engine, sheet, model } = world
  const wanted = wireRecords(model)
  const { records, total } = await engine.read(sheet, { includeLength: true }, storeOf(world))
  expect(records).toEqual(wanted)
  expect(total).toBe(wanted.length)
  expect(await engine.counts(sheet, {}, storeOf(world))).toEqual(wireCounts(wanted))
}

/** One write at a time: all it answers is what the model says. */
async function alone(world: World, write: Write, fault: Fault | undefined): Promise<void> {
  const { model } = world
  const answer = await sent(world, write, fault)
  const before = copyOf(model)
  write.apply(answer.commitId ? seqOf(answer.commitId) : -1)
  const effect = effectOf(before, model)
  expect(answer.commitId !== undefined, 'a commit if and only if a value changed').toBe(!isNothing(effect))
  expect(answer.counts).toEqual(wireCounts(wireRecords(model)))
  if (answer.created) expect([...answer.created]).toEqual(effect.created)
  if (answer.updated) expect([...answer.updated].sort()).toEqual([...effect.updated].sort())
  if (answer.removed) expect([...answer.removed].sort()).toEqual([...effect.deleted].sort())
  if (answer.changes) expect(sortedChanges(await changesIn(answer.changes))).toEqual(sortedChanges(effect.changes))
  if (answer.commitId) note(world, answer.commitId, before, write.isRestore ? 'restore' : 'one')
}

const changesIn = async (changes: AsyncIterable<unknown[]> | Iterable<unknown>): Promise<unknown[]> =>
  Symbol.asyncIterator in changes ? collected(changes) : [...changes]
export const sortedChanges = (changes: readonly unknown[]): string[] =>
  changes.map((change) => JSON.stringify(Object.entries(change as object).sort())).sort()

/** Sends a write; when something goes wrong on the way, another worker tries the same operation again. */
async function sent(world: World, write: Write, fault: Fault | undefined): Promise<Answer> {
  const ctx = context()
  if (!fault) return write.send(storeOf(world), ctx)
  const disarm = arm(world.trouble, fault)
  try {
    await write.send(storeOf(world), ctx)
  } catch (error) {
    if (!disarm.hasStruck() || isFault(error)) throw error
  } finally {
    disarm()
  }
  return write.send(storeOf(world), ctx)
}

/** Errors no broken request explains. */
const isFault = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError

function arm(trouble: Trouble, { mode, at }: Fault): { (): void; hasStruck(): boolean } {
  const { intercept } = trouble
  let number = 0
  let struck = false
  const strike = (until: number): boolean => {
    number++
    const strikes = number >= at && number < until
    if (strikes) struck = true
    return strikes
  }
  if (mode === 'throttled') intercept.refuse = () => strike(at + 3)
  else if (mode === 'lost' || mode === 'sent again') intercept.after = () => strike(at + 1)
  else
    intercept.before = () => {
      if (strike(mode === 'dies' ? Number.POSITIVE_INFINITY : at + 1)) throw new Error('cut off')
    }
  trouble.sendsAgain = mode === 'sent again'
  const disarm = (): void => {
    intercept.before = undefined
    intercept.after = undefined
    intercept.refuse = undefined
    trouble.sendsAgain = false
  }
  return Object.assign(disarm, { hasStruck: () => struck })
}

/** Writes at the same time by different workers; the log says afterwards in which order they happened. */
async function together(world: World, writes: readonly Write[], fault: Fault | undefined): Promise<void> {
  const disarm = fault ? arm(world.trouble, fault) : undefined
  const tried = await Promise.all(
    writes.map(async (write) => {
      const ctx = context()
      try {
        return { write, ctx, answer: await write.send(storeOf(world), ctx) }
      } catch (error) {
        if (!disarm?.hasStruck() || isFault(error)) throw error
        return { write, ctx, answer: undefined }
      }
    }),
  )
  disarm?.()
  const done = await Promise.all(
    tried.map(async ({ write, ctx, answer }) => ({ write, answer: answer ?? (await write.send(storeOf(world), ctx)) })),
  )
  const happened = done.flatMap(({ write, answer: { commitId } }) => (commitId ? [{ write, commitId }] : []))
  for (const { write, commitId } of happened.sort((a, b) => seqOf(a.commitId) - seqOf(b.commitId))) {
    const before = copyOf(world.model)
    write.apply(seqOf(commitId))
    note(world, commitId, before, 'several')
  }
}

async function race(world: World, { edits, bulk: rows, insert, remove, other }: Race, fault: Fault | undefined) {
  const { model } = world
  const known = new Set(model.fields.map(({ key }) => key))
  // Cells with a hook's message are left out: whether a new value ends it depends on what its writer had seen.
  const fresh = (at: number, key: string): RecordUpdate[] => {
    const row = model.rows[at % model.rows.length]
    if (!row || !known.has(key) || row.hooks.get(key)?.length) return []
    return [{ id: row.id, values: { [key]: { value: `fresh${world.fresh++} ${at % 3}` } } }]
  }
  const several = merged(rows.flatMap((at) => fresh(at, 'name')))
  const updates = [...edits.map(({ row, key }) => fresh(row, key)), several].filter(({ length }) => length > 0)
  const writes = [...updates.map((some) => updating(world, some)), inserting(world, insert)]
  if (remove !== undefined) writes.push(removing(world, idsAt(world, [remove])))
  const others = other === undefined ? undefined : changeOther(world, { change: 'insert', at: 0, value: other })
  // The other sheet is not troubled: it is no part of what is tried again.
  await Promise.all([others, together(world, writes, others ? undefined : fault)])
}

const clash = (world: World, { writes }: Clash, fault: Fault | undefined): Promise<void> =>
  together(
    world,
    writes.map((one) => writeOf(world, one)),
    fault,
  )

/** Small writes one after the other, until pages of the log are full. */
async function many(world: World, count: number): Promise<void> {
  const { engine, sheet, model } = world
  for (let i = 0; i < count; i++) {
    const id = idAt(world, i * 7)
    const before = copyOf(model)
    const value = { value: `many ${world.fresh++}` }
    const updates = id ? [{ id, values: { name: value } }] : []
    const rows = id ? [] : [{ values: { name: value } }]
    const { commitId } = id
      ? await engine.update(sheet, updates, context(), storeOf(world))
      : await engine.insert(sheet, rows, context(), storeOf(world))
    if (id) updateRows(model, updates)
    else insertRows(model, idsIn(world, seqOf(commitId!), 1), rows)
    note(world, commitId!, before, 'one')
  }
}

/** A change of the sheet that is referred to. */
async function changeOther(
  world: World,
  { change, at, value }: { change: 'insert' | 'update' | 'remove'; at: number; value: unknown },
): Promise<void> {
  const { engine, other, model } = world
  const values = { id: { value } }
  const row = other.rows[at % other.rows.length]
  const stored = value === '' ? null : value
  if (change === 'insert' || !row) {
    const { ids } = await engine.insert(other.sheet, [{ values }], context(), storeOf(world))
    for (const id of ids) other.rows.push({ id, value: stored })
  } else if (change === 'update') {
    await engine.update(other.sheet, [{ id: row.id, values }], context(), storeOf(world))
    row.value = stored
  } else {
    await engine.remove(other.sheet, [row.id], context(), storeOf(world))
    other.rows.splice(other.rows.indexOf(row), 1)
  }
  if (world.isLinked) model.linked = other.rows.map((one) => one.value)
}
