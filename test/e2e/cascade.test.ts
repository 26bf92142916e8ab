/** An account in which everything has happened is deleted down to nothing: what is left in the table and the bucket is counted. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import { callerOf, until } from '../support/api.ts'
import { fixture } from '../support/fixture.ts'
import { tour } from '../support/tour.ts'

/**
 * What outlives the things it is about, by the kind of its item: events are the record of what happened; runs, deliveries, mails and
 * marks of late events and of listeners expire by themselves; the account with its users and their tokens is not deleted here.
 */
const OUTLIVES = [
  'event',
  'execution',
  'execution-failure',
  'execution-log',
  'invitation',
  'late',
  'listening',
  'webhook-delivery',
  'account',
  'user',
  'token',
]
const kindOf = (pk: string): string => pk.slice(0, pk.indexOf('#'))

async function allItems(): Promise<Record<string, unknown>[]> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' }))
  const items: Record<string, unknown>[] = []
  let from: Record<string, unknown> | undefined
  do {
    const page = await client.send(new ScanCommand({ TableName: process.env.TABLE_NAME!, ExclusiveStartKey: from }))
    items.push(...(page.Items ?? []))
    from = page.LastEvaluatedKey
  } while (from)
  return items
}

async function allObjects(): Promise<string[]> {
  const client = new S3Client({ region: 'us-east-1', forcePathStyle: true })
  const keys: string[] = []
  let token: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: process.env.BUCKET_NAME!, ContinuationToken: token }),
    )
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key!))
    token = page.NextContinuationToken
  } while (token)
  return keys
}

/** Ids of ours in a text. */
const IDS = /us_[a-z]+_[0-9A-Z]{26}/g

it('leaves no item and no object behind', { timeout: 300_000 }, async () => {
  const { account, token, ids } = await fixture()
  const call = callerOf(token)
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBe(200)
    return answer.body.data
  }
  // Records that are objects in the bucket, and ones that are items.
  const rows = Array.from({ length: 9000 }, (_, row) => ({ email: { value: `${row} ${Math.random()}` } }))
  for (const some of [rows, rows.slice(0, 400)]) await must('POST', `/sheets/${ids.sheetId}/records`, some)
  for (const resourceId of [ids.spaceId, ids.environmentId])
    await must('PUT', '/entitlements', { resourceId, entitlements: [{ key: 'x' }] })
  await call('POST', `/data-clips/${ids.dataClipId}/add-records?filter=all`)
  await must('POST', '/invitations', { guestId: ids.guestId, spaceId: ids.spaceId })
  const events = await tour(account)

  const environments = await must('GET', '/environments?pageSize=100')
  const gone = new Set<string>([...JSON.stringify([events, ids, environments]).match(IDS)!])
  for (const id of [account.accountId, account.userId, ids.tokenId!]) gone.delete(id)
  const isOfOurs = (text: string): boolean => (text.match(IDS) ?? []).some((id) => gone.has(id))
  const left = async () => ({
    items: (await allItems())
      .filter(({ pk, sk }) => !OUTLIVES.includes(kindOf(String(pk))) && isOfOurs(`${pk} ${sk}`))
      .map(({ pk, sk }) => `${pk} ${sk}`),
    objects: (await allObjects()).filter(isOfOurs),
  })
  const before = await left()
  const kinds = new Set(before.items.map(kindOf))
  for (const kind of ['space', 'workbook', 'sheet', 'sh', 'sg', 'clip', 'guest', 'agent', 'app', 'view', 'secret'])
    expect(kinds, kind).toContain(kind)
  expect(before.objects.length).toBeGreaterThan(3)

  for (const { id } of environments) await must('DELETE', `/environments/${id}`)
  for (const { id } of await must('GET', '/apps')) await call('DELETE', `/apps/${id}`)
  let last = before
  await until(async () => {
    last = await left()
    return last.items.length + last.objects.length === 0
  }, 180).catch(() => undefined)
  expect(last).toEqual({ items: [], objects: [] })
})
