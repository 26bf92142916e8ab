import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCaller, getServer, pluck } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createSheet } from '../support/resources.ts'

let workbookId: string
let sheet: string

async function newSheet(settings?: object): Promise<void> {
  const fields = [
    { key: 'name', type: 'string' },
    { key: 'n', type: 'number' },
  ]
  ;({ workbookId, sheetId: sheet } = await createSheet(fields, { workbook: { settings } }))
}
beforeAll(() => createFreshSpace({ name: 'Edges' }))
beforeEach(() => newSheet())

interface Found {
  id: string
  topic: string
  context: { sheetId?: string; commitId?: string }
  payload: { changes?: unknown }
  dataUrl?: string
}
const insert = async (rows: object[]) => await must('POST', `/sheets/${sheet}/records`, rows)
const put = (rows: object[], query = '', headers = {}) => call('PUT', `/sheets/${sheet}/records${query}`, rows, headers)
const records = async () => (await must('GET', `/sheets/${sheet}/records`)).records
const names = async () =>
  (await records()).map(({ values }: { values: { name: { value: unknown } } }) => values.name.value)
const jsonl = (query: string, body: string, headers = {}) =>
  call('POST', `/v2-alpha/records.jsonl?${query}`, Buffer.from(body), headers)
const events = async (): Promise<Found[]> =>
  (await must('GET', `/events?spaceId=${spaceId}&pageSize=1000`)).filter(
    ({ context }: Found) => context.sheetId === sheet,
  )
const called = async () => (await events()).filter(({ topic }) => topic === 'commit:created').length
const LISTENER = { 'x-disable-hooks': 'true' }

describe('an update', () => {
  it('keeps metadata and config that it does not name', async () => {
    const [{ id }] = (await insert([{ name: 'a' }])).records
    await put([{ id, metadata: { from: 'test' }, config: { readonly: true } }])
    await put([{ id, values: { name: { value: 'b' } } }])
    expect(await records()).toMatchObject([{ metadata: { from: 'test' }, config: { readonly: true } }])
  })

  it('names the problem inside a cell, and the valid types of a value', async () => {
    const { status, body } = await call('POST', `/sheets/${sheet}/records`, [
      { name: { value: 'x', messages: 5 } },
      { name: { value: {} } },
    ])
    expect(status).toBe(400)
    expect(pluck(body.errors, 'key')).toEqual(['0.name.messages', '1.name.value'])
    expect(body.errors[1].message).toContain('must be a string, a number')
  })

  it('reports numbers above 2^53', async () => {
    const [{ id }] = (await insert([{ n: 1 }])).records
    await put([{ id, values: { n: { value: 1e300 } } }])
    const told = (await events()).find(({ topic }) => topic === 'records:updated')
    expect(told?.payload.changes).toMatchObject([{ previousValue: 1, newValue: 1e300 }])
  })
})

describe('a value that cannot be stored', () => {
  it('is rejected by name: nesting, numbers, ids', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const body = Buffer.from(`[{"id":"x","metadata":{"a":${deep}}}]`)
    expect((await call('PUT', `/sheets/${sheet}/records`, body)).body.errors[0].message).toContain('nesting levels')
    const lines = await jsonl(`sheetId=${sheet}`, `{"name":${deep}}\n{"n":1e999}`)
    expect(pluck(lines.body.errors, 'key')).toEqual(['line 1', 'line 2'])
    expect((await call('PATCH', `/sheets/${sheet}`, { metadata: { a: 1e-200 } })).status).toBe(400)
    const long = 'x'.repeat(3000)
    expect((await call('POST', '/snapshots', { sheetId: long })).status).toBe(404)
    expect((await jsonl('', '{"name":"x"}', { 'x-sheet-id': long })).status).toBe(404)
    expect((await jsonl(`sheetId=${sheet}`, `{"__k":"${long}","name":"x"}`)).body.missing).toEqual([long])
  })

  it('in JSON lines is reported for every line, including the first', async () => {
    const { body } = await jsonl('', '{bad\n{"name":"x"}\n[]')
    expect(pluck(body.errors, 'key')).toEqual(['line 1', 'line 3'])
    expect((await jsonl(`sheetId=${sheet}`, '{}', { 'x-sheet-id': 'us_sh_other' })).status).toBe(400)
  })
})

describe('a large response', () => {
  it('is served from the bucket, even if it does not compress', async () => {
    const rows = Array.from({ length: 500 }, () => ({ name: randomBytes(10_000).toString('base64') }))
    const { records: answered, commitId } = await insert(rows)
    expect(commitId).toBeTypeOf('string')
    expect(answered, 'too large to be answered').toBeUndefined()
    const { id } = await must('POST', '/snapshots', { sheetId: sheet })
    const paths = [`sheets/${sheet}/records`, `snapshots/${id}/records`, `sheets/${sheet}/cells?distinct=true`]
    for (const path of paths) {
      const headers = { authorization: `Bearer ${account.secretKey}`, 'accept-encoding': 'gzip' }
      const direct = await fetch(`${getServer().baseUrl}/v1/${path}`, { headers, redirect: 'manual' })
      expect(direct.status, path).toBe(302)
      const followed = await (await fetch(direct.headers.get('location')!)).text()
      expect(Buffer.byteLength(followed), path).toBeGreaterThan(6_000_000)
    }
  })
})

