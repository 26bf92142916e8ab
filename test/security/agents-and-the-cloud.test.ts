/** Attempts of a deployed agent's code to reach the cloud under the platform. */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { beforeAll, expect, it } from 'vitest'
import { deployAgent, emitEvent, waitForRun } from '../support/activity.ts'
import { getServer } from '../support/api.ts'
import { createFreshAccount } from '../support/fresh-account.ts'
import { getCredentials } from '../support/signed-request.ts'

let agentId: string
let found: Record<string, string>

const ATTEMPTS = (endpoint: string, files: string[]) => `
const { createHash, createHmac } = require('node:crypto')
const cloud = ${JSON.stringify(endpoint)}
const hmac = (key, data) => createHmac('sha256', key).update(data).digest()
const sha = (data) => createHash('sha256').update(data).digest('hex')

function signed(target, body, id, secret) {
  const at = new Date().toISOString().replace(/[-:]|\\.\\d+/g, '')
  const scope = at.slice(0, 8) + '/us-east-1/dynamodb/aws4_request'
  const host = new URL(cloud).host
  const names = 'host;x-amz-date;x-amz-target'
  const canonical = ['POST', '/', '', 'host:' + host, 'x-amz-date:' + at, 'x-amz-target:' + target, '', names, sha(body)].join('\\n')
  const key = scope.split('/').reduce(hmac, 'AWS4' + secret)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha(canonical)].join('\\n')).toString('hex')
  const authorization = 'AWS4-HMAC-SHA256 Credential=' + id + '/' + scope + ', SignedHeaders=' + names + ', Signature=' + signature
  return { 'x-amz-date': at, authorization }
}

async function dynamo(operation, input, credentials) {
  const target = 'DynamoDB_20120810.' + operation
  const body = JSON.stringify(input)
  const headers = { 'x-amz-target': target, 'content-type': 'application/x-amz-json-1.0' }
  if (credentials) Object.assign(headers, signed(target, body, ...credentials))
  return answer(await fetch(cloud, { method: 'POST', headers, body }))
}
const answer = async (response) => response.status + ' ' + (await response.text()).slice(0, 160)
const tried = async (work) => { try { return String(await work()) } catch (error) { return 'threw ' + (error.code ?? error.message) } }

exports.routeEvent = async () => {
  const item = { TableName: 'wharf-dev-table', Item: { pk: { S: 'evil#agent' }, sk: { S: '-' } } }
  const own = [...Object.values(process.env)].filter(Boolean)
  const results = {}
  const attempt = async (what, work) => { results[what] = await tried(work) }
  for (const [how, credentials] of [['unsigned', undefined], ['test/test', ['test', 'test']]]) {
    await attempt('ListTables ' + how, () => dynamo('ListTables', {}, credentials))
    await attempt('Scan ' + how, () => dynamo('Scan', { TableName: 'wharf-dev-table' }, credentials))
    await attempt('PutItem ' + how, () => dynamo('PutItem', item, credentials))
  }
  for (const [index, value] of own.entries())
    await attempt('PutItem with the variable ' + index, () => dynamo('PutItem', item, [value, value]))
  await attempt('Invoke', async () => answer(await fetch(cloud + '/2015-03-31/functions/wharf-dev-create-account/invocations', { method: 'POST', body: '{}' })))
  await attempt('functions', async () => answer(await fetch(cloud + '/2015-03-31/functions')))
  await attempt('its package, unsigned', async () => answer(await fetch(cloud + '/2015-03-31/functions/' + process.env.AWS_LAMBDA_FUNCTION_NAME + '/code')))
  await attempt('bucket', async () => answer(await fetch(cloud + '/wharf-dev-bucket?list-type=2')))
  await attempt('mailbox', async () => answer(await fetch(cloud + '/_aws/ses')))
  await attempt('faults', async () => answer(await fetch(cloud + '/_aws/faults', { method: 'PUT', body: 'dynamodb:error=1' })))
  await attempt('KMS', async () => answer(await fetch(cloud, { method: 'POST', headers: { 'x-amz-target': 'TrentService.CreateKey' }, body: '{}' })))
  await attempt('events', async () => answer(await fetch(cloud, { method: 'POST', headers: { 'x-amz-target': 'AWSEvents.PutEvents' }, body: '{"Entries":[]}' })))
  const { readFileSync } = require('node:fs')
  for (const file of [...${JSON.stringify(files)}, '/proc/' + process.ppid + '/environ', '/proc/self/environ'])
    await attempt('file ' + file, () => readFileSync(file).length + ' bytes')
  results.variables = Object.keys(process.env).filter((name) => /^AWS_(ACCESS|SECRET|SESSION|ENDPOINT|CONFIG|SHARED|CONTAINER|PROFILE)/.test(name)).join()
  for (const [what, came] of Object.entries(results)) console.log('TRIED ' + JSON.stringify([what, came]))
}`

