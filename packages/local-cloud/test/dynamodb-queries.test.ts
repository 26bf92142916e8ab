/** Conformance of the embedded DynamoDB: Query and Scan on tables and indexes. */
import {
  type AttributeValue,
  BatchWriteItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  catchRejection,
  defineTexts,
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

type Query = Omit<QueryCommandInput, 'TableName'>

async function pages(TableName: string, query: Query): Promise<Item[][]> {
  const found: Item[][] = []
  let start: Item | undefined
  do {
    const page = await client.send(new QueryCommand({ TableName, ...query, ExclusiveStartKey: start }))
    found.push(page.Items ?? [])
    start = page.LastEvaluatedKey
  } while (start)
  return found
}

const sortKeys = (items: Item[]) => items.map((item) => item.sk!.S)
const queryPartition = (condition = '', values: Item = {}): Query => ({
  KeyConditionExpression: `pk = :p${condition && ` AND ${condition}`}`,
  ExpressionAttributeValues: { ':p': S('p'), ...values },
})
const queryIndex = (value: string, changes: Query = {}): Query => ({
  IndexName: 'gsi',
  KeyConditionExpression: 'gpk = :g',
  ExpressionAttributeValues: { ':g': S(value) },
  ...changes,
})

async function putAll(TableName: string, items: Item[]) {
  const chunks = Array.from({ length: Math.ceil(items.length / 25) }, (_, index) =>
    items.slice(index * 25, index * 25 + 25),
  )
  await runInParallel(chunks.length, 2, (index) =>
    client.send(
      new BatchWriteItemCommand({
        RequestItems: { [TableName]: chunks[index]!.map((Item) => ({ PutRequest: { Item } })) },
      }),
    ),
  )
}

const createNumberedKeys = (count: number) =>
  Array.from({ length: count }, (_, index) => String(index).padStart(4, '0'))

describe('sort keys', () => {
  const orders: ['S' | 'N' | 'B', AttributeValue[]][] = [
    ['S', ['A', 'AA', 'B', 'a', 'é', '\uffee', '😀'].map(S)],
    ['N', ['-120', '-12', '-1.5', '-1.05', '-1', '0', '0.001', '1', '1.5', '10', '1E20'].map(N)],
    ['B', [[0], [0, 1], [1], [127], [128], [255]].map((bytes) => ({ B: new Uint8Array(bytes) }))],
  ]
  it.each(orders)('sorts keys of type %s in both directions', async (AttributeType, values) => {
    const TableName = await newTable(client, {
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType },
      ],
    })
    await putAll(
      TableName,
      [...values].reverse().map((sk, at) => ({ pk: S('p'), sk, at: N(values.length - 1 - at) })),
    )
    const positions = async (ScanIndexForward: boolean) => {
      const [items] = await pages(TableName, { ...queryPartition(), ScanIndexForward })
      return items!.map((item) => Number(item.at!.N))
    }
    const ascending = values.map((_, index) => index)
    expect(await positions(true)).toEqual(ascending)
    expect(await positions(false)).toEqual(ascending.reverse())
  })

  const ranges: [string, Item, string[]][] = [
    ['sk = :a', { ':a': S('b1') }, ['b1']],
    ['sk < :a', { ':a': S('b1') }, ['a', 'b']],
    ['sk <= :a', { ':a': S('b1') }, ['a', 'b', 'b1']],
    ['sk > :a', { ':a': S('b') }, ['b1', 'b12', 'c']],
    ['sk >= :a', { ':a': S('b1') }, ['b1', 'b12', 'c']],
    ['sk BETWEEN :a AND :b', { ':a': S('b'), ':b': S('b1') }, ['b', 'b1']],
    ['begins_with(sk, :a)', { ':a': S('b1') }, ['b1', 'b12']],
  ]
  it.each(ranges)('matches `%s` to %j, page by page too', async (condition, values, expected) => {
    const TableName = await newTable(client)
    await putAll(
      TableName,
      ['a', 'b', 'b1', 'b12', 'c'].map((sk) => key(sk)),
    )
    await put(client, TableName, key('b1', 'another partition'))
    const query = queryPartition(condition, values)
    expect(sortKeys((await pages(TableName, query)).flat())).toEqual(expected)
    const backwards = (await pages(TableName, { ...query, ScanIndexForward: false, Limit: 1 })).flat()
    expect(sortKeys(backwards)).toEqual(expected.reverse())
  })
})

