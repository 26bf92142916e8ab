/** Single reads by key are batched when requested together. */
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { startAuthCloud } from '../../support/auth-cloud.ts'

const cloud = await startAuthCloud()
const client = await import('../../../lib/table/client.ts')
const { getItem: get } = await import('../../../lib/table/batch.ts')

const createKey = (pk: string, sk = '-') => ({ pk: { S: pk }, sk: { S: sk } })
const writeItem = (pk: string, sk: string, is: string) =>
  client.dynamo.send(
    new PutItemCommand({ TableName: client.getTableName(), Item: { ...createKey(pk, sk), is: { S: is } } }),
  )

await writeItem('a', '-', 'a')
await writeItem('a', '2', 'a2')
await writeItem('b', '-', 'b')
beforeEach(() => cloud.reset())

const readValue = async (item: ReturnType<typeof get>) => (await item)?.is?.S

describe('item read', () => {
  it('is a separate request when issued sequentially', async () => {
    expect(await readValue(get(createKey('a')))).toBe('a')
    expect(await readValue(get(createKey('none')))).toBeUndefined()
    expect(cloud.requests).toEqual(['GetItem', 'GetItem'])
  })

  it('is batched with concurrent reads, also from promises in flight', async () => {
    const after = Promise.resolve().then(() => readValue(get(createKey('a', '2'))))
    const found = await Promise.all([
      readValue(get(createKey('b'))),
      readValue(get(createKey('none'))),
      readValue(get(createKey('a'))),
      after,
    ])
    expect(found).toEqual(['b', undefined, 'a', 'a2'])
    expect(cloud.requests).toEqual(['BatchGetItem'])
  })

  it('is deduplicated when requested twice at the same time', async () => {
    expect(await Promise.all([readValue(get(createKey('a'))), readValue(get(createKey('a')))])).toEqual(['a', 'a'])
    expect(cloud.requests).toEqual(['GetItem'])
    expect(await Promise.all(['a', 'b', 'a'].map((pk) => readValue(get(createKey(pk)))))).toEqual(['a', 'b', 'a'])
    expect(cloud.requests).toEqual(['GetItem', 'BatchGetItem'])
  })

  it('returns the current item, whatever was read before', async () => {
    await writeItem('c', '-', 'before')
    expect(await readValue(get(createKey('c')))).toBe('before')
    await writeItem('c', '-', 'after')
    expect(await readValue(get(createKey('c')))).toBe('after')
  })

  it('fails for all concurrent callers, but not for later ones', async () => {
    const send = vi.spyOn(client.dynamo, 'send').mockRejectedValueOnce(new Error('no table') as never)
    const tried = await Promise.allSettled([get(createKey('a')), get(createKey('b'))])
    send.mockRestore()
    expect(tried.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await readValue(get(createKey('a')))).toBe('a')
  })

  it('works beyond the size of one batch', async () => {
    const asked = Array.from({ length: 150 }, (_, i) => (i === 140 ? createKey('b') : createKey(`none${i}`)))
    const found = await Promise.all(asked.map((key) => readValue(get(key))))
    expect(found.flatMap((is, i) => (is === undefined ? [] : [[i, is]]))).toEqual([[140, 'b']])
    expect(cloud.requests).toEqual(['BatchGetItem', 'BatchGetItem'])
  })
})
