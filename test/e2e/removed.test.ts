/** What hangs below a deleted thing goes with it, level by level. */
import { type AttributeValue, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { beforeEach, expect, it } from 'vitest'
import { callerOf, mintAccount, mustOf, server, type TestAccount, until } from '../support/api.ts'
import { expireLater } from '../support/retention.ts'

let account: TestAccount
let admin: ReturnType<typeof callerOf>
let environmentId: string
let authorization: string

beforeEach(async () => {
  account = await mintAccount()
  const { email, password } = account
  const { accessToken } = (await callerOf(undefined)('POST', '/auth', { email, password })).body
  admin = callerOf(accessToken)
  authorization = `Bearer ${accessToken}`
  environmentId = (await admin('POST', '/environments', { name: 'doomed', isProd: false })).body.data.id
})

const must = mustOf(() => admin)
const gone = (path: string) => until(async () => (await admin('GET', path)).status === 404)

async function filledSpace() {
  const space = await must('POST', '/spaces', { environmentId, name: 'Space' })
  const sheets = [{ name: 'A', slug: 'a', fields: [{ key: 'k', type: 'string' }] }]
  const workbooks = await Promise.all(
    [1, 2].map((name) => must('POST', '/workbooks', { spaceId: space.id, name: `W${name}`, sheets })),
  )
  const job = await must('POST', '/jobs', { type: 'space', operation: 'nothing', source: space.id })
  const form = new FormData()
  for (const [name, value] of Object.entries({ spaceId: space.id, environmentId })) form.append(name, value)
  form.append('file', new Blob(['bytes'], { type: 'application/octet-stream' }), 'picture.bin')
  const uploaded = await fetch(`${server().baseUrl}/v1/files`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  })
  const file = ((await uploaded.json()) as { data: { id: string } }).data
  return { space, job, file, workbooks, sheetIds: workbooks.map((workbook) => workbook.sheets[0].id as string) }
}

it('a deleted space takes its workbooks, sheets and jobs along, and each tells of its end', async () => {
  const { space, job, file, workbooks, sheetIds } = await filledSpace()
  const other = await filledSpace()
  await must('DELETE', `/spaces/${space.id}`)
  for (const id of sheetIds) await gone(`/sheets/${id}`)
  for (const { id } of workbooks) await gone(`/workbooks/${id}`)
  await gone(`/jobs/${job.id}`)
  await gone(`/files/${file.id}`)
  const told = await until(async () => {
    const events = await must('GET', `/events?environmentId=${environmentId}&pageSize=500`)
    const topics = events
      .map(({ topic }: { topic: string }) => topic)
      .filter((topic: string) => topic.endsWith(':deleted'))
    return topics.length === 7 && topics
  })
  expect(told.toSorted()).toEqual([
    'file:deleted',
    'job:deleted',
    'sheet:deleted',
    'sheet:deleted',
    'space:deleted',
    'workbook:deleted',
    'workbook:deleted',
  ])
  for (const id of other.sheetIds) expect((await admin('GET', `/sheets/${id}`)).status).toBe(200)
})

it('a deleted environment takes its spaces, its agents with their functions, and its keys along', async () => {
  const { space, sheetIds } = await filledSpace()
  const [{ data: keys }] = [(await admin('GET', `/auth/api-keys?environmentId=${environmentId}`)).body]
  const secret = keys.find(({ type }: { type: string }) => type === 'SECRET').rawKey as string
  const agent = await must('POST', `/agents?environmentId=${environmentId}`, {
    slug: 'a',
    topics: ['a:b'],
    source: 'exports.routeEvent = () => {}',
  })
  expect((await callerOf(secret)('GET', '/spaces')).status).toBe(200)
  await must('DELETE', `/environments/${environmentId}`)
  for (const id of sheetIds) await gone(`/sheets/${id}`)
  await gone(`/spaces/${space.id}`)
  await gone(`/agents/${agent.id}`)
  await until(async () => (await callerOf(secret)('GET', '/spaces')).status === 401)
  const { cloud: endpoint, environment } = server()
  const lambda = new LambdaClient({ endpoint, region: 'us-east-1' })
  await expect(
    lambda.send(new GetFunctionCommand({ FunctionName: `${environment.FUNCTION_PREFIX}${agent.id}` })),
  ).rejects.toThrow(/not found/i)
})

