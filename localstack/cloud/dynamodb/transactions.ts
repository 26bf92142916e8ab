/**
 * TransactWriteItems and TransactGetItems. A transaction locks the keys of all its items, plans all its changes on the
 * items as they stand and commits them in one batch with the record of its idempotency token: at no moment, and after
 * no crash, is there half of it. Must not know HTTP.
 */
import { createHash } from 'node:crypto'
import { byTable, type CapacityDetail, consumedCapacity, twice } from './capacity.ts'
import { type Change, planChange, prepareWrite, type Write, type WriteKind } from './changes.ts'
import type { BatchOperation, Input } from './dynalite.ts'
import {
  type CancellationReason,
  isConditionFailure,
  isServiceError,
  isValidationFailure,
  tokenMismatch,
  transactionCancelled,
  validationError,
} from './errors.ts'
import { place, type Store } from './store.ts'
import type { Item } from './types.ts'
import { itemBytes } from './values.ts'
import { consumptionOf, holdingItems } from './writes.ts'

const MAX_TRANSACTION_ITEMS = 100
const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024
/** How long AWS remembers a ClientRequestToken. */
const TOKEN_LIFETIME_MILLISECONDS = 10 * 60 * 1000
const MAX_TOKEN_LENGTH = 36

const KINDS: WriteKind[] = ['Put', 'Update', 'Delete', 'ConditionCheck']

interface TokenRecord {
  fingerprint: string
  at: number
}

/** Checks the list that both kinds of transaction have. */
export function transactItems(input: Input): Record<string, Input>[] {
  const items = input.TransactItems
  if (Array.isArray(items) && items.length >= 1 && items.length <= MAX_TRANSACTION_ITEMS) return items
  const bound =
    Array.isArray(items) && items.length
      ? `less than or equal to ${MAX_TRANSACTION_ITEMS}`
      : 'greater than or equal to 1'
  throw validationError(
    `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length ${bound}`,
  )
}

export function checkDistinct(places: string[]): void {
  if (new Set(places).size === places.length) return
  throw validationError('Transaction request cannot include multiple operations on one item')
}

function prepare(store: Store, item: Record<string, Input>): Write {
  const given = KINDS.filter((kind) => item?.[kind] != null)
  const [kind] = given
  if (!kind || given.length > 1) {
    throw validationError('TransactItems can only contain one of Check, Put, Update or Delete')
  }
  const required =
    kind === 'Update' ? 'UpdateExpression' : kind === 'ConditionCheck' ? 'ConditionExpression' : undefined
  const input = item[kind]!
  if (required && input[required] == null) {
    throw validationError(`${kind} in a transaction requires the parameter ${required}`)
  }
  return prepareWrite(kind, { ...input }, (name) => store.table(name))
}

type Outcome = { change: Change } | { reason: CancellationReason }

/** Plans one change of a transaction; what AWS counts as a reason for cancelling is returned, not thrown. */
function attempt(write: Write, item: Item | undefined): Outcome {
  try {
    return { change: planChange(write, item) }
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (isConditionFailure(error)) {
      return { reason: { Code: 'ConditionalCheckFailed', Message: error.message, ...itemIn(error.body) } }
    }
    if (isValidationFailure(error)) return { reason: { Code: 'ValidationError', Message: error.message } }
    throw error
  }
}

const itemIn = (body: Record<string, unknown>) => (body.Item ? { Item: body.Item as Item } : {})

function changesOf(outcomes: Outcome[]): Change[] {
  const changes = outcomes.flatMap((outcome) => ('change' in outcome ? [outcome.change] : []))
  if (changes.length === outcomes.length) return changes
  throw transactionCancelled(outcomes.map((outcome) => ('reason' in outcome ? outcome.reason : { Code: 'None' })))
}

/** Refuses a transaction whose items are too large together. */
export function checkTransactionSize(items: (Item | undefined)[]): void {
  const bytes = items.reduce((total, item) => total + (item ? itemBytes(item) : 0), 0)
  if (bytes > MAX_TRANSACTION_BYTES) {
    throw validationError(`Transaction payload size cannot exceed 4MB. Payload Size: ${bytes}`)
  }
}

function tokenOf(input: Input): string | undefined {
  const token = input.ClientRequestToken
  if (token == null) return undefined
  if (typeof token === 'string' && token.length >= 1 && token.length <= MAX_TOKEN_LENGTH) return token
  throw validationError(
    "1 validation error detected: Value at 'clientRequestToken' failed to satisfy constraint: " +
      `Member must have length between 1 and ${MAX_TOKEN_LENGTH}`,
  )
}

/** True when the same request was committed under this token before; throws when another one was. */
async function alreadyDone(store: Store, token: string, fingerprint: string): Promise<boolean> {
  const known = await store.value<TokenRecord>(place.token(token))
  if (!known || Date.now() - known.at > TOKEN_LIFETIME_MILLISECONDS) return false
  if (known.fingerprint !== fingerprint) throw tokenMismatch()
  return true
}

const remember = (token: string, record: TokenRecord): BatchOperation[] => [
  { type: 'put', key: place.token(token), value: record },
  { type: 'put', key: place.tokenAge(record.at, token), value: 0 },
]

function capacityOf(detail: CapacityDetail, writes: Write[], changes: Change[]) {
  const consumptions = byTable(writes.map((write, index) => twice(consumptionOf(write, changes[index]!))))
  const consumed = consumptions.flatMap((part) => consumedCapacity(detail, part) ?? [])
  return consumed.map((part) => ({ ...part, WriteCapacityUnits: part.CapacityUnits }))
}

/**
 * Writes up to 100 items, 4 MB in all, or none. Throws a TransactionCanceledException with one reason per item when a
 * condition fails or an update cannot be applied.
 */
export async function transactWriteItems(store: Store, input: Input) {
  const token = tokenOf(input)
  const items = transactItems(input)
  const fingerprint = createHash('sha256').update(JSON.stringify(items)).digest('base64')
  const writes = items.map((item) => prepare(store, item))
  checkDistinct(writes.map((write) => write.place))
  const commit = async (before: (Item | undefined)[]) => {
    if (token && (await alreadyDone(store, token, fingerprint))) return {}
    const changes = changesOf(writes.map((write, index) => attempt(write, before[index])))
    checkTransactionSize(changes.map((change) => change.after))
    const remembered = token ? remember(token, { fingerprint, at: Date.now() }) : []
    await store.commit([...changes.flatMap((change) => change.operations), ...remembered])
    const consumed = capacityOf(input.ReturnConsumedCapacity as CapacityDetail, writes, changes)
    return consumed.length ? { ConsumedCapacity: consumed } : {}
  }
  return holdingItems(store, writes, commit, token ? [place.token(token)] : [])
}

/** Forgets the tokens whose time is over at `now`. */
export async function forgetTokens(store: Store, now = Date.now()): Promise<void> {
  const forgotten: BatchOperation[] = []
  const latest = now - TOKEN_LIFETIME_MILLISECONDS
  for await (const age of store.keysIn({ gte: place.tokenAge(0), lt: place.tokenAge(latest) })) {
    const token = place.token(age.slice(place.tokenAge(0).length))
    const record = await store.value<TokenRecord>(token)
    forgotten.push({ type: 'del', key: age })
    // A token that was used again is younger than this age.
    if (record && record.at < latest) forgotten.push({ type: 'del', key: token })
  }
  if (forgotten.length) await store.commit(forgotten)
}
