/** Single reads by key: together where they are asked for together. */
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuthCloud, authCloud } from '../../support/auth-cloud.ts'

let cloud: AuthCloud
let get: typeof import('../../../lib/table/batch.ts')['get']
let client: typeof import('../../../lib/table/client.ts')

const keyOf = (pk: string, sk = '-') => ({ pk: { S: pk }, sk: { S: sk } })
const write = (pk: string, sk: string, is: string) =>
  client.dynamo.send(new PutItemCommand({ TableName: client.tableName(), Item: { ...keyOf(pk, sk), is: { S: is } } }))

beforeAll(async () => {
  cloud = await authCloud()
  client = await import('../../../lib/table/client.ts')
  get = (await import('../../../lib/table/batch.ts')).get
  await write('a', '-', 'a')
  await write('a', '2', 'a2')
  await write('b', '-', 'b')
})
afterAll(() => cloud.close())
beforeEach(() => cloud.reset())

const isOf = async (item: ReturnType<typeof get>) => (await item)?.is?.S

describe('an item', () => {
  it('asked for alone is a request of its own, one after the other', async () => {
    expect(await isOf(get(keyOf('a')))).toBe('a')
    expect(await isOf(get(keyOf('none')))).toBeUndefined()
    expect(cloud.requests).toEqual(['GetItem', 'GetItem'])
  })

  it('asked for with others is one request with them, also when they are asked for by promises that are kept', async () => {
    const after = Promise.resolve().then(() => isOf(get(keyOf('a', '2'))))
    const found = await Promise.all([isOf(get(keyOf('b'))), isOf(get(keyOf('none'))), isOf(get(keyOf('a'))), after])
    expect(found).toEqual(['b', undefined, 'a', 'a2'])
    expect(cloud.requests).toEqual(['BatchGetItem'])
  })

  it('asked for twice at once is read once', async () => {
    expect(await Promise.all([isOf(get(keyOf('a'))), isOf(get(keyOf('a')))])).toEqual(['a', 'a'])
    expect(cloud.requests).toEqual(['GetItem'])
    expect(await Promise.all(['a', 'b', 'a'].map((pk) => isOf(get(keyOf(pk)))))).toEqual(['a', 'b', 'a'])
    expect(cloud.requests).toEqual(['GetItem', 'BatchGetItem'])
  })

  it('is as it is now, whatever was read before', async () => {
    await write('c', '-', 'before')
    expect(await isOf(get(keyOf('c')))).toBe('before')
    await write('c', '-', 'after')
    expect(await isOf(get(keyOf('c')))).toBe('after')
  })

  it('that cannot be read fails for all who asked, and for nobody after', async () => {
    const send = vi.spyOn(client.dynamo, 'send').mockRejectedValueOnce(new Error('no table') as never)
    const tried = await Promise.allSettled([get(keyOf('a')), get(keyOf('b'))])
    send.mockRestore()
    expect(tried.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await isOf(get(keyOf('a')))).toBe('a')
  })

  it('is found among more than a request takes', async () => {
    const asked = Array.from({ length: 150 }, (_, i) => (i === 140 ? keyOf('b') : keyOf(`none${i}`)))
    const found = await Promise.all(asked.map((key) => isOf(get(key))))
    expect(found.flatMap((is, i) => (is === undefined ? [] : [[i, is]]))).toEqual([[140, 'b']])
    expect(cloud.requests).toEqual(['BatchGetItem', 'BatchGetItem'])
  })
})
