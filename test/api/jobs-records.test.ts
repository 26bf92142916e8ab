import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents, runJob } from '../support/activity.ts'
import { createCaller, createTestAccount, pluck, waitUntil } from '../support/api.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createSheet, readColumn } from '../support/resources.ts'

beforeAll(() => createFreshSpace({ name: 'Space' }))

interface Place {
  workbookId: string
  sheetId: string
  ids: string[]
}

const FIELDS = [
  { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'age', type: 'number' },
  { key: 'tags', type: 'string-list' },
]
const PEOPLE = [
  { name: 'Ada', age: 36, tags: ['a'] },
  { name: 'Grace', age: 85 },
  { name: 'Linus', age: 'old' },
  { name: null, age: 7 },
]

async function newSheet(rows: object[] = PEOPLE): Promise<Place> {
  const { workbookId, sheetId } = await createSheet(FIELDS, { sheet: { name: 'People', slug: 'people' } })
  const { records } = rows.length > 0 ? await must('POST', `/sheets/${sheetId}/records`, rows) : { records: [] }
  return { workbookId, sheetId, ids: pluck(records ?? [], 'id') }
}

type Values = Record<string, { value: unknown; valid: boolean }>

interface Job {
  id: string
  status: string
  info: string
  config: Record<string, string>
  result?: Record<string, unknown>
  outcome: { message: string; next: Record<string, unknown> }
}
const runToEnd = (body: object): Promise<Job> => runJob({ type: 'workbook', ...body })
const mutationJob = ({ workbookId, sheetId }: Place, mutateRecord: string, config: object = {}) => ({
  operation: 'mutate-records',
  source: workbookId,
  config: { sheetId, mutateRecord, ...config },
})
const previewMutation = (sheetId: string, mutateRecord: string, config: object = {}) =>
  call('POST', '/jobs/preview-mutation', { sheetId, mutateRecord, ...config })

interface SheetEvent {
  topic: string
  payload: { changes?: object[] }
}
const listEvents = (sheetId: string) => findEvents<SheetEvent>(`spaceId=${spaceId}`, { sheetId })

