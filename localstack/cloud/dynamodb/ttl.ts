/**
 * Time to live: which attribute says when an item expires, and the sweep that removes what has. Every item with an
 * expiry has an entry ordered by time, written in the same batch, so a sweep reads only what it removes.
 */
import { entriesFor, expiresAt, planChange, removalOf } from './changes.ts'
import type { BatchOperation, Input } from './dynalite.ts'
import { validationError } from './errors.ts'
import { place, type Store, within } from './store.ts'
import { forgetTokens } from './transactions.ts'
import type { TableRecord } from './types.ts'
import { holdingItems } from './writes.ts'

/** Like AWS, items that expired longer ago than this are taken for mistakes and kept. */
const MAX_AGE_SECONDS = 5 * 365 * 24 * 60 * 60
const ENTRIES_PER_BATCH = 500

const nowSeconds = () => Math.floor(Date.now() / 1000)

interface Specification {
  Enabled: boolean
  AttributeName: string
}

function specificationIn(input: Input): Specification {
  const given = input.TimeToLiveSpecification as Partial<Specification> | undefined
  if (typeof given?.Enabled === 'boolean' && typeof given.AttributeName === 'string' && given.AttributeName) {
    return { Enabled: given.Enabled, AttributeName: given.AttributeName }
  }
  throw validationError('TimeToLiveSpecification requires Enabled and a non-empty AttributeName')
}

function checkTransition({ timeToLiveAttribute }: TableRecord, { Enabled, AttributeName }: Specification): void {
  if (!Enabled && timeToLiveAttribute === undefined) throw validationError('TimeToLive is already disabled')
  if (!Enabled && timeToLiveAttribute !== AttributeName) {
    throw validationError(
      `TimeToLive is active on a different AttributeName: current AttributeName is ${timeToLiveAttribute}`,
    )
  }
  if (Enabled && timeToLiveAttribute !== undefined) throw validationError('TimeToLive is already enabled')
}

async function addEntries(store: Store, record: TableRecord): Promise<void> {
  const operations: BatchOperation[] = []
  for await (const item of store.itemsIn(within(place.items(record.description.TableName)))) {
    operations.push(...entriesFor(item, record))
    if (operations.length >= ENTRIES_PER_BATCH) await store.commit(operations.splice(0))
  }
  await store.commit(operations)
}

/** Enables or disables TTL; existing items get their entries before the answer. */
export async function updateTimeToLive(store: Store, input: Input) {
  const specification = specificationIn(input)
  await store.gate.alone(async () => {
    const record = store.table(String(input.TableName))
    checkTransition(record, specification)
    const attribute = specification.Enabled ? specification.AttributeName : undefined
    const changed: TableRecord = { ...record, timeToLiveAttribute: attribute }
    await store.clear(within(place.expiries(record.description.TableName)))
    if (attribute !== undefined) await addEntries(store, changed)
    await store.saveTable(changed)
  })
  return { TimeToLiveSpecification: specification }
}

export async function describeTimeToLive(store: Store, input: Input) {
  const { timeToLiveAttribute: AttributeName } = store.table(String(input.TableName))
  const state =
    AttributeName === undefined ? { TimeToLiveStatus: 'DISABLED' } : { TimeToLiveStatus: 'ENABLED', AttributeName }
  return { TimeToLiveDescription: state }
}

/** Removes an item if it is still expired once its key is locked. */
async function expire(store: Store, record: TableRecord, itemKey: string, before: number): Promise<void> {
  const removal = removalOf(record, itemKey)
  await holdingItems(store, [removal], async ([item]) => {
    const seconds = item && expiresAt(item, removal.record)
    if (seconds === undefined || seconds >= before) return
    await store.commit(planChange(removal, item).operations)
  })
}

async function sweepTable(store: Store, record: TableRecord): Promise<void> {
  const { TableName } = record.description
  const now = nowSeconds()
  const range = { gte: place.expiry(TableName, now - MAX_AGE_SECONDS), lt: place.expiry(TableName, now) }
  const keyStart = place.expiry(TableName, now).length
  for await (const key of store.keysIn(range)) await expire(store, record, key.slice(keyStart), now)
}

/** Removes every expired item, and the idempotency tokens whose time is over. */
export async function sweep(store: Store): Promise<void> {
  for (const record of store.tables()) {
    if (record.timeToLiveAttribute !== undefined) await sweepTable(store, record)
  }
  await forgetTokens(store)
}

/** Sweeps again and again, one sweep at a time; the answer stops it and waits for the sweep that is running. */
export function sweepEvery(store: Store, milliseconds: number, onError: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= sweep(store)
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }, milliseconds)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
