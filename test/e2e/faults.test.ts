/** A cloud that rejects 30 % of requests and loses responses: nothing is lost or doubled, and retries are bounded. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiResponse, createCaller, pluck, useServer, waitUntil } from '../support/api.ts'
import { type Platform, startPlatform } from '../support/platform.ts'
import { callCloud } from '../support/signed-request.ts'
import { uploadFile } from '../support/upload.ts'

const ROWS = 20_000
const [WRITERS, EDITS] = [8, 10]
const TRIES = 10

interface FaultStats {
  requests: number
  throttled: number
  failed: number
  lost: number
  tries: Record<string, number>
}

const folder = mkdtempSync(join(tmpdir(), 'wharf-faults-'))
let platform: Platform
let secretKey: string
const told = new Map<string, string[]>()
const board = createServer((req, res) => {
  const [, topic = '', id = ''] = decodeURIComponent(req.url ?? '').split('/')
  told.set(topic, [...(told.get(topic) ?? []), id])
  res.end()
})
const refused: string[] = []

beforeAll(async () => {
  platform = await startPlatform(folder)
  const { baseUrl, cloud, aws, environments } = platform.local
  useServer({ baseUrl, cloud, environment: aws })
  secretKey = environments[0]!.secretKey
  await new Promise<void>((resolve) => board.listen(0, '127.0.0.1', resolve))
}, 90_000)

afterAll(async () => {
  board.close()
  await platform?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const callFaults = async (plan?: string): Promise<Record<string, FaultStats>> =>
  (await callCloud(platform.local.aws, '/_aws/faults', plan)).services
const injectFaults = (plan: string) => callFaults(plan)
const getFaultStats = () => callFaults()

// biome-ignore lint/suspicious/noExplicitAny: tests read replies as they come
async function call(method: string, path: string, body?: unknown, headers = {}): Promise<ApiResponse<any>> {
  const answer = await createCaller(secretKey)(method, path, body, headers)
  if (answer.status >= 500) refused.push(`${answer.status} ${answer.body.errors?.[0]?.key}`)
  return answer
}

let made = 0
async function callWithRetry(method: string, path: string, body?: unknown) {
  const headers = method === 'POST' ? { 'idempotency-key': `faults-${made++}` } : {}
  const replies: string[] = []
  while (replies.length < 5) {
    const answer = await call(method, path, body, headers)
    if (answer.status === 200) return answer.body.data
    replies.push(`${answer.status} ${answer.body.errors?.[0]?.key}`)
    if (answer.status < 500 && answer.headers.get('retry-after') === null)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    await sleep(1000)
  }
  throw new Error(`${method} ${path} was refused five times: ${replies.join(', ')}`)
}

describe('a cloud with injected faults', () => {
  it('completes an import, edits, a job and an agent run', { timeout: 400_000 }, async () => {
    const port = (board.address() as AddressInfo).port
    await injectFaults('dynamodb:throttle=0.3,lost=0.005;s3:error=0.2;eventbridge:throttle=0.1;seed=20')

    const environmentId = platform.local.environments[0]!.id
    const source = `exports.routeEvent = (event) => fetch('http://127.0.0.1:${port}/' + encodeURIComponent(event.topic) + '/' + event.id)`
    const topics = ['commit:created', 'job:completed']
    await callWithRetry('POST', `/agents?environmentId=${environmentId}`, {
      slug: 'faults',
      topics,
      compiler: 'js',
      source,
    })
    const space = await callWithRetry('POST', '/spaces', { name: 'Faults' })
    const lines = Array.from({ length: ROWS }, (_, row) => `n${row},person ${row % 7}`)
    const fileId = await uploadFile({ secretKey }, space.id, 'people.csv', `code,name\n${lines.join('\n')}\n`)
    const workbookId = await waitUntil(async () => (await call('GET', `/files/${fileId}`)).body.data?.workbookId, 200)
    const sheetId = (await callWithRetry('GET', `/workbooks/${workbookId}`)).sheets[0].id
    const counted = async (search = '') =>
      (await callWithRetry('GET', `/sheets/${sheetId}/counts${search}`)).counts.total as number
    await waitUntil(async () => (await counted()) === ROWS, 200)

    const page = await callWithRetry('GET', `/sheets/${sheetId}/records?pageSize=${WRITERS * EDITS}`)
    const ids: string[] = pluck(page.records, 'id')
    const edit = (at: number) =>
      callWithRetry('PUT', `/sheets/${sheetId}/records`, [{ id: ids[at], values: { name: { value: `edited ${at}` } } }])
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let own = 0; own < EDITS; own++) await edit(writer * EDITS + own)
      }),
    )
    const edited = (await callWithRetry('GET', `/sheets/${sheetId}/records?pageSize=${WRITERS * EDITS}`)).records
    expect(edited.map(({ values }: { values: { name: { value: string } } }) => values.name.value)).toEqual(
      ids.map((_, at) => `edited ${at}`),
    )

    const job = await callWithRetry('POST', '/jobs', {
      type: 'workbook',
      operation: 'find-replace',
      source: workbookId,
      trigger: 'immediate',
      config: { sheetId, fieldKey: 'name', find: 'person 3', replace: 'somebody' },
    })
    const ended = await waitUntil(async () => {
      const { body } = await call('GET', `/jobs/${job.id}`)
      return ['completed', 'failed'].includes(body.data?.status) && body.data
    }, 120)
    expect(ended).toMatchObject({ status: 'completed' })

    const counts = await getFaultStats()
    await injectFaults('')
    const expected = lines.filter((line, row) => line.endsWith('person 3') && row >= WRITERS * EDITS).length
    expect(await counted(`?q=${encodeURIComponent('name eq "somebody"')}`)).toBe(expected)
    expect(await counted()).toBe(ROWS)
    const codes = new Set<string>()
    for (let pageNumber = 1; codes.size < ROWS && pageNumber <= ROWS / 10_000; pageNumber++) {
      const { records } = await callWithRetry(
        'GET',
        `/sheets/${sheetId}/records?pageSize=10000&pageNumber=${pageNumber}`,
      )
      for (const { values } of records) codes.add(values.code.value)
    }
    expect(codes.size).toBe(ROWS)

    const commits = await eventsOf(space.id, 'commit:created')
    const jobs = await eventsOf(space.id, 'job:completed')
    await waitUntil(
      async () => isAmong(commits, told.get('commit:created')) && isAmong(jobs, told.get('job:completed')),
      150,
    )
    expect(jobs.length).toBeGreaterThanOrEqual(2)
    expect(new Set(commits).size).toBe(commits.length)
    expect(commits.length).toBeGreaterThanOrEqual(1 + WRITERS * EDITS)

    console.log(`${JSON.stringify(counts)} ${refused.join(', ')}`)
    for (const text of refused) expect(text).toMatch(/^(503 unavailable|504 timed-out)$/)
    const { requests, throttled, tries } = counts.dynamodb!
    expect(throttled / requests).toBeGreaterThan(0.25)
    expect(Math.max(...Object.keys(tries).map(Number))).toBeLessThanOrEqual(TRIES)
    // 1 / (1 - 0.305) requests are needed for each that succeeds.
    expect(requests / tries[1]!).toBeLessThan(1.6)
  })
})

const isAmong = (ids: string[], heard: string[] = []): boolean => ids.every((id) => heard.includes(id))

async function eventsOf(spaceId: string, topic: string): Promise<string[]> {
  const found: string[] = []
  for (let pageNumber = 1; ; pageNumber++) {
    const query = `spaceId=${spaceId}&topic=${encodeURIComponent(topic)}&pageSize=100&pageNumber=${pageNumber}`
    const events = await callWithRetry('GET', `/events?${query}`)
    for (const event of events) found.push(event.id)
    if (events.length < 100) return found
  }
}