describe('a write in reply to an event', () => {
  it('reaches listeners like any other, through every endpoint', async () => {
    const [{ id }] = (await insert([{ name: 'a', n: 1 }])).records
    const snapshot = (await must('POST', '/snapshots', { sheetId: sheet })).id
    const event = (await events()).find(({ topic }) => topic === 'commit:created')!.id
    const one = { fieldUpdates: { n: 2 } }
    const before = await called()
    await jsonl(`sheetId=${sheet}&for=${event}`, '{"name":"b"}', LISTENER)
    await call('POST', `/sheets/${sheet}/records?for=${event}`, [{ name: 'c' }], LISTENER)
    await call('PATCH', `/sheets/${sheet}/records/bulk-update?for=${event}`, one, LISTENER)
    const text = { fieldKey: 'name', find: 'a', replace: 'z' }
    await call('PUT', `/sheets/${sheet}/find-replace?for=${event}`, text, LISTENER)
    await call('POST', `/snapshots/${snapshot}/restore?for=${event}`, undefined, LISTENER)
    expect(await called()).toBe(before + 5)
    expect(await must('GET', `/sheets/${sheet}/commits`)).toHaveLength(6)
    await call('PATCH', `/sheets/${sheet}/records/bulk-update?ids=${id}`, one, LISTENER)
    expect(await called()).toBe(before + 6)
  })

  it('defaults to the records of its event', async () => {
    await insert([{ name: 'a' }])
    await insert([{ name: 'b' }])
    const event = (await events()).filter(({ topic }) => topic === 'commit:created').at(-1)!.id
    const { body } = await call('PATCH', `/sheets/${sheet}/records/bulk-update?for=${event}`, {
      fieldUpdates: { n: 5 },
    })
    expect(body.data.updated).toBe(1)
  })

  it('completes the commit it replies to, and is completed by its listeners; a commit without listeners is complete when made', async () => {
    await newSheet({ trackChanges: true })
    const { records: made, commitId } = await insert([{ name: 'a' }, { name: 'b' }])
    const event = (await events()).find(({ topic }) => topic === 'commit:created')!.id
    await put([{ id: made[0].id, values: { n: { value: 1 } } }], `?for=${event}`, LISTENER)
    await call('DELETE', `/sheets/${sheet}/records?ids=${made[1].id}`)
    await call('POST', `/sheets/${sheet}/records?silent=true`, [{ name: 'c' }])
    const answer = (await events()).filter(({ topic }) => topic === 'commit:created').at(-1)!.context.commitId as string
    const left = await must('GET', `/sheets/${sheet}/commits?completed=false`)
    expect(left.map((commit: { id: string }) => commit.id)).toEqual([answer])
    expect((await call('POST', `/commits/${answer}/complete`)).status).toBe(200)
    expect(await must('GET', `/sheets/${sheet}/commits?completed=false`)).toEqual([])
    const told = (await events()).filter(({ topic }) => topic === 'commit:completed')
    expect(told).toHaveLength(3)
    expect(told.some(({ context }) => context.commitId === commitId)).toBe(true)
    const page = await call('GET', `/workbooks/${workbookId}/commits?pageSize=2&pageNumber=2`)
    expect(page.body.data).toHaveLength(2)
  })

  it('completes its commit even if the records were deleted', async () => {
    await newSheet({ trackChanges: true })
    const { records: made, commitId } = await insert([{ name: 'a' }])
    const event = (await events()).find(({ topic }) => topic === 'commit:created')!.id
    await call('DELETE', `/sheets/${sheet}/records?ids=${made[0].id}`)
    expect((await put([{ id: made[0].id, values: { n: { value: 1 } } }], `?for=${event}`, LISTENER)).status).toBe(404)
    expect((await must('GET', `/commits/${commitId}`)).completedAt).toBeTypeOf('string')
  })
})

describe('a change by query', () => {
  it('does not overwrite a concurrent edit', async () => {
    const { records: made } = await insert(Array.from({ length: 200 }, (_, i) => ({ name: `row ${i}` })))
    const edits = made.slice(0, 8).map(({ id }: { id: string }) => put([{ id, values: { name: { value: 'edited' } } }]))
    const bulk = (filter: string, name: string) =>
      call('PATCH', `/sheets/${sheet}/records/bulk-update?q=${encodeURIComponent(filter)}`, { fieldUpdates: { name } })
    await Promise.all([
      ...edits,
      call('PUT', `/sheets/${sheet}/find-replace`, { fieldKey: 'name', find: 'row', replace: 'line' }),
      bulk('name like "row 1%"', 'one'),
    ])
    expect((await names()).slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 'edited'))
  })
})

describe('an embedded token', () => {
  it('cannot take a snapshot implicitly', async () => {
    const made = (await createCaller(account.publishableKey)('POST', '/spaces', { name: 'Embedded' })).body.data
    const own = (await createSheet([{ key: 'name', type: 'string' }], { space: made.id })).sheetId
    const write = (query: string) =>
      createCaller(made.accessToken)(
        'POST',
        `/v2-alpha/records.jsonl?sheetId=${own}${query}`,
        Buffer.from('{"name":"x"}'),
      )
    expect((await write('')).status).toBe(200)
    expect((await write('&snapshot=true')).status).toBe(403)
  })
})