describe('mutate-records', () => {
  const UPPER = '(record) => { record.values.name.value = record.values.name.value?.toUpperCase(); return record }'

  it('applies its function in one commit with its events, and reports the count', async () => {
    const place = await newSheet()
    const before = (await listEvents(place.sheetId)).length
    const job = await runToEnd(mutationJob(place, UPPER))
    expect(job, job.info).toMatchObject({
      status: 'completed',
      info: 'Changed 3 records',
      result: { sheetId: place.sheetId, records: 3 },
      outcome: {
        message: '3 records changed in People.',
        next: { type: 'id', id: place.workbookId, path: 'sheet', query: `sheet=${place.sheetId}` },
      },
    })
    expect(await readColumn(place.sheetId, 'name')).toEqual(['ADA', 'GRACE', 'LINUS', null])
    expect(await readColumn(place.sheetId, 'age')).toEqual([36, 85, 'old', 7])
    const told = (await listEvents(place.sheetId)).slice(before)
    expect(told.filter(({ topic }) => topic === 'commit:created')).toHaveLength(1)
    const { changes } = told.find(({ topic }) => topic === 'records:updated')!.payload
    expect(changes).toEqual(
      ['Ada', 'Grace', 'Linus'].map((name, i) => ({
        recordId: place.ids[i],
        fieldKey: 'name',
        previousValue: name,
        newValue: name.toUpperCase(),
      })),
    )
  })

  it.each([
    ['an arrow', "(record) => record.set('age', 1)"],
    ['an async arrow', "async (record) => { await null; return record.set('age', 1) }"],
    ['a function', "// first\nfunction mutateRecord(record) { record.set('age', 1) }"],
    ['a default export', 'export default function (record) { record.values.age = 1; return record }'],
    ['a declaration', "const one = 1\nconst mutateRecord = (record) => record.set('age', one)"],
    [
      'a body',
      "if (record.get('name')) { record.set('age', 1); return record }\nreturn { ...record, values: { age: 1 } }",
    ],
  ])('accepts %s', async (_, source) => {
    const place = await newSheet()
    expect((await runToEnd(mutationJob(place, source))).status).toBe('completed')
    expect(await readColumn(place.sheetId, 'age')).toEqual([1, 1, 1, 1])
  })

  it('changes only the records selected by its configuration, and can be requested for a sheet too', async () => {
    const place = await newSheet()
    const setAge = (record: string) => `(record) => ${record}.set('age', 1)`
    await runToEnd({
      ...mutationJob(place, setAge('record'), { ids: [place.ids[1]] }),
      type: 'sheet',
      source: place.sheetId,
    })
    expect(await readColumn(place.sheetId, 'age')).toEqual([36, 1, 'old', 7])
    await runToEnd(mutationJob(place, setAge('record'), { filter: 'error' }))
    expect(await readColumn(place.sheetId, 'age')).toEqual([36, 1, 1, 1])
    await runToEnd(mutationJob(place, setAge('record'), { q: 'name eq Ada' }))
    expect(await readColumn(place.sheetId, 'age')).toEqual([1, 1, 1, 1])
  })

  it('takes a snapshot of the state before it on request', async () => {
    const place = await newSheet()
    const job = await runToEnd(mutationJob(place, UPPER, { snapshotLabel: 'Before' }))
    const [snapshot, ...more] = await must('GET', `/snapshots?sheetId=${place.sheetId}`)
    expect(more).toEqual([])
    expect(snapshot).toMatchObject({ label: 'Before', counts: { total: 4 } })
    expect(job.config.snapshotId).toBe(snapshot.id)
    expect(job.outcome.next).toEqual({ type: 'snapshot', snapshotId: snapshot.id, sheetId: place.sheetId })
    await must('POST', `/snapshots/${snapshot.id}/restore`, { created: false, updated: true, deleted: false })
    expect(await readColumn(place.sheetId, 'name')).toEqual(['Ada', 'Grace', 'Linus', null])
  })

  it.each([
    [
      'throws',
      '(record) => { throw new RangeError("too old") }',
      /^The function failed at record us_rc_\w+: RangeError: too old \(line 1\)$/,
    ],
    ['rejects', 'async () => Promise.reject(new Error("later"))', /at record us_rc_\w+: Error: later/],
    ['returns something else', '() => 5', /it must return the record/],
    ['makes a value no cell has', "(r) => r.set('name', { a: 1 })", /the value of name must be a string/],
    ['waits for what never comes', '() => new Promise(() => {})', /waits for a promise that never settles/],
    ['is none when it runs', 'const mutateRecord = 5', /it is not a function/],
  ])('fails, and changes nothing, when its function %s', async (_, source, message) => {
    const place = await newSheet()
    const job = await runToEnd(mutationJob(place, source))
    expect([job.status, job.info]).toEqual(['failed', expect.stringMatching(message)])
    expect(job.outcome.next).toMatchObject({ type: 'retry' })
    expect(await readColumn(place.sheetId, 'name')).toEqual(['Ada', 'Grace', 'Linus', null])
  })

  it('creates no function for a job or a preview: one of the stack evaluates all', async () => {
    const { LambdaClient, paginateListFunctions } = await import('@aws-sdk/client-lambda')
    const { getServer } = await import('../support/api.ts')
    const lambda = new LambdaClient({ endpoint: getServer().cloud, region: 'us-east-1' })
    const names = async () => {
      const found: string[] = []
      for await (const { Functions } of paginateListFunctions({ client: lambda }, {}))
        found.push(...Functions!.map(({ FunctionName }) => FunctionName!))
      return found
    }
    const place = await newSheet()
    const seen: string[] = []
    let isOver = false
    const watching = (async () => {
      while (!isOver) seen.push(...(await names()))
    })()
    await Promise.all([runToEnd(mutationJob(place, UPPER)), previewMutation(place.sheetId, UPPER)])
    isOver = true
    await watching
    expect(seen).toContain('wharf-dev-run-mutation')
    expect(seen.filter((name) => /mut-|preview-/.test(name))).toEqual([])
  })

  it('is rejected with the problems before a job is created', async () => {
    const place = await newSheet()
    const wrong: [object, string][] = [
      [{ mutateRecord: '(record) => {' }, 'config.mutateRecord'],
      [{ mutateRecord: `() => "${'x'.repeat(70_000)}"` }, 'config.mutateRecord'],
      [{ mutateRecord: '(r) => r', filter: 'error', filterField: 'size' }, 'config.filterField'],
      [{ mutateRecord: '(r) => r', q: 'name eq (' }, 'config.q'],
    ]
    for (const [config, key] of wrong) {
      const { status, body } = await call('POST', '/jobs', {
        type: 'workbook',
        operation: 'mutate-records',
        source: place.workbookId,
        config: { sheetId: place.sheetId, ...config },
      })
      expect([status, body.errors?.[0].key]).toEqual([400, key])
    }
    const elsewhere = mutationJob({ ...place, sheetId: 'us_sh_nothing' }, UPPER)
    expect((await call('POST', '/jobs', { type: 'workbook', ...elsewhere })).status).toBe(404)
    await must('POST', `/sheets/${place.sheetId}/lock`)
    expect((await runToEnd(mutationJob(place, UPPER))).info).toBe(
      'The sheet People is locked. Unlock it and try again.',
    )
  })
})

