import { randomUUID } from 'node:crypto'
import {
  type TransactionCanceledException,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  catchRejection,
  get,
  type Item,
  key,
  N,
  newIndexedTable,
  newTable,
  put,
  runInParallel,
  S,
  startSuite,
} from './dynamodb-kit.ts'

const client = await startSuite()
let TableName: string
beforeEach(async () => {
  TableName = await newTable(client)
})

type Writes = NonNullable<TransactWriteItemsCommandInput['TransactItems']>

const transact = (TransactItems: Writes, options: Partial<TransactWriteItemsCommandInput> = {}) =>
  client.send(new TransactWriteItemsCommand({ TransactItems, ...options }))
const addTo = (sk: string, value: number): Writes[number] => ({
  Update: {
    TableName,
    Key: key(sk),
    UpdateExpression: 'ADD v :v',
    ExpressionAttributeValues: { ':v': N(value) },
  },
})
const putItem = (sk: string, more: Item = {}): Writes[number] => ({ Put: { TableName, Item: { ...key(sk), ...more } } })
const readAmount = async (sk: string) => Number((await get(client, TableName, key(sk)))?.v?.N)

async function withRetries(request: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const error = await request().then(
      () => undefined,
      (reason: Error) => reason,
    )
    if (!error) return
    if (!/TransactionConflict/.test(`${error.name} ${error.message}`)) throw error
  }
}

describe('TransactWriteItems', () => {
  it('puts, updates, deletes and checks in one transaction', async () => {
    await put(client, TableName, { ...key('kinds-2'), v: N(1) })
    await put(client, TableName, key('kinds-3'))
    await transact([
      {
        Put: {
          TableName,
          Item: { ...key('kinds-1'), v: N(1) },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      addTo('kinds-2', 4),
      { Delete: { TableName, Key: key('kinds-3') } },
      { ConditionCheck: { TableName, Key: key('kinds-4'), ConditionExpression: 'attribute_not_exists(pk)' } },
    ])
    expect([await readAmount('kinds-1'), await readAmount('kinds-2')]).toEqual([1, 5])
    expect(await get(client, TableName, key('kinds-3'))).toBeUndefined()
    expect(await get(client, TableName, key('kinds-4'))).toBeUndefined()
  })

  it('writes nothing and returns a reason per item when a condition fails', async () => {
    const existing = { ...key('reasons-2'), v: N(1) }
    await put(client, TableName, existing)
    const ConditionExpression = 'attribute_not_exists(pk)'
    const request = transact([
      putItem('reasons-1'),
      {
        Put: {
          TableName,
          Item: key('reasons-2'),
          ConditionExpression,
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      addTo('reasons-3', 1),
      { ConditionCheck: { TableName, Key: key('reasons-2', 'q'), ConditionExpression: 'attribute_exists(pk)' } },
    ])
    const error = await catchRejection<TransactionCanceledException>(request, 'TransactionCanceledException')
    expect(error.message).toContain('[None, ConditionalCheckFailed, None, ConditionalCheckFailed]')
    expect(error.CancellationReasons!.map((reason) => reason.Code)).toEqual([
      'None',
      'ConditionalCheckFailed',
      'None',
      'ConditionalCheckFailed',
    ])
    expect(error.CancellationReasons!.map((reason) => reason.Item)).toEqual([undefined, existing, undefined, undefined])
    expect(await get(client, TableName, key('reasons-1'))).toBeUndefined()
    expect(await get(client, TableName, key('reasons-2'))).toEqual(existing)
    expect(await get(client, TableName, key('reasons-3'))).toBeUndefined()
  })

  it('writes nothing when an update cannot be applied', async () => {
    await put(client, TableName, { ...key('invalid-2'), v: S('no number') })
    const request = transact([putItem('invalid-1'), addTo('invalid-2', 1)])
    const error = await catchRejection<TransactionCanceledException>(request, 'TransactionCanceledException')
    expect(error.CancellationReasons!.map((reason) => reason.Code)).toEqual(['None', 'ValidationError'])
    expect(await get(client, TableName, key('invalid-1'))).toBeUndefined()
  })

  it('runs once per token', async () => {
    const ClientRequestToken = randomUUID()
    await runInParallel(4, 4, () => withRetries(() => transact([addTo('token', 1)], { ClientRequestToken })))
    expect(await readAmount('token')).toBe(1)
    const other = transact([addTo('token', 2)], { ClientRequestToken })
    await catchRejection(other, 'IdempotentParameterMismatchException')
    expect(await readAmount('token')).toBe(1)
  })

  it('can be retried with the same token after it was canceled', async () => {
    const ClientRequestToken = randomUUID()
    const request = () =>
      transact(
        [
          putItem('again-1'),
          { ConditionCheck: { TableName, Key: key('again-2'), ConditionExpression: 'attribute_exists(pk)' } },
        ],
        { ClientRequestToken },
      )
    await catchRejection(request(), 'TransactionCanceledException')
    await put(client, TableName, key('again-2'))
    await request()
    expect(await get(client, TableName, key('again-1'))).toEqual(key('again-1'))
  })

  it('rejects two operations on one item', async () => {
    await catchRejection(transact([putItem('twice'), addTo('twice', 1)]), 'ValidationException')
    expect(await get(client, TableName, key('twice'))).toBeUndefined()
  })

  it('accepts 100 items and rejects 101', async () => {
    const writes = (count: number) => Array.from({ length: count }, (_, index) => putItem(`many-${index}`))
    await catchRejection(transact(writes(101)), 'ValidationException')
    expect(await get(client, TableName, key('many-0'))).toBeUndefined()
    await transact(writes(100))
    expect(await get(client, TableName, key('many-99'))).toEqual(key('many-99'))
  })

  it('rejects more than four megabytes', async () => {
    const heavy = { bytes: { B: new Uint8Array(390 * 1024) } }
    const request = transact(Array.from({ length: 11 }, (_, index) => putItem(`heavy-${index}`, heavy)))
    await expect(request).rejects.toThrow()
    expect(await get(client, TableName, key('heavy-0'))).toBeUndefined()
    await transact(Array.from({ length: 10 }, (_, index) => putItem(`heavy-${index}`, heavy)))
    expect(await get(client, TableName, key('heavy-9'))).toBeDefined()
  })

  it('rejects a missing table', async () => {
    const request = transact([putItem('missing'), { Put: { TableName: 'conformance-missing', Item: key('missing') } }])
    await catchRejection(request, 'ResourceNotFoundException')
    expect(await get(client, TableName, key('missing'))).toBeUndefined()
  })

  it('consumes twice the capacity of single writes', async () => {
    const indexed = await newIndexedTable(client)
    const Item = { ...key('1'), kpk: S('k'), text: S('x'.repeat(1500)) }
    const { ConsumedCapacity } = await transact([{ Put: { TableName: indexed, Item } }], {
      ReturnConsumedCapacity: 'TOTAL',
    })
    expect(ConsumedCapacity).toMatchObject([{ TableName: indexed, CapacityUnits: 6 }])
  })

  it('loses no update when plain writes run concurrently', async () => {
    await runInParallel(120, 8, (index) =>
      withRetries(() =>
        index % 2
          ? transact([addTo('mixed-1', 1), addTo('mixed-2', 1)])
          : client.send(new UpdateItemCommand({ ...addTo(index % 4 ? 'mixed-1' : 'mixed-2', 1).Update! })),
      ),
    )
    expect([await readAmount('mixed-1'), await readAmount('mixed-2')]).toEqual([90, 90])
  })
})
