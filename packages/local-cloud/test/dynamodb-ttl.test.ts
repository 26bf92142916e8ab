/** TTL of the embedded DynamoDB only; other clouds take days to delete expired items. */
import { QueryCommand, ScanCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { buildKey, Store } from '../src/dynamodb/store.ts'
import { createTable } from '../src/dynamodb/tables.ts'
import { removeExpiredTokens, transactWriteItems } from '../src/dynamodb/transactions.ts'
import {
  createTableInput,
  get,
  type Item,
  key,
  N,
  newIndexedTable,
  newTable,
  put,
  S,
  startSuite,
  waitUntil,
} from './dynamodb-kit.ts'

const client = await startSuite({ inMemory: true })
const nowSeconds = () => Math.floor(Date.now() / 1000)

describe.skipIf(process.env.CLOUD)('time to live', () => {
  const setTtl = (TableName: string, Enabled: boolean) =>
    client.send(
      new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled, AttributeName: 'expires' } }),
    )
  const isGone = (TableName: string, Key: Item) => async () => (await get(client, TableName, Key)) === undefined

  it('removes only expired items, from the indexes too', async () => {
    const TableName = await newIndexedTable(client)
    await setTtl(TableName, true)
    const kept: [string, Item][] = [
      ['future', { expires: N(nowSeconds() + 3600) }],
      ['without', {}],
      ['text', { expires: S(String(nowSeconds() - 10)) }],
      ['older than five years', { expires: N(nowSeconds() - 6 * 365 * 24 * 3600) }],
      ['milliseconds', { expires: N(Date.now()) }],
    ]
    for (const [sk, more] of kept) await put(client, TableName, { ...key(sk), kpk: S('k'), ...more })
    await put(client, TableName, { ...key('expired'), kpk: S('k'), expires: N(nowSeconds() - 10) })
    await waitUntil(isGone(TableName, key('expired')), 'the expired item is removed')
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

  it('follows a changed expiry', async () => {
    const TableName = await newTable(client)
    await setTtl(TableName, true)
    await put(client, TableName, { ...key('moved'), expires: N(nowSeconds() + 1) })
    await put(client, TableName, { ...key('moved'), expires: N(nowSeconds() + 3600) })
    await put(client, TableName, { ...key('left'), expires: N(nowSeconds() + 1) })
    await waitUntil(isGone(TableName, key('left')), 'the item that was left expires')
    expect(await get(client, TableName, key('moved'))).toBeDefined()
  })

  it('applies to existing items when enabled and stops when disabled', async () => {
    const TableName = await newTable(client)
    await put(client, TableName, { ...key('early'), expires: N(nowSeconds() - 10) })
    await setTtl(TableName, true)
    await waitUntil(isGone(TableName, key('early')), 'the early item is removed')
    await setTtl(TableName, false)
    await put(client, TableName, { ...key('late'), expires: N(nowSeconds() - 10) })
    const other = await newTable(client)
    await setTtl(other, true)
    await put(client, other, { ...key('marker'), expires: N(nowSeconds() - 10) })
    await waitUntil(isGone(other, key('marker')), 'a sweep has passed')
    expect(await get(client, TableName, key('late'))).toBeDefined()
  })
})

describe.skipIf(process.env.CLOUD)('transaction tokens', () => {
  it('expire after ten minutes unless they are used again', async () => {
    const store = await Store.open()
    await createTable(store, { ...createTableInput({ TableName: 'tokens' }) })
    const sendWithToken = (ClientRequestToken: string) =>
      transactWriteItems(store, {
        ClientRequestToken,
        TransactItems: [{ Put: { TableName: 'tokens', Item: key(ClientRequestToken) } }],
      })
    const isKnown = async (token: string) => (await store.getValue(buildKey.token(token))) !== undefined
    await sendWithToken('first')
    const { at } = (await store.getValue<{ at: number }>(buildKey.token('first')))!
    await removeExpiredTokens(store, at + 600_000)
    expect(await isKnown('first')).toBe(true)
    await store.commit([{ type: 'put', key: buildKey.tokenAge(at - 900_000, 'first'), value: 0 }])
    await removeExpiredTokens(store, at + 1)
    expect(await isKnown('first')).toBe(true)
    await removeExpiredTokens(store, at + 600_001)
    expect(await isKnown('first')).toBe(false)
    await store.close()
  })
})
