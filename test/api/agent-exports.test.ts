import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { createCaller, createTestAccount, getServer, waitUntil } from '../support/api.ts'
import { account, call, createFreshAccount, environmentId, must, signIn } from '../support/fresh-account.ts'
import { createUser } from '../support/resources.ts'

const scratch = mkdtempSync(join(tmpdir(), 'wharf-export-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

beforeAll(createFreshAccount)

const SOURCE = "exports.routeEvent = async () => console.log('hello')"
const LONG = `src/${'a-folder/'.repeat(15)}deep.ts`
const SOURCE_MAP = {
  version: 3,
  sources: [
    'webpack://listener/./src/index.ts',
    '../../../outside.ts',
    LONG,
    'webpack://listener/./node_modules/some-package/index.js',
    'webpack://listener/webpack/bootstrap',
    'without-content.ts',
  ],
  sourcesContent: [
    'export default 1\n',
    'export const far = "ä"\n',
    'export const deep = true\n',
    'theirs',
    'run time',
    null,
  ],
  names: [],
  mappings: 'AAAA',
  x_package: JSON.stringify({ name: 'listener', dependencies: { 'some-package': '1.0.0' } }),
}

const deploy = async (slug: string, sourceMap?: object): Promise<string> => {
  const config = { slug, topics: ['space:created'], source: SOURCE, namespace: 'space:red' }
  const body = { ...config, ...(sourceMap ? { sourceMap: JSON.stringify(sourceMap) } : {}) }
  return (await must('POST', `/agents?environmentId=${environmentId}`, body)).id
}
const startExport = (source: string, exportType: string) =>
  call('POST', '/jobs', {
    type: 'agent',
    operation: 'agent-export',
    source,
    environmentId,
    config: { exportType },
    trigger: 'immediate',
    status: 'executing',
  })

async function exportAgent(agentId: string, exportType: string) {
  const { id } = (await startExport(agentId, exportType)).body.data
  const job = await waitForJob(id)
  expect(job.status, job.info).toBe('completed')
  return { job, id: job.result.agentExportId as string }
}

async function unpackExport(job: { outcome: { next: { type: string; url: string } } }, name: string): Promise<string> {
  const { type, url } = job.outcome.next
  expect(type).toBe('download')
  const headers = { authorization: `Bearer ${account.secretKey}` }
  const answer = await fetch(`${getServer().baseUrl}${url}`, { headers })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
  const path = join(scratch, `${name}.tgz`)
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()))
  execFileSync('tar', ['-xzf', path], { cwd: scratch })
  return join(scratch, name)
}
const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

const objectsOf = async (agentId: string): Promise<string[]> => {
  const s3 = new S3Client({ endpoint: getServer().cloud, region: 'us-east-1', forcePathStyle: true })
  const Prefix = `agents/${agentId}/exports/`
  const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket: getServer().environment.BUCKET_NAME!, Prefix }))
  return (Contents ?? []).map(({ Key }) => Key!)
}

