import { resolve } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  createCaller,
  createDataCaller,
  createTestAccount,
  getServer,
  type TestAccount,
  waitUntil,
} from '../../../test/support/api.ts'
import { recordHook } from '../../record-hook/src/index.ts'
import { createListener, type DeliveredEvent, type On } from '../src/index.ts'

let account: TestAccount
let must: ReturnType<typeof createDataCaller>
let spaceId: string
let workbookId: string
let sheetId: string

beforeAll(async () => {
  account = await createTestAccount()
  must = createDataCaller(() => createCaller(account.secretKey))
  spaceId = (await must('POST', '/spaces', { name: 'Listeners' })).id
  const fields = [{ key: 'email', type: 'string' }]
  const sheets = [{ name: 'Contacts', slug: 'contacts', fields }]
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'Contacts', sheets })
  workbookId = workbook.id
  sheetId = workbook.sheets[0].id
})

function listen(setup: (on: On) => void) {
  const listener = createListener(setup)
  listener.setVariables({ apiUrl: getServer().baseUrl, accessToken: account.secretKey })
  return listener
}

const findEvent = (topic: string, matches: (event: DeliveredEvent) => boolean): Promise<DeliveredEvent> =>
  waitUntil(async () => {
    const query = `environmentId=${account.environmentId}&topic=${topic}&includeAcknowledged=true&pageSize=100`
    return (await must<DeliveredEvent[]>('GET', `/events?${query}`)).find(matches)
  }) as Promise<DeliveredEvent>

async function insert(emails: string[]) {
  const records = emails.map((value) => ({ email: { value } }))
  const { commitId, records: created } = await must('POST', `/sheets/${sheetId}/records`, records)
  const event = await findEvent('commit:created', ({ context }) => context.commitId === commitId)
  return { event, ids: created.map(({ id }: { id: string }) => id) as string[] }
}
const readEmail = async (id: string) =>
  (await must('GET', `/sheets/${sheetId}/records?ids=${id}`)).records[0].values.email.value

async function startJob(operation = 'workbook:export', input: object = {}) {
  const [type, name] = operation.split(':')
  const job = await must('POST', '/jobs', { type, operation: name, source: workbookId, input, trigger: 'immediate' })
  const event = await findEvent('job:ready', ({ context }) => context.jobId === job.id)
  return { id: job.id as string, event, read: () => must('GET', `/jobs/${job.id}`) }
}

describe('on', () => {
  const anEvent: DeliveredEvent = {
    id: 'us_evt_1',
    topic: 'commit:created',
    domain: 'commit',
    context: { sheetId: 'us_sh_1', sheetSlug: 'contacts', slugs: { sheet: 'contacts' } },
    payload: {},
    namespaces: ['space:red'],
    createdAt: new Date().toISOString(),
  }

  it('selects events by topic, pattern, context and namespace', async () => {
    const seen: string[] = []
    const note = (name: string) => () => seen.push(name)
    const listener = createListener((on) => {
      on('commit:created', note('topic'))
      on('*:created', note('pattern'))
      on('commit:created', { sheet: 'contacts' }, note('slug'))
      on('commit:created', { sheetSlug: 'con*' }, note('glob'))
      on('commit:created', { 'context.slugs.sheet': 'contacts', namespaces: ['space:red'] }, note('path'))
      on('commit:created', { sheet: 'others' }, note('other sheet'))
      on('commit:created', { namespaces: 'space:blue' }, note('other namespace'))
      on(['commit:updated', 'job:*'], note('other topics'))
    })
    await listener.dispatchEvent(anEvent)
    expect(seen).toEqual(['topic', 'pattern', 'slug', 'glob', 'path'])
    expect(listener.topics).toContain('job:ready')
    expect(listener.topics.filter((topic) => topic.includes('*'))).toEqual([])
  })

  it('refuses a topic that the platform never emits', () => {
    // @ts-expect-error a misspelled topic
    expect(() => createListener((on) => on('commit:creatde', () => {}))).toThrow('commit:creatde')
    // @ts-expect-error matches nothing
    expect(() => createListener((on) => on('nothing:*', () => {}))).toThrow('nothing:*')
    expect(createListener((on) => on('shop:ordered', () => {})).topics).toEqual(['shop:ordered'])
  })

  it('has the types of each topic', () => {
    createListener((on) => {
      on('records:created', { sheet: 'contacts' }, ({ payload }) => payload.recordCount.toFixed())
      on(['job:completed', 'job:failed'], ({ topic, payload }) => topic === 'job:completed' && payload.operation)
      // @ts-expect-error no such key
      on('records:created', { shet: 'contacts' }, () => {})
      // @ts-expect-error spaces have no records
      on('space:created', (event) => event.records())
    })
  })

  it('runs every handler, and fails with the errors of all', async () => {
    const seen: string[] = []
    const listener = createListener((on) => {
      on('commit:created', () => Promise.reject(new Error('the first')))
      on('commit:created', () => seen.push('ran'))
      on('commit:created', () => {
        throw new Error('the third')
      })
    })
    await expect(listener.dispatchEvent(anEvent)).rejects.toThrow(/the first\n.*the third/)
    expect(seen).toEqual(['ran'])
    const results = await listener.handleEvent(anEvent)
    expect(results.map(({ error }) => (error as Error | undefined)?.message)).toEqual([
      'the first',
      undefined,
      'the third',
    ])
    expect(results[0]!.registeredAt).toContain('listener.test')
  })
})

