/** Compares all a sheet answers with the model: its records, counts, history and older versions. */
import { expect } from 'vitest'
import type { Store } from '../../../lib/records/log/store.ts'
import type { WireRecord } from '../../../lib/records/sheet.ts'
import { collected } from '../../support/records.ts'
import { wireCounts, wireRecords } from './model.ts'
import { diffOf } from './model-versions.ts'
import { type Commit, selectedIds, sortedChanges, storeOf, type World } from './model-world.ts'

/** By a worker that never saw the sheet; what changes from look to look also by one that saw part of its history. */
export async function checkAll(world: World, depth: number): Promise<void> {
  const fresh = world.engine.newStore()
  await checkRecords(world, fresh)
  await checkRecords(world, storeOf(world))
  await checkErrors(world, world.turn % 2 ? fresh : storeOf(world))
  await checkCommits(world, fresh, depth)
  await checkVersions(world, fresh, depth)
}

/** Records and counts. */
export async function checkRecords({ engine, sheet, model }: World, store: Store): Promise<void> {
  const wanted = wireRecords(model)
  const { records, total } = await engine.read(sheet, { includeLength: true }, store)
  expect(records).toEqual(wanted)
  expect(total).toBe(wanted.length)
  expect(await engine.counts(sheet, {}, store)).toEqual(wireCounts(wanted))
}

/** Which records are in error, and how many cells of each field are and are empty. */
async function checkErrors({ engine, sheet, model }: World, store: Store): Promise<void> {
  const wanted = wireRecords(model)
  for (const filter of ['valid', 'error'] as const) {
    const listed = await engine.read(sheet, { filter }, store)
    expect(listed.records).toEqual(wanted.filter(({ valid }) => valid === (filter === 'valid')))
  }
  const counts = await engine.counts(sheet, { byField: true }, store)
  expect(counts).toMatchObject(wireCounts(wanted))
  for (const { key } of model.fields) {
    const cells = wanted.map(({ values }) => values[key]!)
    const error = cells.filter(({ valid }) => !valid).length
    const empty = cells.filter(({ value }) => value === null).length
    expect(counts.byField?.[key]).toEqual({ total: wanted.length, valid: wanted.length - error, error, empty })
  }
}

/** Some of a list, spread over it; others each time. */
function some<T>({ turn }: World, list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list]
  return Array.from(
    { length: count },
    (_, i) => list[(turn * 13 + Math.floor((i * list.length) / count)) % list.length]!,
  )
}

async function checkCommits(world: World, store: Store, depth: number): Promise<void> {
  const { engine, sheet, commits } = world
  const listed = await engine.commits(sheet.sheetId, { pageSize: 1000 })
  expect(listed.map(({ id }) => id)).toEqual(commits.map(({ id }) => id).reverse())
  for (const commit of some(world, commits, depth)) await checkCommit(world, commit, store)
  for (const commit of some(world, commits, 1)) {
    const { records } = await engine.read(sheet, { sinceCommitId: commit.id }, store)
    expect(records.map(({ id }) => id)).toEqual(selectedIds(world, { sinceCommitId: commit.id }))
    const { created, updated, deleted } = commit.effect
    const touched = [...created, ...updated, ...deleted]
    const id = touched[world.turn % touched.length]
    if (id) await checkHistory(world, id, store)
  }
}

const isShown = ({ model }: World, key: string): boolean => model.fields.some((field) => field.key === key)

/** Of writers that met, one may have changed a record the other had just removed: such a change is in the log, and is none. */
const isLost = ({ by, model }: Commit, recordId: string): boolean =>
  by === 'several' && !model.rows.some(({ id }) => id === recordId)

async function checkCommit(world: World, commit: Commit, store: Store): Promise<void> {
  const { id, effect } = commit
  const made = await world.engine.recordsOfCommit(world.sheet, id, store)
  expect([...made!.created]).toEqual(effect.created)
  expect(made!.createdCount).toBe(effect.created.length)
  const updated = made!.updated.filter((recordId) => !isLost(commit, recordId))
  expect(updated.sort()).toEqual([...effect.updated].sort())
  expect([...made!.deleted].sort()).toEqual([...effect.deleted].sort())
  const shown = effect.changes.filter(({ fieldKey }) => isShown(world, fieldKey))
  expect(sortedChanges(await collected(made!.changes))).toEqual(sortedChanges(shown))
}

async function checkHistory(world: World, recordId: string, store: Store): Promise<void> {
  const wanted = world.commits.flatMap(({ id: commitId, effect }) => {
    const is = (ids: readonly string[]): boolean => ids.includes(recordId)
    const action = is(effect.created) ? 'created' : is(effect.deleted) ? 'deleted' : is(effect.updated) && 'updated'
    if (!action) return []
    const changes = effect.changes.filter((one) => one.recordId === recordId && isShown(world, one.fieldKey))
    return [{ commitId, action, changes: sortedChanges(changes.map(({ recordId: _, ...change }) => change)) }]
  })
  const found = await world.engine.recordHistory(world.sheet, recordId, { pageSize: 1000 }, store)
  const commits = new Map(world.commits.map((commit) => [commit.id, commit]))
  const real = found!.filter(
    ({ commitId, action }) => action !== 'updated' || !isLost(commits.get(commitId)!, recordId),
  )
  const told = real.map(({ commitId, action, changes }) => ({ commitId, action, changes: sortedChanges(changes) }))
  expect(told).toEqual(wanted.reverse())
}

const valuesOf = (records: readonly WireRecord[]) =>
  records.map(({ id, values, metadata, config }) => ({
    id,
    values: Object.entries(values).map(([key, { value }]) => [key, value]),
    metadata,
    config,
  }))

async function checkVersions(world: World, store: Store, depth: number): Promise<void> {
  const { engine, sheet, model, commits } = world
  const { fields } = model
  const versions = some(world, commits, Math.ceil(depth / 2))
  for (const { id, model: then, by } of versions) {
    const { records } = await engine.read(sheet, { asOf: id }, store)
    const wanted = wireRecords({ ...then, fields })
    expect(valuesOf(records)).toEqual(valuesOf(wanted))
    // Messages are of their time: the present fields tell them only if they were the same then.
    if (by !== 'one' || then.fields !== fields) continue
    expect(records).toEqual(wanted)
    expect(await engine.counts(sheet, { asOf: id }, store)).toEqual(wireCounts(wanted))
  }
  const seqOf = ({ id }: Commit): number => Number(id.slice(id.lastIndexOf('_') + 1)) + 1
  for (const [i, one] of versions.entries()) {
    const other = commits[(i * 7 + world.turn) % commits.length]!
    const [from, to] = seqOf(one) <= seqOf(other) ? [one, other] : [other, one]
    const diff = await engine.diff(sheet, { from: seqOf(from), to: seqOf(to) }, store)
    expect(diff).toEqual(diffOf({ ...from.model, fields }, { ...to.model, fields }))
  }
}