describe('an export of an agent', () => {
  it('contains the sources from the source map, package.json and settings', async () => {
    const agentId = await deploy('sources', SOURCE_MAP)
    const { job, id } = await exportAgent(agentId, 'SOURCE')
    const folder = await unpackExport(job, 'sources')
    expect(read(folder, 'src/index.ts')).toBe('export default 1\n')
    expect(read(folder, 'outside.ts')).toBe('export const far = "ä"\n')
    expect(read(folder, LONG)).toBe('export const deep = true\n')
    for (const name of ['node_modules', 'webpack', 'without-content.ts', 'index.js'])
      expect(existsSync(join(folder, name)), name).toBe(false)
    expect(JSON.parse(read(folder, 'package.json'))).toEqual(JSON.parse(SOURCE_MAP.x_package))
    const settings = { slug: 'sources', namespace: 'space:red', topics: ['space:created'], compiler: 'js' }
    expect(JSON.parse(read(folder, 'agent.json'))).toMatchObject(settings)
    expect(await must('GET', `/agent-exports/${id}`)).toEqual({
      id: expect.stringMatching(/^us_age_/),
      agentId,
      exportType: 'SOURCE',
      accountId: account.accountId,
      environmentId,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
  })

  it('contains the bundle as it runs, and can be redeployed', async () => {
    const agentId = await deploy('combined', SOURCE_MAP)
    const folder = await unpackExport((await exportAgent(agentId, 'SYSTEM_COMBINED')).job, 'combined')
    expect(read(folder, 'index.js')).toBe(`${SOURCE}\n//# sourceMappingURL=index.js.map\n`)
    expect(JSON.parse(read(folder, 'index.js.map'))).toEqual(SOURCE_MAP)
    const { slug, topics } = JSON.parse(read(folder, 'agent.json'))
    const again = { slug, topics, source: read(folder, 'index.js'), sourceMap: read(folder, 'index.js.map') }
    expect((await must('POST', `/agents?environmentId=${environmentId}`, again)).id).toBe(agentId)
  })

  it('contains the bundle when the agent has no source map, and says so', async () => {
    const { job } = await exportAgent(await deploy('plain'), 'SOURCE')
    expect(job.outcome.message).toContain('has no sources')
    const folder = await unpackExport(job, 'plain')
    expect(read(folder, 'index.js')).toBe(SOURCE)
    expect(JSON.parse(read(folder, 'package.json'))).toMatchObject({ name: 'plain', private: true })
  })

  it("contains its environment's autobuild configurations on request", async () => {
    const admin = await signIn({ email: account.email, password: account.password })
    const workbooks = [{ name: 'First', sheets: [{ name: 'People', slug: 'people', fields: [] }] }]
    expect((await admin('POST', `/environments/${environmentId}/autobuilds`, { workbooks })).status).toBe(200)
    const folder = await unpackExport(
      (await exportAgent(await deploy('autobuilt', SOURCE_MAP), 'AUTOBUILD_INLINED')).job,
      'autobuilt',
    )
    expect(JSON.parse(read(folder, 'autobuilds.json'))).toMatchObject([{ workbooks: [{ name: 'First' }] }])
    expect(existsSync(join(folder, 'src/index.ts'))).toBe(true)
  })

  it('is listed by environment and by agent, newest first, in pages', async () => {
    const agentId = await deploy('listed')
    const first = await exportAgent(agentId, 'SOURCE')
    const second = await exportAgent(agentId, 'SYSTEM_COMBINED')
    const { body } = await call('GET', `/agent-exports?agentId=${agentId}&pageSize=1`)
    expect(body.pagination).toEqual({ currentPage: 1, pageCount: 2, totalCount: 2 })
    expect(body.data).toMatchObject([{ id: second.id, exportType: 'SYSTEM_COMBINED' }])
    const all = await must<{ id: string }[]>('GET', `/agent-exports?environmentId=${environmentId}&pageSize=100`)
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([first.id, second.id]))
  })

  it('is deleted with its archive, and when its agent is deleted', async () => {
    const agentId = await deploy('ended')
    const first = await exportAgent(agentId, 'SOURCE')
    const second = await exportAgent(agentId, 'SOURCE')
    expect(await objectsOf(agentId)).toHaveLength(2)
    expect(await must('DELETE', `/agent-exports/${first.id}`)).toEqual({ success: true })
    expect((await call('GET', `/agent-exports/${first.id}/download`)).status).toBe(404)
    expect(await objectsOf(agentId)).toHaveLength(1)
    await must('DELETE', `/agents/${agentId}`)
    await waitUntil(async () => (await objectsOf(agentId)).length === 0)
    await waitUntil(async () => (await call('GET', `/agent-exports/${second.id}`)).status === 404)
  })
})

describe('a request for an agent export', () => {
  it('is rejected without a type, and for an agent the caller cannot see', async () => {
    const agentId = await deploy('refused')
    const bad = await startExport(agentId, 'EVERYTHING')
    expect([bad.status, bad.body.errors[0].key]).toEqual([400, 'config.exportType'])
    const stranger = createCaller((await createTestAccount()).secretKey)
    const config = { type: 'agent', operation: 'agent-export', source: agentId, config: { exportType: 'SOURCE' } }
    expect((await stranger('POST', '/jobs', config)).status).toBe(404)
    expect((await stranger('GET', `/agent-exports?agentId=${agentId}`)).status).toBe(404)
    expect((await stranger('GET', `/agent-exports?environmentId=${environmentId}`)).status).toBe(404)
  })

  it('allows download to callers who may deploy, and audits downloads by users', async () => {
    const { id } = await exportAgent(await deploy('looked-at'), 'SOURCE')
    const admin = await signIn(account)
    const { call: read } = await createUser([{ roleId: 'us_rol_reader', resourceId: environmentId }])
    expect((await read('GET', `/agent-exports/${id}`)).status).toBe(200)
    expect((await read('GET', `/agent-exports/${id}/download`)).status).toBe(403)
    expect((await read('DELETE', `/agent-exports/${id}`)).status).toBe(403)
    expect((await admin('GET', `/agent-exports/${id}/download`)).status).toBe(200)
    const noted = (await admin('GET', `/audit?resourceId=${id}`)).body.data
    expect(noted).toMatchObject([{ action: 'agents.downloadExport', actorId: account.userId }])
  })

  it('is returned in the format the public command line expects', async () => {
    const { job } = await exportAgent(await deploy('spelled'), 'SOURCE')
    const asked = await call('GET', `/jobs/${job.id}`, undefined, { 'user-agent': 'axios/1.7.9' })
    expect([job.status, asked.body.data.status]).toEqual(['completed', 'complete'])
  })
})
