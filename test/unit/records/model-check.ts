/** Compares all results of a sheet with the model: records, counts, history and older versions. */
import { expect } from 'vitest'
import type { Store } from '../../../lib/records/log/store.ts'
import type { WireRecord } from '../../../lib/records/sheet.ts'
import { collect } from '../../support/records.ts'
import { wireCounts, wireRecords } from './model.ts'
import { computeDiff } from './model-versions.ts'
import { type Commit, pickStore, selectIds, sortedChanges, type World } from './model-world.ts'

export async function checkAll(world: World, depth: number): Promise<void> {
  const fresh = world.engine.createStore()
  await checkRecords(world, fresh)
  await checkRecords(world, pickStore(world))
  await checkErrors(world, world.turn % 2 ? fresh : pickStore(world))
  await checkCommits(world, fresh, depth)
  await checkVersions(world, fresh, depth)
}

export async function checkRecords({ engine, sheet, model }: World, store: Store): Promise<void> {
  const wanted = wireRecords(model)
  const { records, total } = await engine.readRecords(sheet, { includeLength: true }, store)
  expect(records).toEqual(wanted)
  expect(total).toBe(wanted.length)
  expect(await engine.countRecords(sheet, {}, store)).toEqual(wireCounts(wanted))
}

async function checkErrors({ engine, sheet, model }: World, store: Store): Promise<void> {
  const wanted = wireRecords(model)
  for (const filter of ['valid', 'error'] as const) {
    const listed = await engine.readRecords(sheet, { filter }, store)
    expect(listed.records).toEqual(wanted.filter(({ valid }) => valid === (filter === 'valid')))
  }
  const counts = await engine.countRecords(sheet, { byField: true }, store)
  expect(counts).toMatchObject(wireCounts(wanted))
  for (const { key } of model.fields) {
    const cells = wanted.map(({ values }) => values[key]!)
    const error = cells.filter(({ valid }) => !valid).length
    const empty = cells.filter(({ value }) => value === null).length
    expect(counts.byField?.[key]).toEqual({ total: wanted.length, valid: wanted.length - error, error, empty })
  }
}

function pickSome<T>({ turn }: World, list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list]
  return Array.from(
    { length: count },
    (_, i) => list[(turn * 13 + Math.floor((i * list.length) / count)) % list.length]!,
  )
}

async function checkCommits(world: World, store: Store, depth: number): Promise<void> {
  const { engine, sheet, commits } = world
  const listed = await engine.listCommits(sheet.sheetId, { pageSize: 1000 })
  expect(listed.map(({ id }) => id)).toEqual(commits.map(({ id }) => id).reverse())
  for (const commit of pickSome(world, commits, depth)) await checkCommit(world, commit, store)
  for (const commit of pickSome(world, commits, 1)) {
    const { records } = await engine.readRecords(sheet, { sinceCommitId: commit.id }, store)
    expect(records.map(({ id }) => id)).toEqual(selectIds(world, { sinceCommitId: commit.id }))
    const { created, updated, deleted } = commit.effect
    const touched = [...created, ...updated, ...deleted]
    const id = touched[world.turn % touched.length]
    if (id) await checkHistory(world, id, store)
  }
}

const isInFields = ({ model }: World, key: string): boolean => model.fields.some((field) => field.key === key)

/** A writer may change a record that another has just deleted. Such a change is in the log but has no effect. */
const isLost = ({ by, model }: Commit, recordId: string): boolean =>
  by === 'several' && !model.rows.some(({ id }) => id === recordId)

async function checkCommit(world: World, commit: Commit, store: Store): Promise<void> {
  const { id, effect } = commit
  const made = await world.engine.readCommitRecords(world.sheet, id, store)
  expect([...made!.created]).toEqual(effect.created)
  expect(made!.createdCount).toBe(effect.created.length)
  const updated = made!.updated.filter((recordId) => !isLost(commit, recordId))
  expect(updated.sort()).toEqual([...effect.updated].sort())
  expect([...made!.deleted].sort()).toEqual([...effect.deleted].sort())
  const shown = effect.changes.filter(({ fieldKey }) => isInFields(world, fieldKey))
  expect(sortedChanges(await collect(made!.changes))).toEqual(sortedChanges(shown))
}

async function checkHistory(world: World, recordId: string, store: Store): Promise<void> {
  const wanted = world.commits.flatMap(({ id: commitId, effect }) => {
    const isSame = (ids: readonly string[]): boolean => ids.includes(recordId)
    const action = isSame(effect.created)
      ? 'created'
      : isSame(effect.deleted)
        ? 'deleted'
        : isSame(effect.updated) && 'updated'
    if (!action) return []
    const changes = effect.changes.filter((one) => one.recordId === recordId && isInFields(world, one.fieldKey))
    return [{ commitId, action, changes: sortedChanges(changes.map(({ recordId: _, ...change }) => change)) }]
  })
  const found = await world.engine.readRecordHistory(world.sheet, recordId, { pageSize: 1000 }, store)
  const commits = new Map(world.commits.map((commit) => [commit.id, commit]))
  const real = found!.filter(
    ({ commitId, action }) => action !== 'updated' || !isLost(commits.get(commitId)!, recordId),
  )
  const told = real.map(({ commitId, action, changes }) => ({ commitId, action, changes: sortedChanges(changes) }))
  expect(told).toEqual(wanted.reverse())
}

const getValues = (records: readonly WireRecord[]) =>
  records.map(({ id, values, metadata, config }) => ({
    id,
    values: Object.entries(values).map(([key, { value }]) => [key, value]),
    metadata,
    config,
  }))

async function checkVersions(world: World, store: Store, depth: number): Promise<void> {
  const { engine, sheet, model, commits } = world
  const { fields } = model
  const versions = pickSome(world, commits, Math.ceil(depth / 2))
  for (const { id, model: then, by } of versions) {
    const { records } = await engine.readRecords(sheet, { asOf: id }, store)
    const wanted = wireRecords({ ...then, fields })
    expect(getValues(records)).toEqual(getValues(wanted))
    // Messages reflect the fields of their time, so they are comparable only if the fields are unchanged.
    if (by !== 'one' || then.fields !== fields) continue
    expect(records).toEqual(wanted)
    expect(await engine.countRecords(sheet, { asOf: id }, store)).toEqual(wireCounts(wanted))
  }
  const parseSeq = ({ id }: Commit): number => Number(id.slice(id.lastIndexOf('_') + 1)) + 1
  for (const [i, one] of versions.entries()) {
    const other = commits[(i * 7 + world.turn) % commits.length]!
    const [from, to] = parseSeq(one) <= parseSeq(other) ? [one, other] : [other, one]
    const diff = await engine.diffVersions(sheet, { from: parseSeq(from), to: parseSeq(to) }, store)
    expect(diff).toEqual(computeDiff({ ...from.model, fields }, { ...to.model, fields }))
  }
}
