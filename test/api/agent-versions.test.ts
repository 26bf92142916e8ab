import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { beforeAll, expect, it } from 'vitest'
import { deployAgent, emitEvent, waitForRun } from '../support/activity.ts'
import { createCaller, createTestAccount, getServer, waitUntil } from '../support/api.ts'
import { call, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'

let s3: S3Client

beforeAll(async () => {
  await createFreshAccount()
  s3 = new S3Client({ endpoint: getServer().cloud, region: 'us-east-1', forcePathStyle: true })
})

interface Version {
  id: string
  agent_id: string
  version: number
  origin: number
  topics: string[]
  namespace?: string
}

const sourceLogging = (word: string) => `exports.routeEvent = async (event) => console.log('${word}', event.topic)`
const deploy = async (slug: string, topics: string[], source: string, more: object = {}): Promise<string> =>
  (await deployAgent(slug, topics, source, more)).id
const versionsOf = async (agentId: string): Promise<Version[]> => await must('GET', `/agents/${agentId}/versions`)
const emit = async (topic: string): Promise<string> => (await emitEvent(topic)).id
const logOf = async (agentId: string, eventId: string): Promise<string> => (await waitForRun(agentId, eventId)).log
const objectsOf = async (agentId: string): Promise<number> => {
  const Bucket = getServer().environment.BUCKET_NAME!
  return (await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `agents/${agentId}/` }))).KeyCount ?? 0
}

it('agent versions are numbered by deployment, newest first, each with its own settings and without its source', async () => {
  const id = await deploy('counted', ['counted:first'], sourceLogging('one'), { namespace: 'space:red' })
  await deploy('counted', ['counted:second'], sourceLogging('two'))
  const versions = await versionsOf(id)
  expect(versions).toMatchObject([
    { agent_id: id, version: 2, origin: 2, topics: ['counted:second'], slug: 'counted', compiler: 'js' },
    { agent_id: id, version: 1, origin: 1, topics: ['counted:first'], namespace: 'space:red' },
  ])
  expect(versions[0]).not.toHaveProperty('namespace')
  for (const version of versions)
    for (const hidden of ['source', 'packageKey']) expect(version).not.toHaveProperty(hidden)
})

it('reverting restores package, topics and source map as a new version that names its origin', async () => {
  const sourceMap = JSON.stringify({ version: 3, sources: ['first.ts'], names: [], mappings: 'AAUA' })
  const failing = `exports.routeEvent = async () => { console.log('one'); throw new Error('where') }`
  const id = await deploy('reverted', ['reverted:first'], failing, { sourceMap })
  await deploy('reverted', ['reverted:second'], sourceLogging('two'))
  const [, first] = await versionsOf(id)
  const reverted = await call('POST', `/agents/${id}/versions/${first!.id}/revert`)
  expect(reverted.status, JSON.stringify(reverted.body)).toBe(200)
  expect(reverted.body.data).toMatchObject({ agent_id: id, version: 3, origin: 1, topics: ['reverted:first'] })
  expect(await must('GET', `/agents/${id}`)).toMatchObject({ topics: ['reverted:first'], status: 'active' })

  const unheard = await emit('reverted:second')
  const log = await logOf(id, await emit('reverted:first'))
  expect(log).toContain('INFO one')
  expect(log).toContain('first.ts:11')
  expect((await call('GET', `/agents/log/${unheard}`)).status).toBe(404)

  const again = await call('POST', `/agents/${id}/versions/${first!.id}/revert`)
  expect(again.body.data).toEqual(reverted.body.data)
  expect(await versionsOf(id)).toHaveLength(3)
  const emitted = await must('GET', '/events?topic=agent:updated&pageSize=1000')
  expect(emitted.filter(({ payload }: { payload: { agentId: string } }) => payload.agentId === id)).toHaveLength(2)
})

it('versions of another agent or another account are not found', async () => {
  const mine = await deploy('mine', ['mine:now'], sourceLogging('mine'))
  const other = await deploy('other', ['other:now'], sourceLogging('other'))
  const [version] = await versionsOf(other)
  expect((await call('POST', `/agents/${mine}/versions/${version!.id}/revert`)).status).toBe(404)
  const stranger = createCaller((await createTestAccount()).secretKey)
  expect((await stranger('GET', `/agents/${other}/versions`)).status).toBe(404)
  expect((await stranger('GET', `/agents/${other}/versions/${version!.id}/revert`)).status).toBe(404)
})

it('versions and their packages are deleted with their agent', async () => {
  const id = await deploy('ended', ['ended:now'], sourceLogging('one'))
  await deploy('ended', ['ended:now'], sourceLogging('two'))
  expect(await objectsOf(id)).toBe(2)
  const [version] = await versionsOf(id)
  await call('DELETE', `/agents/${id}`)
  await waitUntil(async () => (await objectsOf(id)) === 0)
  const { AgentVersions } = await import('../../lib/entities/agent-versions.ts')
  expect(await AgentVersions.get(version!.id)).toBeUndefined()
  expect((await call('GET', `/agents/${id}/versions`)).status).toBe(404)
})

it('concurrent deployments leave the recorded version running with a working key', { timeout: 60_000 }, async () => {
  const slug = 'contended'
  const id = await deploy(slug, [`${slug}:now`], sourceLogging('zero'))
  const words = ['red', 'green', 'blue', 'white']
  const send = (word: string) =>
    call('POST', `/agents?environmentId=${environmentId}`, {
      slug,
      topics: [`${slug}:now`],
      source: sourceLogging(word),
      commitInfo: { word },
    })
  const answers = await Promise.all(words.map(send))
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
  const [latest] = (await versionsOf(id)) as (Version & { commitInfo: { word: string } })[]
  expect(await logOf(id, await emit(`${slug}:now`))).toContain(`INFO ${latest!.commitInfo.word} `)
  const lambda = new LambdaClient({ endpoint: getServer().cloud, region: 'us-east-1' })
  const FunctionName = `${getServer().environment.FUNCTION_PREFIX}${id}`
  const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }))
  expect((await createCaller(Environment!.Variables!.FLATFILE_BEARER_TOKEN)('GET', '/agents')).status).toBe(200)
})
