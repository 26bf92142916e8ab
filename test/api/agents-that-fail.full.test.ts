import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { waitForRun } from '../support/activity.ts'
import { waitUntil } from '../support/api.ts'
import { account, call, createFreshAccount, must } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

const deploy = (slug: string, source: string, more: object = {}) =>
  call('POST', `/agents?environmentId=${account.environmentId}`, { slug, topics: [`${slug}:now`], source, ...more })
const emit = async (topic: string): Promise<string> =>
  (await must('POST', '/events', { topic, domain: 'any', context: {}, payload: {} })).id
const agents = async (): Promise<{ slug: string }[]> => await must('GET', '/agents')
const executionsOf = async (id: string, query = '') => await must('GET', `/agents/${id}/executions${query}`)

describe('POST /agents', () => {
  it.each<[name: string, source: string, message: string | RegExp]>([
    ['no-route', 'module.exports = { handle() {} }', 'must export routeEvent(event) or dispatchEvent(event)'],
    [
      'throws',
      '\n\nthrow new TypeError("no such setting")',
      /^cannot be loaded: TypeError: no such setting \(bundle\.cjs:3:\d+\)$/,
    ],
    [
      'missing',
      'require("left-pad")',
      /^cannot be loaded: Error: Cannot find module 'left-pad' \(bundle\.cjs:1:\d+\)$/,
    ],
    ['rejects', 'Promise.reject(new Error("later")); exports.routeEvent = () => {}', /^cannot be loaded: Error: later/],
    ['exits', 'process.exit(3)', /^exited while loading/],
    [
      'syntax',
      'exports.routeEvent = () => {\n  const a = ;\n}',
      "must be a CommonJS module: Unexpected token ';' (line 2, column 13)",
    ],
  ])('rejects a bundle that cannot run, with the reason: %s', async (slug, source, message) => {
    const answer = await deploy(slug, source)
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [{ key: 'source', message: typeof message === 'string' ? message : expect.stringMatching(message) }],
    ])
    expect((await agents()).map((agent) => agent.slug)).not.toContain(slug)
  })

  it('rejects a bundle that never finishes loading', async () => {
    const answer = await deploy('hangs', 'for (;;);')
    expect(answer.body.errors).toEqual([{ key: 'source', message: 'did not load within 10 seconds' }])
    expect(await agents()).not.toContainEqual(expect.objectContaining({ slug: 'hangs' }))
    await waitUntil(async () => processesOf('hangs').length === 0, 10)
  }, 60_000)

  it('names the original source line when there is a source map', async () => {
    const sourceMap = JSON.stringify({ version: 3, sources: ['src/index.ts'], names: [], mappings: ';;AAQA' })
    const thrown = await deploy('mapped', '\n\nthrow new Error("here")', { sourceMap })
    expect(thrown.body.errors[0].message).toBe('cannot be loaded: Error: here (src/index.ts:9:1)')
    const syntax = await deploy('mapped', '\n\nconst a = ;', { sourceMap })
    expect(syntax.body.errors[0].message).toContain('(src/index.ts:9)')
  })

  it('leaves the running version unchanged and never invokes the rejected one', async () => {
    const first = (await deploy('steady', 'exports.routeEvent = async () => console.log("first")')).body.data
    expect((await deploy('steady', 'exports.nothing = 1')).status).toBe(400)
    const eventId = await emit('steady:now')
    const run = await waitForRun(first.id, eventId)
    expect(run).toMatchObject({ success: true, status: 'succeeded' })
    expect(await must('GET', `/agents/${first.id}/versions`)).toHaveLength(1)
  })
})

const processesOf = (mark: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark)
      } catch {
        return false
      }
    })

describe('an agent run that never finishes', () => {
  it('is listed as running with its duration, and its process ends when the agent is deleted', async () => {
    const { id } = (await deploy('endless', 'exports.routeEvent = () => { for (;;); }')).body.data
    const eventId = await emit('endless:now')
    await waitUntil(async () => processesOf(id).length > 0, 20)
    const run = await waitUntil(async () => (await executionsOf(id))[0], 20)
    const before = Date.now()
    expect(run).toMatchObject({ eventId, topic: 'endless:now', status: 'running', success: false })
    expect(Date.parse(run.completedAt)).toBeGreaterThanOrEqual(before - 5000)
    expect(run.duration).toBeGreaterThanOrEqual(5000)
    expect((await must('GET', `/agents/${id}/logs`))[0]).toMatchObject({ eventId, status: 'running' })
    const all = (await call('GET', `/agents/executions?environmentId=${account.environmentId}`)).body
    expect(all.data[0]).toMatchObject({ eventId, status: 'running' })
    expect(await executionsOf(id, '?success=false')).toEqual([])
    expect(await executionsOf(id, '?topic=endless:now')).toHaveLength(1)
    expect(await executionsOf(id, '?topic=endless:never')).toHaveLength(0)

    expect((await call('DELETE', `/agents/${id}`)).status).toBe(200)
    await waitUntil(async () => processesOf(id).length === 0, 10)
  }, 60_000)
})