describe('the preview of a mutation', () => {
  it('shows validated records with both values, and changes nothing', async () => {
    const { sheetId, ids } = await newSheet()
    const { status, body } = await previewMutation(
      sheetId,
      "(r) => { if (r.get('name') === 'Ada') r.set('name', ''); if (r.get('age') === 85) r.set('age', '86 years'); return r }",
    )
    expect(status).toBe(200)
    expect(pluck(body.data, 'id')).toEqual(ids.slice(0, 2))
    const [ada, grace] = body.data
    expect(ada.values.name).toMatchObject({ value: null, snapshotValue: 'Ada', valid: false })
    expect(ada.values.name.messages[0]).toMatchObject({ type: 'error', source: 'required-constraint' })
    expect(ada.values.age).toMatchObject({ value: 36, snapshotValue: 36, valid: true })
    expect([ada.valid, grace.valid]).toEqual([false, false])
    expect(grace.values.age).toMatchObject({ value: '86 years', snapshotValue: 85, valid: false })
    expect(await readColumn(sheetId, 'name')).toEqual(['Ada', 'Grace', 'Linus', null])
  })

  it('covers the selected records, and returns a bounded number of them', async () => {
    const { sheetId, ids } = await newSheet()
    const only = await previewMutation(sheetId, "(r) => r.set('age', 1)", { ids: [ids[2]] })
    expect(pluck(only.body.data, 'id')).toEqual([ids[2]])
    expect((await previewMutation(sheetId, '(r) => r')).body.data).toEqual([])
    expect((await previewMutation((await newSheet([])).sheetId, '(r) => r')).body.data).toEqual([])
    const many = await newSheet(Array.from({ length: 1500 }, (_, i) => ({ name: `n${i}`, age: i })))
    const shown = await previewMutation(many.sheetId, "(r) => (r.get('age') < 950 ? r : r.set('age', -1))")
    expect(shown.body.data.map(({ values }: { values: Values }) => values.name!.value)).toEqual(
      Array.from({ length: 50 }, (_, i) => `n${950 + i}`),
    )
    expect((await previewMutation(many.sheetId, "(r) => r.set('age', -1)")).body.data).toHaveLength(100)
  })

  it('reports errors of the function, and hides sheets of other accounts', async () => {
    const { sheetId } = await newSheet()
    const failed = await previewMutation(sheetId, '() => nothing.here')
    expect([failed.status, failed.body.errors[0].message]).toEqual([
      422,
      expect.stringMatching(/^The function failed at record us_rc_\w+: ReferenceError: 'nothing' is not defined/),
    ])
    const none = await previewMutation(sheetId, '(((')
    expect([none.status, none.body.errors[0].key]).toEqual([400, 'mutateRecord'])
    const stranger = createCaller((await createTestAccount()).secretKey)
    const answer = await stranger('POST', '/jobs/preview-mutation', { sheetId, mutateRecord: '(r) => r' })
    expect(answer.status).toBe(404)
  })
})

describe('find-replace', () => {
  it('replaces in the selected records, in one commit', async () => {
    const { sheetId, workbookId } = await newSheet()
    const wanted = { operation: 'find-replace', source: sheetId, type: 'sheet' }
    const job = await runToEnd({ ...wanted, config: { fieldKey: 'name', find: 'a', replace: 'o' } })
    expect(job).toMatchObject({ status: 'completed', info: 'Changed 2 records' })
    expect(await readColumn(sheetId, 'name')).toEqual(['odo', 'Groce', 'Linus', null])
    const config = { sheetId, fieldKey: 'name', find: '""', replace: 'Nobody', snapshotLabel: 'Before' }
    const second = await runToEnd({ operation: 'find-replace', source: workbookId, config })
    expect(second.outcome.next).toMatchObject({ type: 'snapshot', sheetId })
    expect(await readColumn(sheetId, 'name')).toEqual(['odo', 'Groce', 'Linus', 'Nobody'])
    const unknown = { ...wanted, config: { fieldKey: 'size', find: 'a' } }
    expect((await call('POST', '/jobs', unknown)).body.errors[0].key).toBe('config.fieldKey')
    const nowhere = { type: 'workbook', operation: 'find-replace', source: workbookId, config: { fieldKey: 'name' } }
    expect((await call('POST', '/jobs', nowhere)).body.errors[0].key).toBe('config.sheetId')
  })
})

