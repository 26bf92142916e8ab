/** Time to live. Each expiring item has a time-ordered entry, so a sweep reads only what it removes. */
import { buildExpiryOperations, buildRemoval, getExpirySeconds, planChange } from './changes.ts'
import type { BatchOperation, Input } from './dynalite.ts'
import { validationError } from './errors.ts'
import { buildKey, prefixRange, type Store } from './store.ts'
import { removeExpiredTokens } from './transactions.ts'
import type { TableRecord } from './types.ts'
import { withLockedItems } from './writes.ts'

/** Like AWS, ignores items that expired longer ago than this, as probable mistakes. */
const MAX_AGE_SECONDS = 5 * 365 * 24 * 60 * 60
const ENTRIES_PER_BATCH = 500

const getCurrentSeconds = () => Math.floor(Date.now() / 1000)

interface Specification {
  Enabled: boolean
  AttributeName: string
}

function parseSpecification(input: Input): Specification {
  const specification = input.TimeToLiveSpecification as Partial<Specification> | undefined
  if (
    typeof specification?.Enabled === 'boolean' &&
    typeof specification.AttributeName === 'string' &&
    specification.AttributeName
  ) {
    return { Enabled: specification.Enabled, AttributeName: specification.AttributeName }
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
  for await (const item of store.iterateItems(prefixRange(buildKey.items(record.description.TableName)))) {
    operations.push(...buildExpiryOperations(item, record))
    if (operations.length >= ENTRIES_PER_BATCH) await store.commit(operations.splice(0))
  }
  await store.commit(operations)
}

/** Existing items get their expiry entries before this returns. */
export async function updateTimeToLive(store: Store, input: Input) {
  const specification = parseSpecification(input)
  await store.gate.runExclusive(async () => {
    const record = store.getNamedTable(String(input.TableName))
    checkTransition(record, specification)
    const attribute = specification.Enabled ? specification.AttributeName : undefined
    const updatedRecord: TableRecord = { ...record, timeToLiveAttribute: attribute }
    await store.clear(prefixRange(buildKey.expiries(record.description.TableName)))
    if (attribute !== undefined) await addEntries(store, updatedRecord)
    await store.saveTable(updatedRecord)
  })
  return { TimeToLiveSpecification: specification }
}

export async function describeTimeToLive(store: Store, input: Input) {
  const { timeToLiveAttribute: AttributeName } = store.getNamedTable(String(input.TableName))
  const state =
    AttributeName === undefined ? { TimeToLiveStatus: 'DISABLED' } : { TimeToLiveStatus: 'ENABLED', AttributeName }
  return { TimeToLiveDescription: state }
}

/** Checks the expiry again under the lock. */
async function removeIfExpired(store: Store, record: TableRecord, itemKey: string, before: number): Promise<void> {
  const removal = buildRemoval(record, itemKey)
  await withLockedItems(store, [removal], async ([item]) => {
    const seconds = item && getExpirySeconds(item, removal.record)
    if (seconds === undefined || seconds >= before) return
    await store.commit(planChange(removal, item).operations)
  })
}

async function sweepTable(store: Store, record: TableRecord): Promise<void> {
  const { TableName } = record.description
  const now = getCurrentSeconds()
  const range = { gte: buildKey.expiry(TableName, now - MAX_AGE_SECONDS), lt: buildKey.expiry(TableName, now) }
  const keyStart = buildKey.expiry(TableName, now).length
  for await (const key of store.iterateKeys(range)) await removeIfExpired(store, record, key.slice(keyStart), now)
}

export async function sweepExpired(store: Store): Promise<void> {
  for (const record of store.listTables()) {
    if (record.timeToLiveAttribute !== undefined) await sweepTable(store, record)
  }
  await removeExpiredTokens(store)
}

/** Runs one sweep at a time; the returned function stops it and waits for the current sweep. */
export function startSweeping(
  store: Store,
  milliseconds: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= sweepExpired(store)
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
