import { GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { beforeEach, expect, it } from 'vitest'
import { createCaller, getServer, pluck, waitUntil } from '../support/api.ts'
import { account, admin, createFreshAccount, mustAsAdmin as must } from '../support/fresh-account.ts'
import { runRetentionLater } from '../support/retention.ts'
import { findLeftovers } from '../support/scan-for-secrets.ts'
import { uploadFile } from '../support/upload.ts'

let environmentId: string

beforeEach(async () => {
  await createFreshAccount()
  environmentId = (await must('POST', '/environments', { name: 'doomed', isProd: false })).id
})

const waitUntilGone = (path: string) => waitUntil(async () => (await admin('GET', path)).status === 404)

async function newFilledSpace() {
  const space = await must('POST', '/spaces', { environmentId, name: 'Space' })
  const sheets = [{ name: 'A', slug: 'a', fields: [{ key: 'k', type: 'string' }] }]
  const workbooks = await Promise.all(
    [1, 2].map((name) => must('POST', '/workbooks', { spaceId: space.id, name: `W${name}`, sheets })),
  )
  const job = await must('POST', '/jobs', { type: 'space', operation: 'nothing', source: space.id })
  const { token } = await must('POST', '/auth/personal-access-tokens', { name: 'upload' })
  const file = { id: await uploadFile({ secretKey: token }, space.id, 'picture.bin', 'bytes') }
  return { space, job, file, workbooks, sheetIds: workbooks.map((workbook) => workbook.sheets[0].id as string) }
}

it('a deleted space deletes its workbooks, sheets and jobs, with an event for each', async () => {
  const { space, job, file, workbooks, sheetIds } = await newFilledSpace()
  const other = await newFilledSpace()
  await must('DELETE', `/spaces/${space.id}`)
  for (const id of sheetIds) await waitUntilGone(`/sheets/${id}`)
  for (const { id } of workbooks) await waitUntilGone(`/workbooks/${id}`)
  await waitUntilGone(`/jobs/${job.id}`)
  await waitUntilGone(`/files/${file.id}`)
  const told = await waitUntil(async () => {
    const events = await must('GET', `/events?environmentId=${environmentId}&pageSize=500`)
    const topics = pluck(events, 'topic').filter((topic: string) => topic.endsWith(':deleted'))
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

it('a deleted environment deletes its spaces, its agents with their functions, and its keys', async () => {
  const { space, sheetIds } = await newFilledSpace()
  const [{ data: keys }] = [(await admin('GET', `/auth/api-keys?environmentId=${environmentId}`)).body]
  const secret = keys.find(({ type }: { type: string }) => type === 'SECRET').rawKey as string
  const agent = await must('POST', `/agents?environmentId=${environmentId}`, {
    slug: 'a',
    topics: ['a:b'],
    source: 'exports.routeEvent = () => {}',
  })
  expect((await createCaller(secret)('GET', '/spaces')).status).toBe(200)
  await must('DELETE', `/environments/${environmentId}`)
  for (const id of sheetIds) await waitUntilGone(`/sheets/${id}`)
  await waitUntilGone(`/spaces/${space.id}`)
  await waitUntilGone(`/agents/${agent.id}`)
  await waitUntil(async () => (await createCaller(secret)('GET', '/spaces')).status === 401)
  const { cloud: endpoint, environment } = getServer()
  const lambda = new LambdaClient({ endpoint, region: 'us-east-1' })
  await expect(
    lambda.send(new GetFunctionCommand({ FunctionName: `${environment.FUNCTION_PREFIX}${agent.id}` })),
  ).rejects.toThrow(/not found/i)
})

it('a deleted space or environment deletes the roles on it, and no others', async () => {
  const [doomed, kept] = [
    await must('POST', '/spaces', { environmentId, name: 'Doomed' }),
    await must('POST', '/spaces', { environmentId: account.environmentId, name: 'Kept' }),
  ]
  const readerRole = (resourceId: string) => ({ roleId: 'us_rol_reader', resourceId })
  const user = await must('POST', '/users/invite', {
    email: `roles-${process.pid}-${Date.now()}@example.com`,
    name: 'Grace',
    actorRoles: [doomed.id, kept.id, environmentId].map(readerRole),
  })
  const agent = await must('POST', `/agents?environmentId=${environmentId}`, {
    slug: 'a',
    topics: ['a:b'],
    source: 'exports.routeEvent = () => {}',
  })
  await must('POST', `/agents/${agent.id}/roles`, readerRole(doomed.id))
  const listRoleResources = async (path: string) => pluck(await must('GET', `${path}/roles`), 'resourceId')
  const waitForRoles = (path: string, places: string[]) =>
    waitUntil(async () => JSON.stringify(await listRoleResources(path)) === JSON.stringify(places))
  expect(await listRoleResources(`/users/${user.id}`)).toEqual([doomed.id, kept.id, environmentId])
  expect(await listRoleResources(`/agents/${agent.id}`)).toEqual([environmentId, doomed.id])
  await must('DELETE', `/spaces/${doomed.id}`)
  await waitForRoles(`/users/${user.id}`, [kept.id, environmentId])
  await waitForRoles(`/agents/${agent.id}`, [environmentId])
  expect((await admin('POST', `/users/${user.id}/roles`, readerRole(doomed.id))).status).toBe(404)
  await must('DELETE', `/environments/${environmentId}`)
  await waitForRoles(`/users/${user.id}`, [kept.id])
})

it('a deleted environment deletes its retention policies and the records of expired resources', async () => {
  const { space } = await newFilledSpace()
  const policy = await must('POST', '/data-retention-policies', { type: 'sinceCreated', period: 1, environmentId })
  expect((await runRetentionLater(environmentId, 2)).expired).toBe(4)
  const { listMembers } = await import('../../lib/table/sets.ts')
  const listTracked = async () => {
    const ids: string[] = []
    for (const set of ['retention', `expired#${environmentId}`])
      for await (const members of listMembers(set)) ids.push(...members.map(({ member }) => member))
    return ids.filter((id) => id.startsWith(environmentId) || !id.includes('#'))
  }
  expect(await listTracked()).toHaveLength(5)
  await must('DELETE', `/environments/${environmentId}`)
  await waitUntilGone(`/data-retention-policies/${policy.id}`)
  await waitUntilGone(`/spaces/${space.id}`)
  await waitUntil(async () => (await listTracked()).length === 0)
})

it('a forged deletion event about an existing space removes nothing', async () => {
  const { space, sheetIds } = await newFilledSpace()
  await must('POST', '/events', {
    topic: 'space:deleted',
    domain: 'space',
    context: { environmentId, spaceId: space.id },
    payload: {},
  })
  const doomed = await newFilledSpace()
  await must('DELETE', `/spaces/${doomed.space.id}`)
  for (const id of doomed.sheetIds) await waitUntilGone(`/sheets/${id}`)
  for (const id of sheetIds) expect((await admin('GET', `/sheets/${id}`)).status).toBe(200)
})

it('a deleted sheet leaves nothing of its records in storage', async () => {
  const { sheetIds } = await newFilledSpace()
  const [sheetId = '', otherId = ''] = sheetIds
  for (const id of [sheetId, otherId]) {
    const rows = Array.from({ length: 9000 }, (_, row) => ({ k: { value: `${row} ${Math.random()}` } }))
    await must('POST', `/sheets/${id}/records`, rows)
    await must('POST', `/sheets/${id}/records`, [...rows.slice(0, 400)])
    await must('POST', `/sheets/${id}/records`, [{ k: { value: 'small' } }])
  }
  const before = await findRecordLeftovers(sheetId)
  expect(before.items.some((key) => key.startsWith('sg#'))).toBe(true)
  expect(before.objects.length).toBeGreaterThan(0)
  await must('DELETE', `/sheets/${sheetId}`)
  await waitUntil(async () => {
    const { items, objects } = await findRecordLeftovers(sheetId)
    return items.length + objects.length === 0
  })
  expect((await must('GET', `/sheets/${otherId}/counts`)).counts.total).toBe(9401)
})

const findRecordLeftovers = (sheetId: string) =>
  findLeftovers((text) => /^(sh#|sg#|seg\/)/.test(text) && text.includes(sheetId))
