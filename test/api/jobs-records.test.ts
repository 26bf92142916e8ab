/** Operations of the platform that change records, over HTTP: what they change, what they refuse, and that nothing gets out. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, mustOf, type TestAccount, until } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>
let spaceId: string

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
  spaceId = (await must('POST', '/spaces', { name: 'Space' })).id
})

const must = mustOf(() => call)

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
  const sheets = [{ name: 'People', slug: 'people', fields: FIELDS }]
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'Book', sheets })
  const sheetId = workbook.sheets[0].id
  const { records } = rows.length > 0 ? await must('POST', `/sheets/${sheetId}/records`, rows) : { records: [] }
  return { workbookId: workbook.id, sheetId, ids: (records ?? []).map(({ id }: { id: string }) => id) }
}

type Values = Record<string, { value: unknown; valid: boolean }>
const recordsOf = async (sheetId: string): Promise<{ id: string; values: Values }[]> =>
  (await must('GET', `/sheets/${sheetId}/records`)).records
const valuesOf = async (sheetId: string, key: string) =>
  (await recordsOf(sheetId)).map(({ values }) => values[key]!.value)

interface Job {
  id: string
  status: string
  info: string
  config: Record<string, string>
  result?: Record<string, unknown>
  outcome: { message: string; next: Record<string, unknown> }
}
async function ended(body: object): Promise<Job> {
  const { id } = await must('POST', '/jobs', { type: 'workbook', trigger: 'immediate', ...body })
  return until(async () => {
    const job = await must('GET', `/jobs/${id}`)
    return ['completed', 'failed', 'canceled'].includes(job.status) && job
  }, 60)
}
const mutation = ({ workbookId, sheetId }: Place, mutateRecord: string, config: object = {}) => ({
  operation: 'mutate-records',
  source: workbookId,
  config: { sheetId, mutateRecord, ...config },
})
const preview = (sheetId: string, mutateRecord: string, config: object = {}) =>
  call('POST', '/jobs/preview-mutation', { sheetId, mutateRecord, ...config })

interface Told {
  topic: string
  context: Record<string, string>
  payload: { changes?: { recordId: string; fieldKey: string; previousValue: unknown; newValue: unknown }[] }
}
const toldOf = async (sheetId: string): Promise<Told[]> =>
  (await must('GET', `/events?spaceId=${spaceId}&includeAcknowledged=true&pageSize=1000`)).filter(
    ({ context }: Told) => context.sheetId === sheetId,
  )

describe('mutate-records', () => {
  const UPPER = '(record) => { record.values.name.value = record.values.name.value?.toUpperCase(); return record }'

  it('changes what its function changes, in one commit with its events, and tells how many', async () => {
    const place = await newSheet()
    const before = (await toldOf(place.sheetId)).length
    const job = await ended(mutation(place, UPPER))
    expect(job, job.info).toMatchObject({
      status: 'completed',
      info: 'Changed 3 records',
      result: { sheetId: place.sheetId, records: 3 },
      outcome: {
        message: '3 records changed in People.',
        next: { type: 'id', id: place.workbookId, path: 'sheet', query: `sheet=${place.sheetId}` },
      },
    })
    expect(await valuesOf(place.sheetId, 'name')).toEqual(['ADA', 'GRACE', 'LINUS', null])
    expect(await valuesOf(place.sheetId, 'age')).toEqual([36, 85, 'old', 7])
    const told = (await toldOf(place.sheetId)).slice(before)
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
  ])('takes %s', async (_, source) => {
    const place = await newSheet()
    expect((await ended(mutation(place, source))).status).toBe('completed')
    expect(await valuesOf(place.sheetId, 'age')).toEqual([1, 1, 1, 1])
  })

  it('is about the records that its configuration means, and asked for a sheet too', async () => {
    const place = await newSheet()
    const one = (record: string) => `(record) => ${record}.set('age', 1)`
    await ended({ ...mutation(place, one('record'), { ids: [place.ids[1]] }), type: 'sheet', source: place.sheetId })
    expect(await valuesOf(place.sheetId, 'age')).toEqual([36, 1, 'old', 7])
    await ended(mutation(place, one('record'), { filter: 'error' }))
    expect(await valuesOf(place.sheetId, 'age')).toEqual([36, 1, 1, 1])
    await ended(mutation(place, one('record'), { q: 'name eq Ada' }))
    expect(await valuesOf(place.sheetId, 'age')).toEqual([1, 1, 1, 1])
  })

  it('takes a snapshot first when asked, which shows how it was', async () => {
    const place = await newSheet()
    const job = await ended(mutation(place, UPPER, { snapshotLabel: 'Before' }))
    const [snapshot, ...more] = await must('GET', `/snapshots?sheetId=${place.sheetId}`)
    expect(more).toEqual([])
    expect(snapshot).toMatchObject({ label: 'Before', counts: { total: 4 } })
    expect(job.config.snapshotId).toBe(snapshot.id)
    expect(job.outcome.next).toEqual({ type: 'snapshot', snapshotId: snapshot.id, sheetId: place.sheetId })
    await must('POST', `/snapshots/${snapshot.id}/restore`, { created: false, updated: true, deleted: false })
    expect(await valuesOf(place.sheetId, 'name')).toEqual(['Ada', 'Grace', 'Linus', null])
  })

  it.each([
    [
      'throws',
      '(record) => { throw new RangeError("too old") }',
      /^The function failed at record us_rc_\w+: RangeError: too old \(line 1\)$/,
    ],
    ['rejects', 'async () => Promise.reject(new Error("later"))', /at record us_rc_\w+: Error: later/],
    ['returns something else', '() => 5', /it must return the record/],
    ['makes a value no cell has', "(r) => r.set('name', { a: 1 })", /the value of name must be a text/],
    ['waits for what never comes', '() => new Promise(() => {})', /waits for something that never comes/],
    ['is none when it runs', 'const mutateRecord = 5', /it is no function/],
  ])('fails, and changes nothing, when its function %s', async (_, source, message) => {
    const place = await newSheet()
    const job = await ended(mutation(place, source))
    expect([job.status, job.info]).toEqual(['failed', expect.stringMatching(message)])
    expect(job.outcome.next).toMatchObject({ type: 'retry' })
    expect(await valuesOf(place.sheetId, 'name')).toEqual(['Ada', 'Grace', 'Linus', null])
  })

  it('ends an endless loop, and says where it was', async () => {
    const place = await newSheet()
    const job = await ended(mutation(place, "(record) => { while (record.get('age') === 85); return record }"))
    expect([job.status, job.info]).toEqual([
      'failed',
      `The function was stopped at record ${place.ids[1]}: it did not end within 10 s.`,
    ])
  }, 60_000)

  it('ends what takes too much memory', async () => {
    const place = await newSheet()
    const hog = '() => { const all = []; for (;;) all.push(new Array(1e6).fill(Math.random())) }'
    const job = await ended(mutation(place, hog))
    expect([job.status, job.info]).toEqual(['failed', expect.stringMatching(/^The function was stopped.*(memory|end)/)])
  }, 90_000)

  it('runs where nothing of the platform is: no variables, no table, no files, no processes', async () => {
    const place = await newSheet([{ name: 'Ada' }])
    const escaped = `(record) => {
      const found = []
      for (const path of ['this', 'record', 'record.values', '[]', 'Date']) {
        try {
          const make = eval(path).constructor.constructor
          const process = make('return typeof process === "undefined" ? undefined : process')()
          if (process) found.push(JSON.stringify(process.env))
          const load = make('return import("node:fs")')
          if (process?.getBuiltinModule) {
            try { found.push(process.getBuiltinModule('fs').readFileSync('/etc/hostname', 'utf8')) } catch (e) {}
            try { found.push(String(process.getBuiltinModule('child_process').execSync('id'))) } catch (e) {}
          }
        } catch (e) {}
      }
      record.set('name', found.join('\\n') || 'nothing')
      return record
    }`
    expect((await ended(mutation(place, escaped))).status).toBe('completed')
    const [seen] = (await valuesOf(place.sheetId, 'name')) as [string]
    for (const secret of ['WHARF_SECRET', 'TABLE_NAME', 'BUCKET_NAME', 'FLATFILE_', 'uid='])
      expect(seen, seen).not.toContain(secret)
  })

  it('makes no function for a job or a preview: one of the stack evaluates all', async () => {
    const { LambdaClient, paginateListFunctions } = await import('@aws-sdk/client-lambda')
    const { server } = await import('../support/api.ts')
    const lambda = new LambdaClient({ endpoint: server().cloud, region: 'us-east-1' })
    const names = async () => {
      const found: string[] = []
      // The agents of other tests are functions too: together they are more than the 50 of one page.
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
    await Promise.all([ended(mutation(place, UPPER)), preview(place.sheetId, UPPER)])
    isOver = true
    await watching
    expect(seen).toContain('wharf-dev-run-mutation')
    expect(seen.filter((name) => /mut-|preview-/.test(name))).toEqual([])
  })

  it('is refused with what is wrong before a job is made', async () => {
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
    const elsewhere = mutation({ ...place, sheetId: 'us_sh_nothing' }, UPPER)
    expect((await call('POST', '/jobs', { type: 'workbook', ...elsewhere })).status).toBe(404)
    await must('POST', `/sheets/${place.sheetId}/lock`)
    expect((await ended(mutation(place, UPPER))).info).toBe('The sheet People is locked: unlock it and try again.')
  })
})

describe('the preview of a mutation', () => {
  it('shows records that would change with both values, judged, and changes nothing', async () => {
    const { sheetId, ids } = await newSheet()
    const { status, body } = await preview(
      sheetId,
      "(r) => { if (r.get('name') === 'Ada') r.set('name', ''); if (r.get('age') === 85) r.set('age', '86 years'); return r }",
    )
    expect(status).toBe(200)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    const [ada, grace] = body.data
    expect(ada.values.name).toMatchObject({ value: null, snapshotValue: 'Ada', valid: false })
    expect(ada.values.name.messages[0]).toMatchObject({ type: 'error', source: 'required-constraint' })
    expect(ada.values.age).toMatchObject({ value: 36, snapshotValue: 36, valid: true })
    expect([ada.valid, grace.valid]).toEqual([false, false])
    expect(grace.values.age).toMatchObject({ value: '86 years', snapshotValue: 85, valid: false })
    expect(await valuesOf(sheetId, 'name')).toEqual(['Ada', 'Grace', 'Linus', null])
  })

  it('is about the records that are meant, and answers a bounded number of them', async () => {
    const { sheetId, ids } = await newSheet()
    const only = await preview(sheetId, "(r) => r.set('age', 1)", { ids: [ids[2]] })
    expect(only.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[2]])
    expect((await preview(sheetId, '(r) => r')).body.data).toEqual([])
    expect((await preview((await newSheet([])).sheetId, '(r) => r')).body.data).toEqual([])
    const many = await newSheet(Array.from({ length: 1500 }, (_, i) => ({ name: `n${i}`, age: i })))
    const shown = await preview(many.sheetId, "(r) => (r.get('age') < 950 ? r : r.set('age', -1))")
    expect(shown.body.data.map(({ values }: { values: Values }) => values.name!.value)).toEqual(
      Array.from({ length: 50 }, (_, i) => `n${950 + i}`),
    )
    expect((await preview(many.sheetId, "(r) => r.set('age', -1)")).body.data).toHaveLength(100)
  })

  it('says what is wrong with the function, and hides sheets of others', async () => {
    const { sheetId } = await newSheet()
    const failed = await preview(sheetId, '() => nothing.here')
    expect([failed.status, failed.body.errors[0].message]).toEqual([
      422,
      expect.stringMatching(/^The function failed at record us_rc_\w+: ReferenceError: 'nothing' is not defined/),
    ])
    const none = await preview(sheetId, '(((')
    expect([none.status, none.body.errors[0].key]).toEqual([400, 'mutateRecord'])
    const stranger = callerOf((await mintAccount()).secretKey)
    const answer = await stranger('POST', '/jobs/preview-mutation', { sheetId, mutateRecord: '(r) => r' })
    expect(answer.status).toBe(404)
  })
})

describe('find-replace', () => {
  it('replaces in the records that are meant, in one commit', async () => {
    const { sheetId, workbookId } = await newSheet()
    const wanted = { operation: 'find-replace', source: sheetId, type: 'sheet' }
    const job = await ended({ ...wanted, config: { fieldKey: 'name', find: 'a', replace: 'o' } })
    expect(job).toMatchObject({ status: 'completed', info: 'Changed 2 records' })
    expect(await valuesOf(sheetId, 'name')).toEqual(['odo', 'Groce', 'Linus', null])
    const config = { sheetId, fieldKey: 'name', find: '""', replace: 'Nobody', snapshotLabel: 'Before' }
    const second = await ended({ operation: 'find-replace', source: workbookId, config })
    expect(second.outcome.next).toMatchObject({ type: 'snapshot', sheetId })
    expect(await valuesOf(sheetId, 'name')).toEqual(['odo', 'Groce', 'Linus', 'Nobody'])
    const unknown = { ...wanted, config: { fieldKey: 'size', find: 'a' } }
    expect((await call('POST', '/jobs', unknown)).body.errors[0].key).toBe('config.fieldKey')
    const nowhere = { type: 'workbook', operation: 'find-replace', source: workbookId, config: { fieldKey: 'name' } }
    expect((await call('POST', '/jobs', nowhere)).body.errors[0].key).toBe('config.sheetId')
  })
})

describe('delete-records', () => {
  const names = (sheetId: string) => valuesOf(sheetId, 'name')
  const deletion = ({ workbookId, sheetId }: Place, config: object) =>
    ended({ operation: 'delete-records', source: workbookId, config: { sheet: sheetId, ...config } })

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
  ])('deletes what %s means', async (_, configOf, left) => {
    const place = await newSheet()
    const job = await deletion(place, configOf(place.ids))
    expect([job.status, job.info]).toEqual(['completed', expect.stringMatching(/^Deleted \d records?$/)])
    expect(await names(place.sheetId)).toEqual(left)
  })

  it('takes another snapshot when it is tried again after it has completed', async () => {
    const place = await newSheet()
    const { id } = await deletion(place, { snapshotLabel: 'Before' })
    await must('POST', `/sheets/${place.sheetId}/records`, [{ name: 'Late' }])
    await must('POST', `/jobs/${id}/retry`)
    await until(async () => (await must('GET', `/jobs/${id}`)).status === 'completed')
    const snapshots = await must('GET', `/snapshots?sheetId=${place.sheetId}`)
    expect(snapshots.map(({ counts }: { counts: { total: number } }) => counts.total).toSorted()).toEqual([1, 4])
    const again = await must('GET', `/jobs/${id}`)
    const last = snapshots.find(({ counts }: { counts: { total: number } }) => counts.total === 1)
    expect(again.result.snapshotId).toBe(last.id)
  })

  it('takes a snapshot first when asked, and names what is wrong in a query', async () => {
    const place = await newSheet()
    const job = await deletion(place, { snapshotLabel: 'All of them' })
    const [snapshot] = await must('GET', `/snapshots?sheetId=${place.sheetId}`)
    expect([snapshot.label, snapshot.counts.total, job.result!.snapshotId]).toEqual(['All of them', 4, snapshot.id])
    const wanted = { type: 'workbook', operation: 'delete-records', source: place.workbookId }
    const { status, body } = await call('POST', '/jobs', { ...wanted, config: { sheet: place.sheetId, q: 'age gt' } })
    expect([status, body.errors[0].key]).toEqual([400, 'config.q'])
  })
})