describe('query and scan pages', () => {
  let TableName: string
  beforeAll(async () => {
    TableName = await newTable(client)
    await putAll(
      TableName,
      createNumberedKeys(95).map((sk, index) => ({ ...key(sk), third: N(index % 3) })),
    )
  })

  it('respects the item limit without gaps or overlaps', async () => {
    const found = await pages(TableName, { ...queryPartition(), Limit: 10 })
    expect(found.slice(0, 9).every((page) => page.length === 10)).toBe(true)
    expect(sortKeys(found.flat())).toEqual(createNumberedKeys(95))
  })

  it('applies the limit before the filter', async () => {
    const query = queryPartition('', { ':t': N(0) })
    const page = await client.send(new QueryCommand({ TableName, ...query, FilterExpression: 'third = :t', Limit: 10 }))
    expect([page.Count, page.ScannedCount]).toEqual([4, 10])
  })

  it('counts without returning items', async () => {
    const page = await client.send(new QueryCommand({ TableName, ...queryPartition(), Select: 'COUNT' }))
    expect([page.Count, page.Items]).toEqual([95, undefined])
  })

  it('ends a page at one megabyte', async () => {
    const heavy = await newTable(client)
    await runInParallel(6, 2, (index) =>
      put(client, heavy, { ...key(String(index)), b: { B: new Uint8Array(390 * 1024) } }),
    )
    const found = await pages(heavy, queryPartition())
    expect(found.length).toBeGreaterThan(1)
    expect(found[0]!.length).toBeLessThanOrEqual(3)
    expect(sortKeys(found.flat())).toEqual(['0', '1', '2', '3', '4', '5'])
  })

  it('rejects a start key outside the query', async () => {
    const query = { ...queryPartition('sk > :a', { ':a': S('0050') }), ExclusiveStartKey: key('0001') }
    await catchRejection(client.send(new QueryCommand({ TableName, ...query })), 'ValidationException')
    const incomplete = { ...queryPartition(), ExclusiveStartKey: { pk: S('p') } }
    await catchRejection(client.send(new QueryCommand({ TableName, ...incomplete })), 'ValidationException')
  })

  it('filters a scan', async () => {
    const scan = new ScanCommand({
      TableName,
      FilterExpression: 'third IN (:a, :b)',
      ExpressionAttributeValues: { ':a': N(1), ':b': N(2) },
    })
    expect((await client.send(scan)).Count).toBe(63)
  })
})

