/** Conformance of the embedded DynamoDB: writing and reading single items and batches. */
import {
  type AttributeValue,
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  type ReturnValue,
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

describe('items', () => {
  let TableName: string
  const update = (Key: Item, UpdateExpression: string, values?: Item, ReturnValues: ReturnValue = 'ALL_NEW') =>
    client.send(
      new UpdateItemCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues: values, ReturnValues }),
    )
  beforeEach(async () => {
    TableName = await newTable(client)
  })

  it('returns every type as it was written', async () => {
    const item: Item = {
      ...key('types'),
      text: S('é😀'),
      blank: S(''),
      number: N('12345678901234567890123456789012345678'),
      small: N('-0.00000000000000000001'),
      bytes: { B: new Uint8Array([0, 255]) },
      noBytes: { B: new Uint8Array() },
      no: { BOOL: false },
      nothing: { NULL: true },
      names: { SS: ['a', 'b'] },
      numbers: { NS: ['1', '2'] },
      nested: { M: { list: { L: [N(1), { M: {} }, { L: [] }] } } },
      constructor: S('an attribute like any other'),
    }
    await put(client, TableName, item)
    expect(await get(client, TableName, key('types'))).toEqual(item)
  })

  it('compares numbers by value', async () => {
    await put(client, TableName, { ...key('numbers'), a: N('007.50'), b: N('1E3') })
    expect(await get(client, TableName, key('numbers'))).toMatchObject({ a: N('7.5'), b: N('1000') })
    await catchRejection(put(client, TableName, { ...key('numbers'), a: N('1'.repeat(39)) }), 'ValidationException')
  })

  it('returns the replaced or deleted item on request', async () => {
    await put(client, TableName, { ...key('old'), v: N(1) })
    const replace = new PutItemCommand({ TableName, Item: { ...key('old'), v: N(2) }, ReturnValues: 'ALL_OLD' })
    expect((await client.send(replace)).Attributes).toEqual({ ...key('old'), v: N(1) })
    const remove = new DeleteItemCommand({ TableName, Key: key('old'), ReturnValues: 'ALL_OLD' })
    expect((await client.send(remove)).Attributes).toEqual({ ...key('old'), v: N(2) })
    expect((await client.send(remove)).Attributes).toBeUndefined()
  })

  it.each(['put', 'update', 'delete'])(
    'leaves the item unchanged and returns it when the condition of a %s fails',
    async (kind) => {
      const item = { ...key(`condition-${kind}`), v: N(1) }
      await put(client, TableName, item)
      const conditional = {
        TableName,
        ConditionExpression: 'v > :one',
        ExpressionAttributeValues: { ':one': N(1) },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      } as const
      const Key = key(`condition-${kind}`)
      const request = {
        put: () => client.send(new PutItemCommand({ ...conditional, Item: { ...Key, v: N(9) } })),
        update: () => client.send(new UpdateItemCommand({ ...conditional, Key, UpdateExpression: 'REMOVE v' })),
        delete: () => client.send(new DeleteItemCommand({ ...conditional, Key })),
      }[kind]!
      const error = await catchRejection<ConditionalCheckFailedException>(request(), 'ConditionalCheckFailedException')
      expect(error).toBeInstanceOf(ConditionalCheckFailedException)
      expect(error.Item).toEqual(item)
      expect(await get(client, TableName, Key)).toEqual(item)
    },
  )

  const subject: Item = {
    n: N(5),
    s: S('abc'),
    blank: S(''),
    no: { BOOL: false },
    b: { B: new Uint8Array([1, 2, 3]) },
    tags: { SS: ['x', 'y'] },
    l: { L: [S('one'), { M: { deep: N(1) } }] },
    m: { M: { a: N(1), b: { L: [S('z')] } } },
  }
  const conditions: [string, Item, boolean][] = [
    ['n = :v', { ':v': N('5.0') }, true],
    ['n <> :v', { ':v': S('5') }, true],
    ['absent <> :v', { ':v': S('5') }, true],
    ['n BETWEEN :a AND :b', { ':a': N(5), ':b': N(6) }, true],
    ['n > :v', { ':v': N(10) }, false],
    ['s < :v', { ':v': S('b') }, true],
    ['s < :v', { ':v': N(9) }, false],
    ['s IN (:a, :b)', { ':a': S('x'), ':b': S('abc') }, true],
    ['#no IN (:a, absent)', { ':a': { BOOL: false } }, true],
    ['blank = :v', { ':v': S('') }, true],
    ['tags = :v', { ':v': { SS: ['y', 'x'] } }, true],
    ['l = :v', { ':v': subject.l! }, true],
    ['m = :v', { ':v': subject.m! }, true],
    ['m = :v', { ':v': { M: { a: N(1), b: { L: [S('y')] } } } }, false],
    ['size(l) < :v', { ':v': N(3) }, true],
    ['size(absent) < :v', { ':v': N(3) }, false],
    ['size(blank) = :v', { ':v': N(0) }, true],
    ['size(tags) = :v AND size(m) = :v', { ':v': N(2) }, true],
    ['attribute_exists(l[1].deep)', {}, true],
    ['attribute_exists(l[2])', {}, false],
    ['attribute_not_exists(m.absent)', {}, true],
    ['attribute_type(#no, :v)', { ':v': S('BOOL') }, true],
    ['begins_with(s, :v)', { ':v': S('ab') }, true],
    ['begins_with(b, :v)', { ':v': { B: new Uint8Array([1, 2]) } }, true],
    ['contains(s, :v)', { ':v': S('bc') }, true],
    ['contains(tags, :v)', { ':v': S('x') }, true],
    ['contains(l, :v)', { ':v': { M: { deep: N(1) } } }, true],
    ['contains(l, :v)', { ':v': N(1) }, false],
    ['NOT (n = :v OR s = :s) AND n = :v', { ':v': N(5), ':s': S('') }, false],
    ['attribute_not_exists(absent) OR size(absent) < :v', { ':v': N(1) }, true],
  ]
  it.each(conditions)('evaluates `%s` with %j to %s', async (ConditionExpression, values, expected) => {
    const Item = { ...key('subject'), ...subject }
    await put(client, TableName, Item)
    const request = new PutItemCommand({
      TableName,
      Item,
      ConditionExpression,
      ExpressionAttributeValues: Object.keys(values).length ? values : undefined,
      ExpressionAttributeNames: ConditionExpression.includes('#no') ? { '#no': 'no' } : undefined,
    })
    if (expected) await client.send(request)
    else await catchRejection(client.send(request), 'ConditionalCheckFailedException')
  })

  it('applies set, add, remove and delete in one update', async () => {
    await put(client, TableName, { ...key('update'), gone: S('x'), tags: { SS: ['a', 'b'] }, m: { M: { x: N(1) } } })
    const expression =
      'SET l = list_append(if_not_exists(l, :none), :v), d = if_not_exists(d, :zero) + :one, m.y = m.x - :one ' +
      'ADD cnt :one REMOVE gone DELETE tags :a'
    const values = { ':none': { L: [] }, ':v': { L: [S('x')] }, ':zero': N(0), ':one': N(1), ':a': { SS: ['a'] } }
    const { Attributes } = await update(key('update'), expression, values)
    expect(Attributes).toEqual({
      ...key('update'),
      l: { L: [S('x')] },
      d: N(1),
      cnt: N(1),
      tags: { SS: ['b'] },
      m: { M: { x: N(1), y: N(0) } },
    })
  })

  it('reads every operand from before the update', async () => {
    await put(client, TableName, { ...key('swap'), a: N(1), b: N(2) })
    const { Attributes } = await update(key('swap'), 'SET a = b, b = a')
    expect(Attributes).toMatchObject({ a: N(2), b: N(1) })
  })

  it('resolves list positions before the update and appends at the end', async () => {
    await put(client, TableName, { ...key('list'), l: { L: ['a', 'b', 'c'].map(S) } })
    const { Attributes } = await update(key('list'), 'SET l[9] = :d REMOVE l[0], l[1]', { ':d': S('d') })
    expect(Attributes!.l).toEqual({ L: ['c', 'd'].map(S) })
  })

  it('returns what ReturnValues requests', async () => {
    await put(client, TableName, { ...key('returns'), a: N(1), b: N(1) })
    const getReturned = async (values: ReturnValue) =>
      (await update(key('returns'), 'SET a = a + :one', { ':one': N(1) }, values)).Attributes
    expect(await getReturned('UPDATED_NEW')).toEqual({ a: N(2) })
    expect(await getReturned('UPDATED_OLD')).toEqual({ a: N(2) })
    expect(await getReturned('ALL_OLD')).toEqual({ ...key('returns'), a: N(3), b: N(1) })
    expect(await getReturned('NONE')).toBeUndefined()
  })

  const impossible: [string, string, Item | undefined][] = [
    ['an operand that is missing', 'SET a = absent', undefined],
    ['a path through nothing', 'SET absent.x = :v', { ':v': N(1) }],
    ['adding to a string', 'ADD s :v', { ':v': N(1) }],
    ['appending to a string', 'SET s = list_append(s, :v)', { ':v': { L: [] } }],
    ['changing a key', 'SET sk = :v', { ':v': S('x') }],
    ['two changes of one path', 'SET s = :v REMOVE s', { ':v': S('x') }],
  ]
  it.each(impossible)('rejects %s', async (_what, expression, values) => {
    await put(client, TableName, { ...key('impossible'), s: S('x') })
    await catchRejection(update(key('impossible'), expression, values), 'ValidationException')
    expect(await get(client, TableName, key('impossible'))).toEqual({ ...key('impossible'), s: S('x') })
  })

  it('loses no entry of a bounded list with eight writers', async () => {
    const LIMIT = 40
    let refused = 0
    const appended: string[] = []
    await runInParallel(64, 8, async (index) => {
      const request = new UpdateItemCommand({
        TableName,
        Key: key('queue'),
        UpdateExpression: 'SET q = list_append(if_not_exists(q, :none), :entry)',
        ConditionExpression: 'attribute_not_exists(q) OR size(q) < :limit',
        ExpressionAttributeValues: { ':none': { L: [] }, ':entry': { L: [S(`e${index}`)] }, ':limit': N(LIMIT) },
        ReturnValues: 'UPDATED_NEW',
      })
      const answer = await client.send(request).catch((error: Error) => error)
      if (answer instanceof ConditionalCheckFailedException) refused += 1
      else if (answer instanceof Error) throw answer
      else appended.push(answer.Attributes!.q!.L!.at(-1)!.S!)
    })
    const queue = (await get(client, TableName, key('queue')))!.q!.L!.map((entry) => entry.S)
    expect(queue).toHaveLength(LIMIT)
    expect([...queue].sort()).toEqual(appended.sort())
    expect(refused).toBe(64 - LIMIT)
  })

  it('counts every increment of eight writers', async () => {
    await runInParallel(200, 8, () => update(key('counter'), 'ADD n :one', { ':one': N(1) }))
    expect((await get(client, TableName, key('counter')))!.n).toEqual(N(200))
  })

  it('measures item sizes in bytes', async () => {
    const bytes: AttributeValue = { B: new Uint8Array(390 * 1024).fill(7) }
    await put(client, TableName, { ...key('large'), bytes })
    expect((await get(client, TableName, key('large')))!.bytes).toEqual(bytes)
    await catchRejection(
      put(client, TableName, { ...key('large'), text: S('é'.repeat(205 * 1024)) }),
      'ValidationException',
    )
    const grow = update(key('large'), 'SET more = :m', { ':m': S('m'.repeat(20 * 1024)) })
    await catchRejection(grow, 'ValidationException')
  })

  it('returns only the paths of a projection', async () => {
    await put(client, TableName, {
      ...key('paths'),
      a: N(1),
      m: { M: { x: N(1), y: N(2) } },
      l: { L: [N(1), N(2), N(3)] },
    })
    const { Item } = await client.send(
      new GetItemCommand({ TableName, Key: key('paths'), ProjectionExpression: 'm.y, l[2], l[0], absent' }),
    )
    expect(Item).toEqual({ m: { M: { y: N(2) } }, l: { L: [N(1), N(3)] } })
  })

  it('writes 25 and reads 100 items per batch, and rejects more', async () => {
    const batch = (start: number, count: number) =>
      client.send(
        new BatchWriteItemCommand({
          RequestItems: {
            [TableName]: Array.from({ length: count }, (_, index) => ({
              PutRequest: { Item: { ...key(String(start + index), 'batch'), n: N(start + index) } },
            })),
          },
        }),
      )
    for (const start of [0, 25, 50, 75]) expect((await batch(start, 25)).UnprocessedItems).toEqual({})
    await catchRejection(batch(100, 26), 'ValidationException')
    const read = (count: number) =>
      client.send(
        new BatchGetItemCommand({
          RequestItems: { [TableName]: { Keys: Array.from({ length: count }, (_, n) => key(String(n), 'batch')) } },
        }),
      )
    const found = (await read(100)).Responses![TableName]!
    expect(found.map((item) => Number(item.n!.N)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, n) => n),
    )
    await catchRejection(read(101), 'ValidationException')
    const projected = { [TableName]: { Keys: [key('7', 'batch')], ProjectionExpression: 'n' } }
    const { Responses } = await client.send(new BatchGetItemCommand({ RequestItems: projected }))
    expect(Responses).toEqual({ [TableName]: [{ n: N(7) }] })
    const twice = { [TableName]: { Keys: [key('1', 'batch'), key('1', 'batch')] } }
    await catchRejection(client.send(new BatchGetItemCommand({ RequestItems: twice })), 'ValidationException')
  })

  it('returns the unprocessed keys of a batch response', async () => {
    const keys = Array.from({ length: 45 }, (_, index) => key(String(index), 'heavy'))
    const bytes = { B: new Uint8Array(380 * 1024) }
    await runInParallel(keys.length, 4, (index) => put(client, TableName, { ...keys[index]!, bytes }))
    const read = (Keys: Item[]): Promise<BatchGetItemCommandOutput> =>
      client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }))
    const first = await read(keys)
    const left = first.UnprocessedKeys![TableName]!.Keys!
    expect(left.length).toBeGreaterThan(0)
    const second = await read(left)
    expect(first.Responses![TableName]!.length + second.Responses![TableName]!.length).toBe(45)
  })

  it('returns the consumed capacity', async () => {
    const indexed = await newIndexedTable(client)
    const Item = { ...key('1'), gpk: S('g'), gsk: S('1'), text: S('x'.repeat(1500)) }
    const write = new PutItemCommand({ TableName: indexed, Item, ReturnConsumedCapacity: 'TOTAL' })
    expect((await client.send(write)).ConsumedCapacity?.CapacityUnits).toBe(4)
    const read = (ConsistentRead: boolean) =>
      client.send(
        new GetItemCommand({ TableName: indexed, Key: key('1'), ConsistentRead, ReturnConsumedCapacity: 'TOTAL' }),
      )
    expect((await read(true)).ConsumedCapacity?.CapacityUnits).toBe(1)
    expect((await read(false)).ConsumedCapacity?.CapacityUnits).toBe(0.5)
  })
})
