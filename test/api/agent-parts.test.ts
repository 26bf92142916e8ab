import { beforeAll, describe, expect, it } from 'vitest'
import { deployAgent, findEvents, waitForRun } from '../support/activity.ts'
import { pluck, type SeenEvent, waitUntil } from '../support/api.ts'
import { call, createFreshAccount, environmentId, must } from '../support/fresh-account.ts'
import { createSheet, readColumn, readRecords } from '../support/resources.ts'

beforeAll(createFreshAccount)

interface Run {
  eventId: string
  status: string
  success: boolean
  log: string
  topic: string
}

type StoredEvent = SeenEvent & { id: string }

const listRuns = async (agentId: string): Promise<Run[]> =>
  (await must('GET', `/agents/${agentId}/logs?pageSize=100`)).filter(({ status }: Run) => status !== 'running')
const waitForRuns = (agentId: string, count: number): Promise<Run[]> =>
  waitUntil(async () => {
    const runs = await listRuns(agentId)
    return runs.length >= count && runs
  }, 40)

const HEAD = `const url = process.env.AGENT_INTERNAL_URL + '/'
  const headers = { authorization: 'Bearer ' + process.env.FLATFILE_BEARER_TOKEN, 'content-type': 'application/json', 'x-disable-hooks': 'true' }
  const send = async (path, method, body) => {
    const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()).data
  }`

const buildHook = (sheetId: string, more = '') => `exports.routeEvent = async (event) => {
  if (event.context.sheetId !== '${sheetId}') return
  ${HEAD}
  ${more}
  const { records } = await send(event.dataUrl, 'GET')
  const changes = records.map(({ id, values }) => ({ id, values: { name: { value: values.name.value.toUpperCase() } } }))
  if (changes.length > 0) await send(event.dataUrl, 'PUT', changes)
  console.log('part', event.payload.part, 'of', event.payload.parts, 'has', records.length)
}`

const buildRows = (count: number) => Array.from({ length: count }, (_, row) => ({ name: { value: `name ${row}` } }))
const buildResult = (count: number) => Array.from({ length: count }, (_, row) => `NAME ${row}`)
const FIELDS = [{ key: 'name', type: 'string' }]
const insert = (sheetId: string, count: number) => must('POST', `/sheets/${sheetId}/records`, buildRows(count))

