/** TransactWriteItems: commits all changes and the idempotency token in one batch, so a crash leaves no half. */
import { createHash } from 'node:crypto'
import { type CapacityDetail, sumByTable, toConsumedCapacity } from './capacity.ts'
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
import { buildKey, type Store } from './store.ts'
import type { Item } from './types.ts'
import { measureItem } from './values.ts'
import { toConsumption, withLockedItems } from './writes.ts'

const MAX_ITEMS_PER_TRANSACTION = 100
const MAX_BYTES_PER_TRANSACTION = 4 * 1024 * 1024
const TOKEN_LIFETIME_MILLISECONDS = 10 * 60 * 1000
const MAX_TOKEN_LENGTH = 36

const WRITE_KINDS: WriteKind[] = ['Put', 'Update', 'Delete', 'ConditionCheck']

interface TokenRecord {
  fingerprint: string
  at: number
}

function parseTransactItems(input: Input): Record<string, Input>[] {
  const items = input.TransactItems
  if (Array.isArray(items) && items.length >= 1 && items.length <= MAX_ITEMS_PER_TRANSACTION) return items
  const lengthRule =
    Array.isArray(items) && items.length
      ? `less than or equal to ${MAX_ITEMS_PER_TRANSACTION}`
      : 'greater than or equal to 1'
  throw validationError(
    `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length ${lengthRule}`,
  )
}

function checkDistinct(keys: string[]): void {
  if (new Set(keys).size === keys.length) return
  throw validationError('Transaction request cannot include multiple operations on one item')
}

function prepareTransactWrite(store: Store, item: Record<string, Input>): Write {
  const kinds = WRITE_KINDS.filter((kind) => item?.[kind] != null)
  const [kind] = kinds
  if (!kind || kinds.length > 1) {
    throw validationError('TransactItems can only contain one of Check, Put, Update or Delete')
  }
  const required =
    kind === 'Update' ? 'UpdateExpression' : kind === 'ConditionCheck' ? 'ConditionExpression' : undefined
  const input = item[kind]!
  if (required && input[required] == null) {
    throw validationError(`${kind} in a transaction requires the parameter ${required}`)
  }
  return prepareWrite(kind, { ...input }, (name) => store.getTable(name))
}

type Outcome = { change: Change } | { reason: CancellationReason }

function planOutcome(write: Write, item: Item | undefined): Outcome {
  try {
    return { change: planChange(write, item) }
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (isConditionFailure(error)) {
      return { reason: { Code: 'ConditionalCheckFailed', Message: error.message, ...pickItem(error.body) } }
    }
    if (isValidationFailure(error)) return { reason: { Code: 'ValidationError', Message: error.message } }
    throw error
  }
}

const pickItem = (body: Record<string, unknown>) => (body.Item ? { Item: body.Item as Item } : {})

function requireChanges(outcomes: Outcome[]): Change[] {
  const changes = outcomes.flatMap((outcome) => ('change' in outcome ? [outcome.change] : []))
  if (changes.length === outcomes.length) return changes
  throw transactionCancelled(outcomes.map((outcome) => ('reason' in outcome ? outcome.reason : { Code: 'None' })))
}

function checkTransactionSize(items: (Item | undefined)[]): void {
  const bytes = items.reduce((total, item) => total + (item ? measureItem(item) : 0), 0)
  if (bytes > MAX_BYTES_PER_TRANSACTION) {
    throw validationError(`Transaction payload size cannot exceed 4MB. Payload Size: ${bytes}`)
  }
}

function parseToken(input: Input): string | undefined {
  const token = input.ClientRequestToken
  if (token == null) return undefined
  if (typeof token === 'string' && token.length >= 1 && token.length <= MAX_TOKEN_LENGTH) return token
  throw validationError(
    "1 validation error detected: Value at 'clientRequestToken' failed to satisfy constraint: " +
      `Member must have length between 1 and ${MAX_TOKEN_LENGTH}`,
  )
}

async function isAlreadyCommitted(store: Store, token: string, fingerprint: string): Promise<boolean> {
  const existing = await store.getValue<TokenRecord>(buildKey.token(token))
  if (!existing || Date.now() - existing.at > TOKEN_LIFETIME_MILLISECONDS) return false
  if (existing.fingerprint !== fingerprint) throw tokenMismatch()
  return true
}

const buildTokenOperations = (token: string, record: TokenRecord): BatchOperation[] => [
  { type: 'put', key: buildKey.token(token), value: record },
  { type: 'put', key: buildKey.tokenAge(record.at, token), value: 0 },
]

/** Transactions cost twice: once to prepare, once to commit. */
function measureCapacity(detail: CapacityDetail, writes: Write[], changes: Change[]) {
  const consumptions = sumByTable(writes.map((write, index) => toConsumption(write, changes[index]!)))
  const consumed = consumptions.flatMap(
    ({ tableName, units }) => toConsumedCapacity(detail, { tableName, units: units * 2 }) ?? [],
  )
  return consumed.map((part) => ({ ...part, WriteCapacityUnits: part.CapacityUnits }))
}

export async function transactWriteItems(store: Store, input: Input) {
  const token = parseToken(input)
  const items = parseTransactItems(input)
  const fingerprint = createHash('sha256').update(JSON.stringify(items)).digest('base64')
  const writes = items.map((item) => prepareTransactWrite(store, item))
  checkDistinct(writes.map((write) => write.storeKey))
  const commit = async (before: (Item | undefined)[]) => {
    if (token && (await isAlreadyCommitted(store, token, fingerprint))) return {}
    const changes = requireChanges(writes.map((write, index) => planOutcome(write, before[index])))
    checkTransactionSize(changes.map((change) => change.after))
    const tokenOperations = token ? buildTokenOperations(token, { fingerprint, at: Date.now() }) : []
    await store.commit([...changes.flatMap((change) => change.operations), ...tokenOperations])
    const consumed = measureCapacity(input.ReturnConsumedCapacity as CapacityDetail, writes, changes)
    return consumed.length ? { ConsumedCapacity: consumed } : {}
  }
  return withLockedItems(store, writes, commit, token ? [buildKey.token(token)] : [])
}

export async function removeExpiredTokens(store: Store, now = Date.now()): Promise<void> {
  const operations: BatchOperation[] = []
  const cutoff = now - TOKEN_LIFETIME_MILLISECONDS
  for await (const ageKey of store.iterateKeys({ gte: buildKey.tokenAge(0), lt: buildKey.tokenAge(cutoff) })) {
    const token = buildKey.token(ageKey.slice(buildKey.tokenAge(0).length))
    const record = await store.getValue<TokenRecord>(token)
    operations.push({ type: 'del', key: ageKey })
    // A token that was reused is younger than this age entry.
    if (record && record.at < cutoff) operations.push({ type: 'del', key: token })
  }
  if (operations.length) await store.commit(operations)
}