describe('an event', () => {
  it('reads and updates the records of a commit, in reply to it', async () => {
    const { event, ids } = await insert([' ADA@example.com', 'grace@example.com'])
    const listener = listen((on) =>
      on('commit:created', { sheet: 'contacts' }, async (commit) => {
        const records = await commit.records()
        expect(records.map(({ id }) => id)).toEqual(ids)
        const [{ id, values }] = records as [(typeof records)[0]]
        await commit.update([{ id, values: { email: String(values.email!.value).trim().toLowerCase() } }])
      }),
    )
    await listener.dispatchEvent(event)
    expect(await readEmail(ids[0]!)).toBe('ada@example.com')
    const reply = await findEvent('commit:created', ({ context }) => context.precedingEventId === event.id)
    expect(reply.context.sheetId).toBe(sheetId)
  })

  it('reads a secret, and names one that is missing', async () => {
    await must('POST', '/secrets', { environmentId: account.environmentId, name: 'GREETING', value: 'hello there' })
    const { event } = await insert(['ada@example.com'])
    const seen: string[] = []
    const listener = listen((on) =>
      on('commit:created', async (commit) => {
        seen.push(await commit.secret('GREETING'))
        await commit.secret('MISSING')
      }),
    )
    await expect(listener.dispatchEvent(event)).rejects.toThrow('MISSING')
    expect(seen).toEqual(['hello there'])
  })

  it('loads a payload that was too large to deliver', async () => {
    const { event: commit } = await insert(['ada@example.com'])
    const whole = await findEvent('records:created', ({ context }) => context.commitId === commit.context.commitId)
    const delivered = { ...whole, payload: {}, dataUrl: `v1/events/${whole.id}/payload?for=${whole.id}` }
    const seen: unknown[] = []
    const listener = listen((on) =>
      on('records:created', async (event) => {
        seen.push(event.payload.recordCount, (await event.records()).length)
      }),
    )
    await listener.dispatchEvent(delivered)
    expect(seen).toEqual([1, 1])
  })

  it('is handled by a plugin of the public listener, too', async () => {
    const { event, ids } = await insert([' GRACE@example.com '])
    const listener = listen((on) =>
      on.use(
        recordHook('contacts', (record) => record.compute('email', (email) => String(email).trim().toLowerCase())),
      ),
    )
    expect(listener.topics).toEqual(['commit:created'])
    await listener.dispatchEvent(event)
    expect(await readEmail(ids[0]!)).toBe('grace@example.com')
  })
})

describe('on.job', () => {
  it('acknowledges a job, reports its progress and completes it', async () => {
    const { event, read } = await startJob('workbook:export', { to: 'ftp' })
    const seen: unknown[] = []
    const listener = listen((on) =>
      on.job('workbook:export', async (job) => {
        seen.push(job.input, (await read()).status)
        await job.progress(40, 'Writing')
        const { progress, info } = await read()
        seen.push([progress, info])
        return 'Exported 3 records.'
      }),
    )
    expect(listener.topics).toEqual(['job:ready'])
    await listener.dispatchEvent(event)
    expect(seen).toEqual([{ to: 'ftp' }, 'executing', [40, 'Writing']])
    expect(await read()).toMatchObject({ status: 'completed', outcome: { message: 'Exported 3 records.' } })
    await listener.dispatchEvent(event)
    expect(seen).toHaveLength(3)
  })

  it('fails the job with the message of an error', async () => {
    const { event, read } = await startJob()
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const listener = listen((on) =>
      on.job('workbook:export', () => {
        throw new Error('The target system did not respond.')
      }),
    )
    const [result] = await listener.handleEvent(event)
    expect(result).toMatchObject({ handler: 'workbook:export', isJobFailure: true })
    expect(await read()).toMatchObject({ status: 'failed', outcome: { message: 'The target system did not respond.' } })
    expect(log.mock.calls.flat().join()).toContain('did not respond')
    log.mockRestore()
  })

  it('stops when the job is canceled', async () => {
    const { id, event, read } = await startJob()
    const seen: unknown[] = []
    const listener = listen((on) =>
      on.job('workbook:export', async (job) => {
        await must('POST', `/jobs/${id}/cancel`, {})
        await job.progress(50).catch((error: Error) => seen.push(error.message))
        seen.push(job.signal.aborted)
      }),
    )
    await listener.dispatchEvent(event)
    expect(seen).toEqual([expect.stringContaining('canceled'), true])
    expect((await read()).status).toBe('canceled')
  })
})

it('runs as an agent, and its failures are those of the agent', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createListener } from './packages/listener/src/index.ts'
        export default createListener((on) => {
          on.job('workbook:sync', async (job) => { await job.progress(10); return 'Synced.' })
          on('space:created', ({ payload }) => { throw new Error('no welcome for ' + payload.name) })
        })`,
      resolveDir: resolve('.'),
    },
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', write: false, logLevel: 'error' },
  })
  const source = outputFiles[0]!.text
  const agent = await must('POST', '/agents', { slug: 'typed', topics: ['job:ready', 'space:created'], source })
  const { read } = await startJob('workbook:sync')
  await waitUntil(async () => (await read()).status === 'completed')
  expect((await read()).outcome.message).toBe('Synced.')
  await must('POST', '/spaces', { name: 'Unwelcome' })
  const failed = await waitUntil(async () =>
    (await must('GET', `/agents/${agent.id}/logs`)).find((run: { log?: string }) =>
      run.log?.includes('no welcome for'),
    ),
  )
  expect(failed.log).toContain('no welcome for Unwelcome')
}, 120_000)
