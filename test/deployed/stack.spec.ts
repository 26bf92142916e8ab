/** Behavior that only a deployment shows: enforced roles, schedules, queues and addresses. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { beforeAll, expect, it } from 'vitest'
import { createCaller, createTestAccount, getServer, type TestAccount, waitUntil } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof createCaller>
let lambda: LambdaClient

beforeAll(async () => {
  account = await createTestAccount()
  call = createCaller(account.secretKey)
  lambda = new LambdaClient({ endpoint: getServer().cloud, region: 'us-east-1' })
})

const deploy = async (slug: string, topics: string[], source: string): Promise<string> => {
  const path = `/agents?environmentId=${account.environmentId}`
  const answer = await call('POST', path, { slug, topics, compiler: 'js', source })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data.id
}
const logOf = (agentId: string) =>
  waitUntil(async () => {
    const { data } = (await call('GET', `/agents/${agentId}/logs?environmentId=${account.environmentId}`)).body
    return data?.find(({ status }: { status: string }) => status !== 'running')
  }, 40)

it('is alive and ready: table, bucket and bus respond to the role of its function', async () => {
  const { origin, pathname } = new URL(getServer().baseUrl)
  const root = `${origin}${pathname.replace(/\/api$/, '')}`
  expect(await (await fetch(`${root}/health`)).json()).toEqual({ status: 'ok' })
  const checks = { table: 'ok', bucket: 'ok', bus: 'ok' }
  expect(await (await fetch(`${root}/health/ready`)).json()).toEqual({ status: 'ready', checks })
})

it('delivers a cron event to an agent: cron, bus, rule, function, result', async () => {
  const agentId = await deploy(
    'clock',
    ['cron:hourly'],
    `exports.routeEvent = async (e) => console.log('tick', e.topic)`,
  )
  const FunctionName = `${getServer().environment.PLATFORM_PREFIX}cron`
  const Payload = JSON.stringify({ topic: 'cron:hourly', time: '2031-01-01T05:00:00Z' })
  const answer = await lambda.send(new InvokeCommand({ FunctionName, Payload }))
  expect(answer.FunctionError, Buffer.from(answer.Payload ?? []).toString()).toBeUndefined()
  expect(await logOf(agentId)).toMatchObject({ topic: 'cron:hourly', success: true })
})

it("gives an agent's code no access to the platform's data: its role can only write its log", async () => {
  const source = `
    const { DynamoDBClient, GetItemCommand } = require('@aws-sdk/client-dynamodb')
    exports.routeEvent = async () => {
      const key = { pk: { S: 'x' }, sk: { S: 'x' } }
      const read = new DynamoDBClient({}).send(new GetItemCommand({ TableName: ${JSON.stringify(getServer().environment.TABLE_NAME)}, Key: key }))
      console.log('read: ' + (await read.then(() => 'it was answered', (error) => error.name + ' ' + error.message)))
    }`
  const agentId = await deploy('curious', ['space:created'], source)
  await call('POST', '/spaces', { name: 'Seen by the curious' })
  const { log } = await logOf(agentId)
  expect(log).toMatch(/read: .*(AccessDenied|not authorized)/)
})