describe('delete-records', () => {
  const names = (sheetId: string) => readColumn(sheetId, 'name')
  const runDeletion = ({ workbookId, sheetId }: Place, config: object) =>
    runToEnd({ operation: 'delete-records', source: workbookId, config: { sheet: sheetId, ...config } })

  it.each([
    ['nothing said', () => ({}), []],
    ['a filter', () => ({ filter: 'error' }), ['Ada', 'Grace']],
    ['a filter on a field', () => ({ filter: 'error', filterField: 'age' }), ['Ada', 'Grace', null]],
    [
      'a filter and exceptions',
      (ids: string[]) => ({ filter: 'error', exceptions: [ids[2]] }),
      ['Ada', 'Grace', 'Linus'],
    ],
    ['all but exceptions', (ids: string[]) => ({ filter: 'all', exceptions: [ids[0]] }), ['Ada']],
    ['just exceptions', (ids: string[]) => ({ filter: 'none', exceptions: [ids[0]] }), ['Grace', 'Linus', null]],
    ['a search', () => ({ searchValue: 'ada', searchField: 'name' }), ['Grace', 'Linus', null]],
    ['a query', () => ({ q: 'age gt 30' }), ['Linus', null]],
    ['a query and exceptions', (ids: string[]) => ({ q: 'age gt 30', exceptions: [ids[1]] }), ['Grace', 'Linus', null]],
    ['ids', (ids: string[]) => ({ ids: [ids[3]] }), ['Ada', 'Grace', 'Linus']],
  ])('deletes the records selected by %s', async (_, configOf, left) => {
    const place = await newSheet()
    const job = await runDeletion(place, configOf(place.ids))
    expect([job.status, job.info]).toEqual(['completed', expect.stringMatching(/^Deleted \d records?$/)])
    expect(await names(place.sheetId)).toEqual(left)
  })

  it('takes another snapshot when it is retried after completion', async () => {
    const place = await newSheet()
    const { id } = await runDeletion(place, { snapshotLabel: 'Before' })
    await must('POST', `/sheets/${place.sheetId}/records`, [{ name: 'Late' }])
    await must('POST', `/jobs/${id}/retry`)
    await waitUntil(async () => (await must('GET', `/jobs/${id}`)).status === 'completed')
    const snapshots = await must('GET', `/snapshots?sheetId=${place.sheetId}`)
    expect(snapshots.map(({ counts }: { counts: { total: number } }) => counts.total).toSorted()).toEqual([1, 4])
    const again = await must('GET', `/jobs/${id}`)
    const last = snapshots.find(({ counts }: { counts: { total: number } }) => counts.total === 1)
    expect(again.result.snapshotId).toBe(last.id)
  })

  it('takes a snapshot first on request, and names the problem in a query', async () => {
    const place = await newSheet()
    const job = await runDeletion(place, { snapshotLabel: 'All of them' })
    const [snapshot] = await must('GET', `/snapshots?sheetId=${place.sheetId}`)
    expect([snapshot.label, snapshot.counts.total, job.result!.snapshotId]).toEqual(['All of them', 4, snapshot.id])
    const wanted = { type: 'workbook', operation: 'delete-records', source: place.workbookId }
    for (const [key, config] of [
      ['config.q', { q: 'age gt' }],
      ['config.searchField', { searchValue: 'x', searchField: 'nope' }],
      ['config.filterField', { filter: 'error', filterField: 'nope' }],
    ] as const) {
      const { status, body } = await call('POST', '/jobs', { ...wanted, config: { sheet: place.sheetId, ...config } })
      expect([status, body.errors[0].key]).toEqual([400, key])
    }
    expect((await call('POST', '/jobs', { ...wanted, config: { sheet: 'us_sh_missing' } })).status).toBe(404)
  })
})