describe('an agent with recordsPerEvent', () => {
  it('is called for the parts of a commit, each with its own event, records and reply', async () => {
    const { sheetId, spaceId } = await createSheet(FIELDS)
    const agent = await deployAgent('in-parts', ['commit:created'], buildHook(sheetId), { recordsPerEvent: 100 })
    expect(agent).toMatchObject({ recordsPerEvent: 100 })
    await insert(sheetId, 250)
    const runs = await waitForRuns(agent.id, 3)
    const [event, ...answers] = await findEvents<StoredEvent>('topic=commit:created', { spaceId })
    expect(runs.map(({ log }) => /part .*/.exec(log)?.[0]).toSorted()).toEqual([
      'part 1 of 3 has 83',
      'part 2 of 3 has 83',
      'part 3 of 3 has 84',
    ])
    expect(pluck(runs, 'eventId').toSorted()).toEqual([1, 2, 3].map((part) => `${event!.id}.3.${part}`))
    expect(await readColumn(sheetId, 'name')).toEqual(buildResult(250))
    const { log, success } = await must('GET', `/agents/log/${event!.id}`)
    expect([success, log.match(/part \d of 3/g).toSorted()]).toEqual([true, [1, 2, 3].map((n) => `part ${n} of 3`)])
    expect((await must('GET', `/agents/log/${event!.id}.3.2`)).log).toContain('part 2 of 3')
    expect(answers.map(({ context }) => context.precedingEventId).toSorted()).toEqual(pluck(runs, 'eventId').toSorted())
  })

  it('is called once for a commit that is not larger, and for other topics', async () => {
    const { sheetId } = await createSheet(FIELDS)
    const source = buildHook(sheetId).replace(
      'if (event.context.sheetId',
      "if (event.topic === 'parts:other') return console.log('other')\n  if (event.context.sheetId",
    )
    const agent = await deployAgent('small-commits', ['commit:created', 'parts:other'], source, {
      recordsPerEvent: 100,
    })
    await insert(sheetId, 100)
    const context = { environmentId }
    await must('POST', '/events', { topic: 'parts:other', domain: 'x', context, payload: {} })
    const runs = await waitForRuns(agent.id, 2)
    expect(runs.map(({ log }) => log.replace(/^.*INFO /, '')).toSorted()).toEqual(['other', 'part 1 of 1 has 100'])
  })

  it('reads the event of a part, acknowledges it, and reads its records by `for` only', async () => {
    const { sheetId, spaceId } = await createSheet(FIELDS)
    await insert(sheetId, 250)
    const [event] = await waitUntil(async () => {
      const events = await findEvents<StoredEvent>('topic=commit:created', { spaceId })
      return events.length === 1 && events
    })
    const partId = `${event!.id}.3.2`
    const part = await must('GET', `/events/${partId}`)
    expect(part).toMatchObject({ id: partId, payload: { part: 2, parts: 3, recordCount: 250 }, context: { spaceId } })
    const { records } = await must('GET', `/sheets/${sheetId}/records?for=${partId}`)
    expect(records).toEqual((await must('GET', `/${part.dataUrl.replace('v1/', '')}`)).records)
    expect(pluck(pluck(pluck(records, 'values'), 'name'), 'value')).toEqual(
      Array.from({ length: 83 }, (_, row) => `name ${row + 83}`),
    )
    await must('POST', `/events/${partId}/ack`)
    expect(await must('GET', `/events/${event!.id}`)).toHaveProperty('acknowledgedAt')
    expect((await call('GET', `/events/${event!.id}.3.4`)).status).toBe(404)
  })

  it('lists a failed part, and replays only that one', { timeout: 60_000 }, async () => {
    const { sheetId, spaceId } = await createSheet(FIELDS, { workbook: { settings: { trackChanges: true } } })
    const failing = "if (event.payload.part === 2) throw new Error('part two')"
    const options = { recordsPerEvent: 100 }
    const agent = await deployAgent('part-fails', ['commit:created'], buildHook(sheetId, failing), options)
    const { commitId } = await insert(sheetId, 250)
    const runs = await waitForRuns(agent.id, 3)
    expect(runs.filter(({ success }) => !success)).toMatchObject([
      { eventId: expect.stringMatching(/\.3\.2$/), error: 'Error: part two', attempts: 3 },
    ])
    const isCompleted = async () => (await must('GET', `/commits/${commitId}`)).completedAt !== undefined
    expect(await isCompleted()).toBe(false)

    await deployAgent('part-fails', ['commit:created'], buildHook(sheetId), options)
    expect(await must('POST', `/agents/${agent.id}/replay`, { failed: true })).toMatchObject({ replayed: 1 })
    await waitUntil(isCompleted, 20)
    expect(await readColumn(sheetId, 'name')).toEqual(buildResult(250))
    const completions = await findEvents('topic=commit:completed', { spaceId, commitId })
    expect(completions).toHaveLength(1)
  })

  it('completes a commit once all parts are done, whichever run asks for it', { timeout: 60_000 }, async () => {
    const { sheetId, spaceId } = await createSheet(FIELDS, { workbook: { settings: { trackChanges: true } } })
    const source = `exports.routeEvent = async (event) => {
      if (event.context.sheetId !== '${sheetId}') return
      ${HEAD}
      const path = 'v1/commits/' + event.context.commitId
      if (event.payload.part > 1) await new Promise((resolve) => setTimeout(resolve, 500))
      await send(path + '/complete', 'POST')
      console.log('completed', (await send(path, 'GET')).completedAt !== undefined)
    }`
    const agent = await deployAgent('completes', ['commit:created'], source, { recordsPerEvent: 100 })
    const { commitId } = await insert(sheetId, 250)
    await waitUntil(async () => (await must('GET', `/commits/${commitId}`)).completedBy === agent.id, 20)
    const runs = await waitForRuns(agent.id, 3)
    expect(runs.filter(({ log }) => log.includes('completed true'))).toEqual([])
    expect(await findEvents('topic=commit:completed', { spaceId })).toHaveLength(1)
  })

  it.each([[99], [10_001], ['many']])('rejects %s records per event by name', async (recordsPerEvent) => {
    const body = { slug: 'wrong', topics: [], source: 'exports.routeEvent = () => {}', recordsPerEvent }
    const { status, body: reply } = await call('POST', `/agents?environmentId=${environmentId}`, body)
    expect([status, pluck(reply.errors, 'key')]).toEqual([400, ['recordsPerEvent']])
  })

  it('keeps the setting with the version', async () => {
    const source = 'exports.routeEvent = () => {}'
    const { id } = await deployAgent('version', ['commit:created'], source, { recordsPerEvent: 500 })
    await deployAgent('version', ['commit:created'], `${source};`, { ignoreOwnCommits: true })
    const now = await must('GET', `/agents/${id}`)
    expect([now.recordsPerEvent, now.ignoreOwnCommits]).toEqual([undefined, true])
    const [, first] = await must('GET', `/agents/${id}/versions`)
    await must('POST', `/agents/${id}/versions/${first.id}/revert`)
    const before = await must('GET', `/agents/${id}`)
    expect([before.recordsPerEvent, before.ignoreOwnCommits]).toEqual([500, undefined])
  })
})