beforeAll(async () => {
  await createFreshAccount()
  const source = ATTEMPTS(getServer().cloud, [
    '/etc/passwd',
    `${getServer().dataDir}/secret`,
    `${process.cwd()}/package.json`,
  ])
  agentId = (await deployAgent('thief', ['thief:go'], source)).id
  const run = await waitForRun(agentId, (await emitEvent('thief:go')).id)
  expect(run.error).toBeUndefined()
  const lines = [...(run.log as string).matchAll(/TRIED (\[.*\])$/gm)]
  found = Object.fromEntries(lines.map(([, line]) => JSON.parse(line!) as [string, string]))
})

it('every request of an agent is rejected: without a signature, with known credentials, with each of its variables', () => {
  const asked = Object.entries(found).filter(([what]) => !what.startsWith('file ') && what !== 'variables')
  expect(asked.length).toBeGreaterThan(20)
  for (const [what, came] of asked)
    expect(came, what).toMatch(
      /^40[03] [\s\S]*(MissingAuthenticationToken|UnrecognizedClient|IncompleteSignature|Missing Authentication|Access ?Denied|missing)/i,
    )
})

it('an agent cannot read files of the platform or variables of its process', () => {
  const files = Object.entries(found).filter(([what]) => what.startsWith('file '))
  expect(files).toHaveLength(5)
  for (const [what, came] of files) expect(came, what).toBe('threw ERR_ACCESS_DENIED')
})

it('an agent gets no AWS credentials and no address of the cloud', () => {
  expect(found.variables).toBe('')
})

it('nothing was written', async () => {
  const { cloud: endpoint, environment } = getServer()
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: getCredentials(environment) })
  const Key = { pk: { S: 'evil#agent' }, sk: { S: '-' } }
  const { Item } = await client.send(new GetItemCommand({ TableName: 'wharf-dev-table', Key, ConsistentRead: true }))
  client.destroy()
  expect(Item).toBeUndefined()
})

it('a package is downloaded only by the link that GetFunction returns', async () => {
  const { cloud: endpoint, environment } = getServer()
  const client = new LambdaClient({ endpoint, region: 'us-east-1', credentials: getCredentials(environment) })
  const FunctionName = `${environment.FUNCTION_PREFIX}${agentId}`
  const { Code } = await client.send(new GetFunctionCommand({ FunctionName }))
  client.destroy()
  const link = Code!.Location!
  const response = await fetch(link)
  expect(response.status).toBe(200)
  expect(
    Buffer.from(await response.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  expect((await fetch(link.split('?')[0]!)).status).toBe(403)
  expect((await fetch(link.replace(/\/code\?/, '?'))).status).toBe(403)
  expect((await fetch(link.replace(/Expires=600/, 'Expires=6000'))).status).toBe(403)
  expect((await fetch(link, { method: 'DELETE' })).status).toBe(403)
})
