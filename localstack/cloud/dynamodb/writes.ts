/**
 * PutItem, UpdateItem, DeleteItem and BatchWriteItem: a change is planned on the item as it stands and committed, with
 * its index entries, while the item's key is locked. Must not know HTTP.
 */
import { byTable, type CapacityDetail, type Consumption, consumedCapacity } from './capacity.ts'
import { type Change, planChange, prepareWrite, type Write } from './changes.ts'
import { type Input, parse } from './dynalite.ts'
import { validationError } from './errors.ts'
import type { Store } from './store.ts'
import type { Item } from './types.ts'
import { project } from './values.ts'

export const consumptionOf = (write: Write, change: Change): Consumption => ({
  table: write.record.description,
  tableUnits: change.tableUnits,
  indexUnits: change.indexUnits,
})

/**
 * Runs `work` while nobody else can write the items of `writes`, and hands it the items as they stand, in order.
 * `otherKeys` are locked along.
 */
export function holdingItems<Result>(
  store: Store,
  writes: Write[],
  work: (items: (Item | undefined)[]) => Promise<Result>,
  otherKeys: string[] = [],
): Promise<Result> {
  const places = writes.map((write) => write.place)
  return store.gate.shared(() =>
    store.locks.hold([...places, ...otherKeys], async () => {
      // A table may have been changed or removed since the request was checked, while it waited for the gate.
      for (const write of writes) write.record = store.table(write.request.TableName)
      return work(await store.items(places))
    }),
  )
}

/** Plans and commits writes of different items in one batch: all of them, or none when one of them throws. */
export function commitWrites(store: Store, writes: Write[]): Promise<Change[]> {
  return holdingItems(store, writes, async (items) => {
    const changes = writes.map((write, index) => planChange(write, items[index]))
    await store.commit(changes.flatMap((change) => change.operations))
    return changes
  })
}

function returnedAttributes({ request }: Write, { before, after }: Change): Item | undefined {
  const paths = request._updates?.paths ?? []
  if (request.ReturnValues === 'ALL_OLD') return before
  if (request.ReturnValues === 'ALL_NEW') return after
  if (request.ReturnValues === 'UPDATED_OLD') return before && project(before, paths)
  return request.ReturnValues === 'UPDATED_NEW' && after ? project(after, paths) : undefined
}

async function writeItem(store: Store, kind: 'Put' | 'Update' | 'Delete', input: Input) {
  const write = prepareWrite(kind, input, (name) => store.table(name))
  const [change] = await commitWrites(store, [write])
  const attributes = returnedAttributes(write, change!)
  return {
    Attributes: attributes && Object.keys(attributes).length ? attributes : undefined,
    ConsumedCapacity: consumedCapacity(write.request.ReturnConsumedCapacity, consumptionOf(write, change!)),
  }
}

export const putItem = (store: Store, input: Input) => writeItem(store, 'Put', input)
export const updateItem = (store: Store, input: Input) => writeItem(store, 'Update', input)
export const deleteItem = (store: Store, input: Input) => writeItem(store, 'Delete', input)

interface BatchWriteFields {
  RequestItems: Record<string, { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } }[]>
  ReturnConsumedCapacity?: CapacityDetail
}

const MAX_BATCH_WRITES = 25

function batchedWrites(store: Store, { RequestItems }: BatchWriteFields): Write[] {
  const tableOf = (name: string) => store.table(name)
  const writes = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
    requests.map(({ PutRequest, DeleteRequest }) =>
      PutRequest
        ? prepareWrite('Put', { TableName, Item: PutRequest.Item }, tableOf)
        : prepareWrite('Delete', { TableName, Key: DeleteRequest?.Key }, tableOf),
    ),
  )
  if (writes.length > MAX_BATCH_WRITES) {
    throw validationError(
      `Too many items requested for the BatchWriteItem call, at most ${MAX_BATCH_WRITES} are allowed`,
    )
  }
  if (new Set(writes.map((write) => write.place)).size < writes.length) {
    throw validationError('Provided list of item keys contains duplicates')
  }
  return writes
}

/** Up to 25 puts and deletes of different items; AWS does them one by one, here they go together. */
export async function batchWriteItem(store: Store, input: Input) {
  const request = parse<BatchWriteFields>('batchWriteItem', input)
  const writes = batchedWrites(store, request)
  const changes = await commitWrites(store, writes)
  const consumptions = byTable(writes.map((write, index) => consumptionOf(write, changes[index]!)))
  const consumed = consumptions.flatMap((part) => consumedCapacity(request.ReturnConsumedCapacity, part) ?? [])
  return { UnprocessedItems: {}, ConsumedCapacity: consumed.length ? consumed : undefined }
}