describe('GET /sheets/{sheetId}/records?part=', () => {
  const listNames = async (sheetId: string, query: string) =>
    (await readRecords(sheetId, query)).map(({ values }: { values: { name: { value: string } } }) => values.name.value)

  it('has the same records after others were deleted, changed and added', async () => {
    const { sheetId } = await createSheet(FIELDS)
    await insert(sheetId, 5)
    const { commitId } = await insert(sheetId, 10)
    const before = await Promise.all(
      [1, 2, 3].map((part) => listNames(sheetId, `commitId=${commitId}&part=${part}&parts=3`)),
    )
    expect(before.map(({ length }) => length)).toEqual([3, 3, 4])
    expect(before.flat()).toEqual(Array.from({ length: 10 }, (_, row) => `name ${row}`))
    const all = await readRecords(sheetId, `commitId=${commitId}`)
    await must('DELETE', `/sheets/${sheetId}/records?ids=${all[0].id}&ids=${all[4].id}`)
    await must('PUT', `/sheets/${sheetId}/records`, [{ id: all[9].id, values: { name: { value: 'changed' } } }])
    await insert(sheetId, 5)
    const after = await Promise.all(
      [1, 2, 3].map((part) => listNames(sheetId, `commitId=${commitId}&part=${part}&parts=3`)),
    )
    expect(after).toEqual([
      ['name 1', 'name 2'],
      ['name 3', 'name 5'],
      ['name 6', 'name 7', 'name 8', 'changed'],
    ])
  })

  it('divides updated records, too', async () => {
    const { sheetId } = await createSheet(FIELDS)
    await insert(sheetId, 30)
    const records = await readRecords(sheetId)
    const changed = records.filter((_: unknown, row: number) => row % 3 === 0)
    const { commitId } = await must(
      'PUT',
      `/sheets/${sheetId}/records`,
      changed.map(({ id }: { id: string }, i: number) => ({ id, values: { name: { value: `new ${i}` } } })),
    )
    const parts = await Promise.all(
      [1, 2].map((part) => listNames(sheetId, `commitId=${commitId}&part=${part}&parts=2`)),
    )
    expect(parts).toEqual([[0, 1, 2, 3, 4].map((i) => `new ${i}`), [5, 6, 7, 8, 9].map((i) => `new ${i}`)])
  })

  it('reports every missing or too high parameter', async () => {
    const { sheetId } = await createSheet(FIELDS)
    const keysOf = async (query: string) => {
      const { status, body } = await call('GET', `/sheets/${sheetId}/records?${query}`)
      return [status, ...pluck(body.errors, 'key')]
    }
    expect(await keysOf('part=1')).toEqual([400, 'parts', 'commitId'])
    expect(await keysOf('part=3&parts=2')).toEqual([400, 'commitId', 'part'])
    expect(await keysOf('part=0&parts=100001')).toEqual([400, 'part', 'parts'])
  })
})

describe('an agent with ignoreOwnCommits', () => {
  const buildWriter = (sheetId: string) => `exports.routeEvent = async (event) => {
    if (event.context.sheetId !== '${sheetId}') return
    ${HEAD}
    const path = 'v1/sheets/${sheetId}/records'
    const { records } = await send(path, 'GET')
    if (records.length > 1) return
    if (records[0].values.name.value === 'force') headers['x-force-hooks'] = 'true'
    await send(path, 'POST', [{ name: { value: 'by the agent' } }])
  }`

  it('is not called for records it writes, other agents are', async () => {
    const { sheetId, spaceId } = await createSheet(FIELDS)
    const topics = ['commit:created']
    const ignoring = await deployAgent('ignores-own', topics, buildWriter(sheetId), { ignoreOwnCommits: true })
    const other = await deployAgent('sees-all', topics, 'exports.routeEvent = () => {}')
    await insert(sheetId, 1)
    const events = await waitUntil(async () => {
      const found = await findEvents<StoredEvent>('topic=commit:created', { spaceId })
      return found.length === 2 && found
    }, 20)
    const ids = pluck(events, 'id')
    for (const id of ids) await waitForRun(other.id, id)
    expect(pluck(await listRuns(ignoring.id), 'eventId')).toEqual([ids[0]])
  })

  it('is called for a write with X-Force-Hooks', async () => {
    const { sheetId, spaceId } = await createSheet(FIELDS)
    const agent = await deployAgent('forces', ['commit:created'], buildWriter(sheetId), { ignoreOwnCommits: true })
    await must('POST', `/sheets/${sheetId}/records`, [{ name: { value: 'force' } }])
    const runs = await waitForRuns(agent.id, 2)
    const ids = pluck(await findEvents<StoredEvent>('topic=commit:created', { spaceId }), 'id')
    expect(pluck(runs, 'eventId').toSorted()).toEqual(ids.toSorted())
  })
})
