/** What the embedded DynamoDB removes in time. Other clouds take days for that, so it is tested here alone. */
import { type DynamoDBClient, QueryCommand, ScanCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { place, Store } from '../../localstack/cloud/dynamodb/store.ts'
import { createTable } from '../../localstack/cloud/dynamodb/tables.ts'
import { forgetTokens, transactWriteItems } from '../../localstack/cloud/dynamodb/transactions.ts'
import {
  get,
  type Item,
  key,
  N,
  newIndexedTable,
  newTable,
  put,
  S,
  type Suite,
  startSuite,
  tableInput,
  until,
} from './dynamodb-kit.ts'

const nowSeconds = () => Math.floor(Date.now() / 1000)

describe.skipIf(process.env.CLOUD)('time to live', () => {
  let suite: Suite
  let client: DynamoDBClient
  beforeAll(async () => {
    suite = await startSuite({ inMemory: true })
    client = suite.client
  })
  afterAll(() => suite.close())

  const specify = (TableName: string, Enabled: boolean) =>
    client.send(
      new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled, AttributeName: 'expires' } }),
    )
  const isGone = (TableName: string, Key: Item) => async () => (await get(client, TableName, Key)) === undefined

  it('removes what has expired, also from the indexes, and nothing else', async () => {
    const TableName = await newIndexedTable(client)
    await specify(TableName, true)
    const kept: [string, Item][] = [
      ['future', { expires: N(nowSeconds() + 3600) }],
      ['without', {}],
      ['text', { expires: S(String(nowSeconds() - 10)) }],
      ['older than five years', { expires: N(nowSeconds() - 6 * 365 * 24 * 3600) }],
      ['milliseconds', { expires: N(Date.now()) }],
    ]
    for (const [sk, more] of kept) await put(client, TableName, { ...key(sk), kpk: S('k'), ...more })
    await put(client, TableName, { ...key('expired'), kpk: S('k'), expires: N(nowSeconds() - 10) })
    await until(isGone(TableName, key('expired')), 'the expired item is removed')
    const names = kept.map(([sk]) => sk).sort()
    const table = await client.send(new ScanCommand({ TableName }))
    expect(table.Items!.map((item) => item.sk!.S!).sort()).toEqual(names)
    const index = await client.send(
      new QueryCommand({
        TableName,
        IndexName: 'keys',
        KeyConditionExpression: 'kpk = :k',
        ExpressionAttributeValues: { ':k': S('k') },
      }),
    )
    expect(index.Items!.map((item) => item.sk!.S!).sort()).toEqual(names)
  })

  it('follows an item whose expiry is moved', async () => {
    const TableName = await newTable(client)
    await specify(TableName, true)
    await put(client, TableName, { ...key('moved'), expires: N(nowSeconds() + 1) })
    await put(client, TableName, { ...key('moved'), expires: N(nowSeconds() + 3600) })
    await put(client, TableName, { ...key('left'), expires: N(nowSeconds() + 1) })
    await until(isGone(TableName, key('left')), 'the item that was left expires')
    expect(await get(client, TableName, key('moved'))).toBeDefined()
  })

  it('applies to items that were there before it was enabled, and ends when it is disabled', async () => {
    const TableName = await newTable(client)
    await put(client, TableName, { ...key('early'), expires: N(nowSeconds() - 10) })
    await specify(TableName, true)
    await until(isGone(TableName, key('early')), 'the early item is removed')
    await specify(TableName, false)
    await put(client, TableName, { ...key('late'), expires: N(nowSeconds() - 10) })
    const other = await newTable(client)
    await specify(other, true)
    await put(client, other, { ...key('marker'), expires: N(nowSeconds() - 10) })
    await until(isGone(other, key('marker')), 'a sweep has passed')
    expect(await get(client, TableName, key('late'))).toBeDefined()
  })
})

describe.skipIf(process.env.CLOUD)('the tokens of transactions', () => {
  it('are forgotten after ten minutes, unless they were used again', async () => {
    const store = await Store.open()
    await createTable(store, { ...tableInput({ TableName: 'tokens' }) })
    const use = (ClientRequestToken: string) =>
      transactWriteItems(store, {
        ClientRequestToken,
        TransactItems: [{ Put: { TableName: 'tokens', Item: key(ClientRequestToken) } }],
      })
    const isKnown = async (token: string) => (await store.value(place.token(token))) !== undefined
    await use('first')
    const { at } = (await store.value<{ at: number }>(place.token('first')))!
    await forgetTokens(store, at + 600_000)
    expect(await isKnown('first')).toBe(true)
    await store.commit([{ type: 'put', key: place.tokenAge(at - 900_000, 'first'), value: 0 }])
    await forgetTokens(store, at + 1)
    expect(await isKnown('first')).toBe(true)
    await forgetTokens(store, at + 600_001)
    expect(await isKnown('first')).toBe(false)
    await store.close()
  })
})