describe('global secondary indexes', () => {
  it('contains an item while it has the index keys, at its latest position', async () => {
    const TableName = await newIndexedTable(client)
    const update = (UpdateExpression: string, values?: Item) =>
      client.send(
        new UpdateItemCommand({ TableName, Key: key('1'), UpdateExpression, ExpressionAttributeValues: values }),
      )
    const found = async (value: string) => (await pages(TableName, queryIndex(value))).flat()
    await put(client, TableName, key('1'))
    expect(await found('g')).toEqual([])
    await update('SET gpk = :g, gsk = :s', { ':g': S('g'), ':s': S('1') })
    expect(await found('g')).toEqual([{ ...key('1'), gpk: S('g'), gsk: S('1') }])
    await update('SET gpk = :g', { ':g': S('h') })
    expect([await found('g'), (await found('h')).length]).toEqual([[], 1])
    await update('REMOVE gsk')
    expect(await found('h')).toEqual([])
  })

  it.each([true, false])('pages through equal keys, each item once (forward: %s)', async (ScanIndexForward) => {
    const TableName = await newIndexedTable(client)
    await putAll(
      TableName,
      createNumberedKeys(60).map((sk, index) => ({ ...key(sk), gpk: S('g'), gsk: S(String(index % 3)) })),
    )
    const found = (await pages(TableName, queryIndex('g', { ScanIndexForward, Limit: 7 }))).flat()
    expect(sortKeys(found).sort()).toEqual(createNumberedKeys(60))
    const order = found.map((item) => Number(item.gsk!.S))
    expect(order).toEqual([...order].sort((a, b) => (ScanIndexForward ? a - b : b - a)))
  })

  it('separates items whose keys have the same short hash', async () => {
    const TableName = await newIndexedTable(client)
    const colliding = ['item-2335', 'item-2661']
    await putAll(
      TableName,
      colliding.map((sk) => ({ ...key(sk), kpk: S('k') })),
    )
    const query: Query = {
      IndexName: 'keys',
      KeyConditionExpression: 'kpk = :k',
      ExpressionAttributeValues: { ':k': S('k') },
      Limit: 1,
    }
    const found = (await pages(TableName, query)).flat()
    expect(sortKeys(found).sort()).toEqual(colliding)
  })

  it('returns only projected attributes and rejects others', async () => {
    const TableName = await newIndexedTable(client)
    await put(client, TableName, { ...key('1'), kpk: S('k'), more: S('x') })
    const query: Query = {
      IndexName: 'keys',
      KeyConditionExpression: 'kpk = :k',
      ExpressionAttributeValues: { ':k': S('k') },
    }
    expect((await pages(TableName, query)).flat()).toEqual([{ ...key('1'), kpk: S('k') }])
    const asked = client.send(new QueryCommand({ TableName, ...query, ProjectionExpression: 'more' }))
    await catchRejection(asked, 'ValidationException')
    const consistent = client.send(new QueryCommand({ TableName, ...query, ConsistentRead: true }))
    await catchRejection(consistent, 'ValidationException')
    const unknown = client.send(new QueryCommand({ TableName, ...query, IndexName: 'unknown' }))
    await catchRejection(unknown, 'ValidationException')
  })

  it('rejects an empty or mistyped index key', async () => {
    const TableName = await newIndexedTable(client)
    await catchRejection(put(client, TableName, { ...key('1'), kpk: S('') }), 'ValidationException')
    await catchRejection(put(client, TableName, { ...key('1'), kpk: N(1) }), 'ValidationException')
  })
})

describe('local secondary indexes', () => {
  let TableName: string
  const query = (changes: Query) =>
    pages(TableName, {
      IndexName: 'by-rank',
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': S('p') },
      ...changes,
    })

  beforeAll(async () => {
    TableName = await newTable(client, {
      AttributeDefinitions: defineTexts(['pk', 'sk', 'rank']),
      LocalSecondaryIndexes: [
        {
          IndexName: 'by-rank',
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'rank', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    })
    const items = ['c', 'b', 'a'].map((rank, at) => ({
      ...key(`${at}`),
      rank: S(rank),
      color: S(`color ${rank}`),
    }))
    await putAll(TableName, [...items, key('without rank'), { ...key('0', 'other'), rank: S('a') }])
  })

  it('order the items of a partition by another attribute, page by page', async () => {
    const found = await query({ Limit: 2 })
    expect(found.map((page) => page.map(({ rank }) => rank?.S))).toEqual([['a', 'b'], ['c']])
    expect(found.flat()[0]).toEqual({ ...key('2'), rank: S('a') })
  })

  it('are read consistently, with what they do not project from the table', async () => {
    const all = (await query({ Select: 'ALL_ATTRIBUTES', ConsistentRead: true })).flat()
    expect(all.map(({ color }) => color?.S)).toEqual(['color a', 'color b', 'color c'])
    expect((await query({ ProjectionExpression: 'color' })).flat()[0]).toEqual({ color: S('color a') })
    const values = { ':p': S('p'), ':c': S('color b') }
    const filtered = await query({ FilterExpression: 'color = :c', ExpressionAttributeValues: values })
    expect(filtered.flat().map(({ sk }) => sk?.S)).toEqual(['1'])
  })
})

describe('parameters', () => {
  it('rejects SPECIFIC_ATTRIBUTES without their names, and a segment without their number', async () => {
    const TableName = await newTable(client)
    const select = new ScanCommand({ TableName, Select: 'SPECIFIC_ATTRIBUTES' })
    await catchRejection(client.send(select), 'ValidationException')
    await catchRejection(client.send(new ScanCommand({ TableName, Segment: 0 })), 'ValidationException')
  })
})
