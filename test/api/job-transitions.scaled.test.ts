/** The life of a job over HTTP: each row of the specification, every invalid transition, and a model. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { JOB_STATUSES, type JobStatus } from '../../schemas/jobs/shape.ts'
import { waitUntil } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { type EmittedEvent, nextState, withoutUpdates } from '../support/job-model.ts'
import { runs } from '../support/runs.ts'

let sheets: { id: string }[]
let workbookId: string

beforeAll(async () => {
  await createFreshSpace({ name: 'Space' })
  const named = (name: string) => ({ name, slug: name, fields: [{ key: 'email', type: 'string' }] })
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'Book', sheets: [named('a'), named('b')] })
  workbookId = workbook.id
  sheets = workbook.sheets
})

interface Job {
  id: string
  status: JobStatus
  info?: string
  progress: number
}
interface Seen {
  topic: string
  payload: { status: JobStatus; isPart: boolean; info?: string; parts?: object[] }
  context: { jobId: string }
  attributes?: { progress: { current: number } }
}

const FAR = '2100-01-01T00:00:00.000Z'
const newJob = (more: object = {}): Promise<Job> =>
  must('POST', '/jobs', { type: 'space', operation: 'live', source: spaceId, ...more })
const get = (jobId: string): Promise<Job> => must('GET', `/jobs/${jobId}`)
const post = (jobId: string, verb: string, body?: object): Promise<Job> => must('POST', `/jobs/${jobId}/${verb}`, body)

async function allEvents(): Promise<Seen[]> {
  const found: Seen[] = []
  for (let page = 1; found.length === (page - 1) * 1000; page++) {
    const paging = `pageSize=1000&pageNumber=${page}`
    const path = `/events?environmentId=${account.environmentId}&domain=job&includeAcknowledged=true&${paging}`
    found.push(...(await must('GET', path)))
  }
  return found
}
const eventsOf = async (jobId: string): Promise<Seen[]> =>
  (await allEvents()).filter(({ context }) => context.jobId === jobId)
const listTransitions = async (jobId: string): Promise<EmittedEvent[]> =>
  (await eventsOf(jobId)).map(({ topic, payload }) => [topic, payload.status])

const EMPTY_PLAN = { fieldMapping: [], unmappedSourceFields: [], unmappedDestinationFields: [] }

async function newJobInStatus(status: JobStatus): Promise<Job> {
  const immediate = ['ready', 'executing', 'completed', 'failed', 'canceled', 'waiting', 'parts-completed']
  const job = await newJob(immediate.includes(status) ? { immediate: true } : {})
  const { id } = job
  if (status === 'planning') await must('PUT', `/jobs/${id}/plan`, EMPTY_PLAN)
  if (status === 'scheduled') await must('PATCH', `/jobs/${id}`, { scheduledFor: FAR })
  if (status === 'executing') await post(id, 'ack')
  if (status === 'completed') await post(id, 'complete')
  if (status === 'failed') await post(id, 'fail')
  if (status === 'canceled') await post(id, 'cancel')
  if (status === 'waiting' || status === 'parts-completed') await post(id, 'split', { parts: 1 })
  if (status === 'parts-completed') {
    const [part] = await must('GET', `/jobs?parentId=${id}`)
    await waitUntil(async () => (await get(part.id)).status === 'ready')
    await post(part.id, 'complete')
    await waitUntil(async () => (await get(id)).status === status)
  }
  expect((await get(id)).status).toBe(status)
  return get(id)
}

describe('the rows of the specification', () => {
  it('(none), job creation with immediate = true: ready; emits created, then ready, without planning', async () => {
    const { id, ...job } = await newJob({ immediate: true })
    expect(job).toMatchObject({ status: 'ready', trigger: 'immediate', immediate: true })
    expect(await listTransitions(id)).toEqual([
      ['job:created', 'created'],
      ['job:ready', 'ready'],
    ])
  })

  it('(none), job creation not immediate: planning for jobs that have a plan, and no listener is called yet', async () => {
    const config = { sourceSheetId: sheets[0]!.id, destinationSheetId: sheets[1]!.id }
    const wanted = { type: 'workbook', operation: 'map', source: workbookId, managed: true, config }
    const { id, status } = await newJob(wanted)
    expect(status).toBe('planning')
    expect(await listTransitions(id)).toEqual([
      ['job:created', 'created'],
      ['job:updated', 'planning'],
    ])
  })

  it('planning, plan complete: ready, emitted once', async () => {
    const { id } = await newJobInStatus('planning')
    await Promise.all([1, 2, 3, 4].map(() => post(id, 'execute')))
    await post(id, 'execute')
    expect((await listTransitions(id)).slice(-2)).toEqual([
      ['job:updated', 'planning'],
      ['job:ready', 'ready'],
    ])
  })

  it.each([
    ['executed', (id: string) => post(id, 'execute')],
    ['set to ready', (id: string) => must('PATCH', `/jobs/${id}`, { status: 'ready' })],
  ])('planning, plan of a mapping accepted: ready once it is %s, and no record is copied before', async (_, accept) => {
    const [source, destination] = sheets.map((sheet) => sheet.id)
    const config = { sourceSheetId: source, destinationSheetId: destination }
    const { id } = await newJob({ type: 'workbook', operation: 'map', source: workbookId, managed: true, config })
    const { plan } = await must('GET', `/jobs/${id}/plan`)
    expect((await must('PUT', `/jobs/${id}/plan`, plan)).job.status).toBe('planning')
    expect((await listTransitions(id)).map(([topic]) => topic)).not.toContain('job:ready')
    await accept(id)
    expect(await listTransitions(id)).toContainEqual(['job:ready', 'ready'])
    await waitUntil(async () => (await must('GET', `/jobs/${id}`)).status === 'completed')
    expect((await listTransitions(id)).filter(([topic]) => topic === 'job:ready')).toHaveLength(1)
  })

  it('ready, a listener acknowledges: executing', async () => {
    const { id } = await newJobInStatus('ready')
    expect(await post(id, 'ack', { info: 'On it' })).toMatchObject({ status: 'executing', info: 'On it' })
    expect((await listTransitions(id)).at(-1)).toEqual(['job:updated', 'executing'])
  })

  it('executing, a listener updates state or progress: executing, emitted each time', async () => {
    const { id } = await newJobInStatus('executing')
    await sleep(1010)
    await post(id, 'ack', { progress: 30 })
    await sleep(1010)
    expect(await must('PATCH', `/jobs/${id}`, { progress: 60 })).toMatchObject({ status: 'executing', progress: 60 })
    const updates = (await eventsOf(id)).filter(({ topic }) => topic === 'job:updated')
    expect(updates.map(({ attributes }) => attributes!.progress.current)).toEqual([0, 30, 60])
  })

  it('executing, a listener finishes with success: completed', async () => {
    const { id } = await newJobInStatus('executing')
    expect(await post(id, 'complete')).toMatchObject({ status: 'completed', progress: 100 })
    expect((await listTransitions(id)).at(-1)).toEqual(['job:completed', 'completed'])
  })

  it.each(['executing', 'ready'] as const)('%s, failure: failed', async (status) => {
    const { id } = await newJobInStatus(status)
    expect(await post(id, 'fail', { info: 'No' })).toMatchObject({ status: 'failed', info: 'No' })
    expect((await listTransitions(id)).at(-1)).toEqual(['job:failed', 'failed'])
  })

  it.each(['completed', 'failed'] as const)('%s, a user acknowledges: emitted, and the state stays', async (status) => {
    const { id } = await newJobInStatus(status)
    expect((await post(id, 'outcome/ack')).status).toBe(status)
    expect((await listTransitions(id)).at(-1)).toEqual(['job:outcome-acknowledged', status])
    for (const mode of ['background', 'hidden']) {
      const hidden = await newJob({ immediate: true, mode })
      await post(hidden.id, status === 'failed' ? 'fail' : 'complete')
      const answer = await call('POST', `/jobs/${hidden.id}/outcome/ack`)
      expect([answer.status, answer.body.errors[0].message]).toEqual([409, expect.stringContaining('foreground')])
      expect(await listTransitions(hidden.id)).not.toContainEqual(['job:outcome-acknowledged', status])
    }
  })

  it.each(JOB_STATUSES)('any, here %s, scheduling for a future time: scheduled', async (status) => {
    const { id } = await newJobInStatus(status)
    const scheduled = await must('PATCH', `/jobs/${id}`, { scheduledFor: FAR })
    expect(scheduled).toMatchObject({ status: 'scheduled', scheduledFor: FAR, progress: 0 })
    for (const left of ['startedAt', 'finishedAt', 'outcome']) expect(scheduled).not.toHaveProperty(left)
    expect((await listTransitions(id)).at(-1)).toEqual(['job:scheduled', 'scheduled'])
    await post(id, 'execute')
    expect((await listTransitions(id)).at(-1)).toEqual(['job:ready', 'ready'])
  })

  it('multi-part job, all parts done: parts-completed, emitted with the parts', async () => {
    const { id } = await newJobInStatus('parts-completed')
    const [part] = await must('GET', `/jobs?parentId=${id}`)
    const end = (await eventsOf(id)).at(-1)!
    expect([end.topic, end.payload.status, end.payload.isPart]).toEqual([
      'job:parts-completed',
      'parts-completed',
      false,
    ])
    expect(end.payload.parts).toEqual([{ partId: part.id, status: 'completed', completedAt: expect.any(String) }])
    expect((await eventsOf(part.id)).every(({ payload }) => payload.isPart)).toBe(true)
  })

  it('a job that waits for parts and is scheduled drops them', async () => {
    const { id } = await newJobInStatus('waiting')
    const [part] = await must('GET', `/jobs?parentId=${id}`)
    await must('PATCH', `/jobs/${id}`, { scheduledFor: FAR })
    await waitUntil(async () => (await get(part.id)).status === 'canceled')
    expect((await get(id)).status).toBe('scheduled')
  })
})

const CALLS: [trigger: string, method: string, path: string, body?: object][] = [
  ['schedule', 'PATCH', '', { scheduledFor: FAR }],
  ['execute', 'POST', '/execute'],
  ['acknowledge', 'POST', '/ack', { info: 'On it' }],
  ['progress', 'PATCH', '', { progress: 50 }],
  ['update', 'PATCH', '', { info: 'Well' }],
  ['complete', 'POST', '/complete'],
  ['fail', 'POST', '/fail'],
  ['cancel', 'POST', '/cancel'],
  ['retry', 'POST', '/retry'],
  ['acknowledgeOutcome', 'POST', '/outcome/ack'],
  ['split', 'POST', '/split', { parts: 1 }],
  ['plan', 'PUT', '/plan', EMPTY_PLAN],
]

describe('an invalid transition', () => {
  it.each(JOB_STATUSES)(
    'from %s is rejected by a 409 that names state and trigger, and changes nothing',
    async (status) => {
      const job = await newJobInStatus(status)
      const transitions = await listTransitions(job.id)
      for (const [trigger, method, path, body] of CALLS) {
        if (nextState(status, trigger)) continue
        const answer = await call(method, `/jobs/${job.id}${path}`, body)
        expect(answer.status, `${status}: ${trigger}`).toBe(409)
        expect(answer.body.errors).toEqual([
          {
            key: 'conflict',
            message: expect.stringContaining(`The job is ${status}. "${trigger}" is only allowed in`),
          },
        ])
      }
      expect(await get(job.id)).toEqual(job)
      expect(await listTransitions(job.id)).toEqual(transitions)
    },
  )
})

const BIRTHS: Record<string, object> = {
  create: {},
  createImmediate: { trigger: 'immediate' },
  createScheduled: { scheduledFor: FAR },
}
const BY_CLIENTS = CALLS.filter(([trigger]) => trigger !== 'split')

it('a job matches the model under any sequence of calls, and its last state is always emitted', async () => {
  const life = fc.tuple(
    fc.constantFrom(...Object.keys(BIRTHS)),
    fc.array(fc.constantFrom(...BY_CLIENTS), { minLength: 6, maxLength: 12 }),
  )
  const lives: string[] = []
  const property = fc.asyncProperty(life, async ([birth, calls]) => {
    const { id } = await newJob(BIRTHS[birth])
    lives.push(id)
    let { to: state, emits } = nextState('none', birth)!
    const expected: EmittedEvent[] = emits.map((topic) => [topic, topic === 'job:created' ? 'created' : state])
    let isAcknowledged = false
    for (const [trigger, method, path, body] of calls) {
      const found = nextState(state, trigger)
      const { status } = await call(method, `/jobs/${id}${path}`, body)
      expect([state, trigger, status]).toEqual([state, trigger, found ? 200 : 409])
      if (!found) continue
      const isRepeated: boolean = trigger === 'acknowledgeOutcome' && isAcknowledged
      isAcknowledged = trigger === 'acknowledgeOutcome' || (isAcknowledged && found.to === state)
      state = found.to
      emits = isRepeated ? [] : found.emits
      expected.push(...emits.map((topic): EmittedEvent => [topic, found.to]))
    }
    expect((await get(id)).status).toBe(state)
    expect(withoutUpdates(await listTransitions(id))).toEqual(withoutUpdates(expected))
  })
  await fc.assert(property, { numRuns: runs(40) })
  await waitUntil(async () => {
    const events = await allEvents()
    for (const id of lives) {
      const { status, info, progress } = await get(id)
      const last = events.findLast(({ context }) => context.jobId === id)!
      const transitions = {
        status: last.payload.status,
        info: last.payload.info,
        progress: last.attributes!.progress.current,
      }
      if (JSON.stringify(transitions) !== JSON.stringify({ status, info, progress })) return false
    }
    return true
  }, 20)
}, 180_000)
