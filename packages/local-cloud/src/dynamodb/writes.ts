/** PutItem, UpdateItem, DeleteItem and BatchWriteItem: planned on the current item and committed under its lock. */
import { type CapacityDetail, type Consumption, sumByTable, toConsumedCapacity } from './capacity.ts'
import { type Change, planChange, prepareWrite, type Write } from './changes.ts'
import { type Input, parseRequest } from './dynalite.ts'
import { validationError } from './errors.ts'
import type { Store } from './store.ts'
import type { Item } from './types.ts'
import { project } from './values.ts'

export const toConsumption = (write: Write, change: Change): Consumption => ({
  tableName: write.record.description.TableName,
  units: change.units,
})

export function withLockedItems<Result>(
  store: Store,
  writes: Write[],
  work: (items: (Item | undefined)[]) => Promise<Result>,
  otherKeys: string[] = [],
): Promise<Result> {
  const keys = writes.map((write) => write.storeKey)
  return store.gate.runShared(() =>
    store.locks.runLocked([...keys, ...otherKeys], async () => {
      // The table may have been changed or removed while this write waited for the gate.
      for (const write of writes) write.record = store.getTable(write.request.TableName)
      return work(await store.getItems(keys))
    }),
  )
}

export function commitWrites(store: Store, writes: Write[]): Promise<Change[]> {
  return withLockedItems(store, writes, async (items) => {
    const changes = writes.map((write, index) => planChange(write, items[index]))
    await store.commit(changes.flatMap((change) => change.operations))
    return changes
  })
}

function pickReturnedAttributes({ request }: Write, { before, after }: Change): Item | undefined {
  const paths = request._updates?.paths ?? []
  if (request.ReturnValues === 'ALL_OLD') return before
  if (request.ReturnValues === 'ALL_NEW') return after
  if (request.ReturnValues === 'UPDATED_OLD') return before && project(before, paths)
  return request.ReturnValues === 'UPDATED_NEW' && after ? project(after, paths) : undefined
}

async function writeItem(store: Store, kind: 'Put' | 'Update' | 'Delete', input: Input) {
  const write = prepareWrite(kind, input, (name) => store.getTable(name))
  const [change] = await commitWrites(store, [write])
  const attributes = pickReturnedAttributes(write, change!)
  return {
    Attributes: attributes && Object.keys(attributes).length ? attributes : undefined,
    ConsumedCapacity: toConsumedCapacity(write.request.ReturnConsumedCapacity, toConsumption(write, change!)),
  }
}

export const putItem = (store: Store, input: Input) => writeItem(store, 'Put', input)
export const updateItem = (store: Store, input: Input) => writeItem(store, 'Update', input)
export const deleteItem = (store: Store, input: Input) => writeItem(store, 'Delete', input)

interface BatchWriteFields {
  RequestItems: Record<string, { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } }[]>
  ReturnConsumedCapacity?: CapacityDetail
}

const MAX_WRITES_PER_BATCH = 25

function prepareBatchWrites(store: Store, { RequestItems }: BatchWriteFields): Write[] {
  const findTable = (name: string) => store.getTable(name)
  const writes = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
    requests.map(({ PutRequest, DeleteRequest }) =>
      PutRequest
        ? prepareWrite('Put', { TableName, Item: PutRequest.Item }, findTable)
        : prepareWrite('Delete', { TableName, Key: DeleteRequest?.Key }, findTable),
    ),
  )
  if (writes.length > MAX_WRITES_PER_BATCH) {
    throw validationError(
      `Too many items requested for the BatchWriteItem call, at most ${MAX_WRITES_PER_BATCH} are allowed`,
    )
  }
  if (new Set(writes.map((write) => write.storeKey)).size < writes.length) {
    throw validationError('Provided list of item keys contains duplicates')
  }
  return writes
}

/** Atomic here, unlike on AWS. */
export async function batchWriteItem(store: Store, input: Input) {
  const request = parseRequest<BatchWriteFields>('batchWriteItem', input)
  const writes = prepareBatchWrites(store, request)
  const changes = await commitWrites(store, writes)
  const consumptions = sumByTable(writes.map((write, index) => toConsumption(write, changes[index]!)))
  const consumed = consumptions.flatMap((part) => toConsumedCapacity(request.ReturnConsumedCapacity, part) ?? [])
  return { UnprocessedItems: {}, ConsumedCapacity: consumed.length ? consumed : undefined }
}