it('a deleted space or environment takes the roles on it along, and leaves the others', async () => {
  const [doomed, kept] = [
    await must('POST', '/spaces', { environmentId, name: 'Doomed' }),
    await must('POST', '/spaces', { environmentId: account.environmentId, name: 'Kept' }),
  ]
  const reads = (resourceId: string) => ({ roleId: 'us_rol_reader', resourceId })
  const user = await must('POST', '/users/invite', {
    email: `roles-${process.pid}-${Date.now()}@example.com`,
    name: 'Grace',
    actorRoles: [doomed.id, kept.id, environmentId].map(reads),
  })
  const agent = await must('POST', `/agents?environmentId=${environmentId}`, {
    slug: 'a',
    topics: ['a:b'],
    source: 'exports.routeEvent = () => {}',
  })
  await must('POST', `/agents/${agent.id}/roles`, reads(doomed.id))
  const placesOf = async (path: string) =>
    (await must('GET', `${path}/roles`)).map(({ resourceId }: { resourceId: string }) => resourceId)
  const becomes = (path: string, places: string[]) =>
    until(async () => JSON.stringify(await placesOf(path)) === JSON.stringify(places))
  expect(await placesOf(`/users/${user.id}`)).toEqual([doomed.id, kept.id, environmentId])
  expect(await placesOf(`/agents/${agent.id}`)).toEqual([environmentId, doomed.id])
  await must('DELETE', `/spaces/${doomed.id}`)
  await becomes(`/users/${user.id}`, [kept.id, environmentId])
  await becomes(`/agents/${agent.id}`, [environmentId])
  expect((await admin('POST', `/users/${user.id}/roles`, reads(doomed.id))).status).toBe(404)
  await must('DELETE', `/environments/${environmentId}`)
  await becomes(`/users/${user.id}`, [kept.id])
})

it('a deleted environment takes its retention policies along, and what is known of its expired things', async () => {
  const { space } = await filledSpace()
  const policy = await must('POST', '/data-retention-policies', { type: 'sinceCreated', period: 1, environmentId })
  expect((await expireLater(environmentId, 2)).expired).toBe(4)
  const { membersOf } = await import('../../lib/table/members.ts')
  const known = async () => {
    const ids: string[] = []
    for (const set of ['retention', `expired#${environmentId}`])
      for await (const members of membersOf(set)) ids.push(...members.map(({ member }) => member))
    return ids.filter((id) => id.startsWith(environmentId) || !id.includes('#'))
  }
  expect(await known()).toHaveLength(5)
  await must('DELETE', `/environments/${environmentId}`)
  await gone(`/data-retention-policies/${policy.id}`)
  await gone(`/spaces/${space.id}`)
  await until(async () => (await known()).length === 0)
})

it('an event somebody makes up about a space that is there removes nothing', async () => {
  const { space, sheetIds } = await filledSpace()
  await must('POST', '/events', {
    topic: 'space:deleted',
    domain: 'space',
    context: { environmentId, spaceId: space.id },
    payload: {},
  })
  const doomed = await filledSpace()
  await must('DELETE', `/spaces/${doomed.space.id}`)
  for (const id of doomed.sheetIds) await gone(`/sheets/${id}`)
  for (const id of sheetIds) expect((await admin('GET', `/sheets/${id}`)).status).toBe(200)
})

it('a deleted sheet leaves nothing of its records in storage', async () => {
  const { sheetIds } = await filledSpace()
  const [sheetId = '', otherId = ''] = sheetIds
  for (const id of [sheetId, otherId]) {
    const rows = Array.from({ length: 9000 }, (_, row) => ({ k: { value: `${row} ${Math.random()}` } }))
    await must('POST', `/sheets/${id}/records`, rows)
    await must('POST', `/sheets/${id}/records`, [...rows.slice(0, 400)])
    await must('POST', `/sheets/${id}/records`, [{ k: { value: 'small' } }])
  }
  const before = await left(sheetId)
  expect(before.items.some((key) => key.startsWith('sg#'))).toBe(true)
  expect(before.objects.length).toBeGreaterThan(0)
  await must('DELETE', `/sheets/${sheetId}`)
  await until(async () => {
    const { items, objects } = await left(sheetId)
    return items.length + objects.length === 0
  })
  expect((await must('GET', `/sheets/${otherId}/counts`)).counts.total).toBe(9401)
})

/** Keys of all that is stored under the sheet's id, in the table and in the bucket. */
async function left(sheetId: string): Promise<{ items: string[]; objects: string[] }> {
  const client = new DynamoDBClient({ region: 'us-east-1' })
  const items: string[] = []
  let from: Record<string, AttributeValue> | undefined
  do {
    const page = await client.send(
      new ScanCommand({ TableName: process.env.TABLE_NAME!, ProjectionExpression: 'pk', ExclusiveStartKey: from }),
    )
    items.push(...(page.Items ?? []).map((item) => item.pk!.S!))
    from = page.LastEvaluatedKey
  } while (from)
  const bucket = new S3Client({ region: 'us-east-1', forcePathStyle: true })
  const { Contents = [] } = await bucket.send(
    new ListObjectsV2Command({ Bucket: process.env.BUCKET_NAME!, Prefix: `seg/${sheetId}/` }),
  )
  return {
    items: items.filter((pk) => pk === `sh#${sheetId}` || pk.startsWith(`sg#${sheetId}/`)),
    objects: Contents.map(({ Key }) => Key!),
  }
}
