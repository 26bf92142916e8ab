/** Jobs that are created for actions: the form and the constraints of the action hold, and its schedule makes them by itself. */
import { beforeAll, describe, expect, it } from 'vitest'
import { callerOf, mintAccount, mustOf, type TestAccount, until } from '../support/api.ts'

let account: TestAccount
let call: ReturnType<typeof callerOf>

beforeAll(async () => {
  account = await mintAccount()
  call = callerOf(account.secretKey)
})

const must = mustOf(() => call)

const FIELDS = [
  { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'code', type: 'string', readonly: true },
]
interface Place {
  spaceId: string
  workbookId: string
  sheetId: string
}
async function newPlace(more: { sheet?: object; workbook?: object; space?: object } = {}): Promise<Place> {
  const space = await must('POST', '/spaces', { name: 'Acting', ...more.space })
  const sheets = [{ name: 'People', slug: 'people', fields: FIELDS, ...more.sheet }]
  const workbook = await must('POST', '/workbooks', { spaceId: space.id, name: 'Book', sheets, ...more.workbook })
  return { spaceId: space.id, workbookId: workbook.id, sheetId: workbook.sheets[0].id }
}
const post = (type: string, source: string, more: object = {}, operation = 'submit') =>
  call('POST', '/jobs', { type, operation, source, ...more })
const problemsOf = ({ status, body }: Awaited<ReturnType<typeof post>>) => [
  status,
  ...(body.errors ?? []).map(({ key }: { key: string }) => key).toSorted(),
]

describe('the input of a job', () => {
  const field = (key: string, type: string, more: object = {}) => ({ key, type, label: key, ...more })
  const required = { constraints: [{ type: 'required' }] }
  const options = { config: { options: [{ value: 'fast' }, { value: 2 }] } }
  const FORM = {
    type: 'simple',
    fields: [
      field('note', 'string', required),
      field('count', 'number', { defaultValue: 3 }),
      field('sure', 'boolean', required),
      field('day', 'date'),
      field('speed', 'enum', { ...options, ...required }),
      field('speeds', 'enum-list', options),
      field('own', 'file-picker'),
    ],
  }
  const submit = { operation: 'submit', label: 'Submit', inputForm: FORM }

  it('fits the form, and has its defaults', async () => {
    const { workbookId } = await newPlace({ workbook: { actions: [submit] } })
    const input = { note: 'June', sure: false, day: '2026-01-31', speed: 2, speeds: ['fast'], own: { any: 1 }, more: 1 }
    const { status, body } = await post('workbook', workbookId, { input })
    expect([status, body.data.input]).toEqual([200, { ...input, count: 3 }])
  })

  it('is refused with every problem at once', async () => {
    const { workbookId } = await newPlace({ workbook: { actions: [submit] } })
    expect(problemsOf(await post('workbook', workbookId))).toEqual([400, 'input.note', 'input.speed', 'input.sure'])
    const input = { note: 5, count: '3', sure: 'yes', day: 'soon', speed: 'slow', speeds: ['fast', 'slow'] }
    const answer = await post('workbook', workbookId, { input })
    expect(problemsOf(answer)).toEqual([
      400,
      ...Object.keys(input)
        .map((key) => `input.${key}`)
        .toSorted(),
    ])
    expect(answer.body.errors.map(({ message }: { message: string }) => message)).toContain(
      'speed must be one of "fast", 2',
    )
    expect((await post('workbook', workbookId, {}, 'other')).status, 'a job of no action').toBe(200)
  })

  it.each(['space', 'workbook', 'sheet', 'document', 'file'])('is asked for by actions on a %s', async (type) => {
    const place = await newPlace()
    const sources: Record<string, string> = { space: place.spaceId, workbook: place.workbookId, sheet: place.sheetId }
    if (type === 'document')
      sources.document = (await must('POST', `/spaces/${place.spaceId}/documents`, { title: 'T', body: 'B' })).id
    if (type === 'file') {
      const wanted = { spaceId: place.spaceId, environmentId: account.environmentId, name: 'a.bin', size: 3 }
      sources.file = (await must('POST', '/files/uploads', wanted)).file.id
    }
    const targetId = sources[type]!
    const { id } = await must('POST', `/actions?spaceId=${place.spaceId}`, { targetId, ...submit })
    expect(problemsOf(await post(type, targetId))).toEqual([400, 'input.note', 'input.speed', 'input.sure'])
    await must('DELETE', `/actions/${id}`)
    expect((await post(type, targetId)).status).toBe(200)
  })

  it('is asked for by actions of fields, and of what lies above and is mounted there', async () => {
    const above = (mount: object) => ({ ...submit, operation: `by-${Object.values(mount).flat().join('-')}`, mount })
    const { sheetId } = await newPlace({
      sheet: { fields: [{ ...FIELDS[0], actions: [{ ...submit, operation: 'of-field' }] }, FIELDS[1]] },
      workbook: { actions: [above({ type: 'sheet', slugs: ['people'] }), above({ type: 'sheet', slugs: ['others'] })] },
      space: { actions: [above({ type: 'field', keys: ['code'] })] },
    })
    const on = (columnKey: string) => ({ subject: { type: 'collection', resource: 'records', params: { columnKey } } })
    expect((await post('sheet', sheetId, on('name'), 'of-field')).status).toBe(400)
    expect((await post('sheet', sheetId, on('code'), 'of-field')).status).toBe(200)
    expect((await post('sheet', sheetId, {}, 'by-sheet-people')).status).toBe(400)
    expect((await post('sheet', sheetId, {}, 'by-sheet-others')).status).toBe(200)
    expect((await post('sheet', sheetId, on('code'), 'by-field-code')).status).toBe(400)
    expect((await post('sheet', sheetId, on('name'), 'by-field-code')).status).toBe(200)
  })
})

describe('the constraints of an action', () => {
  const limited = (...types: (string | object)[]) => ({
    operation: 'submit',
    label: 'Submit',
    constraints: types.map((type) => (typeof type === 'string' ? { type } : type)),
  })
  const selecting = (query: object, params: object = {}) => ({
    subject: { type: 'collection', resource: 'records', params, query },
  })
  const insert = async (sheetId: string, names: (string | null)[]): Promise<string[]> =>
    (
      await must(
        'POST',
        `/sheets/${sheetId}/records`,
        names.map((name) => ({ name })),
      )
    ).records.map(({ id }: { id: string }) => id)

  it('ask for data', async () => {
    const { sheetId, workbookId } = await newPlace({
      sheet: { actions: [limited('hasData')] },
      workbook: { actions: [limited('hasData')] },
    })
    for (const [type, source] of [
      ['sheet', sheetId],
      ['workbook', workbookId],
    ] as const) {
      const answer = await post(type, source)
      expect(problemsOf(answer)).toEqual([422, 'hasData'])
      expect(answer.body.errors[0].message).toBe('Submit cannot be called: there are no records.')
    }
    await insert(sheetId, ['Ada'])
    expect((await post('sheet', sheetId)).status).toBe(200)
    expect((await post('workbook', workbookId)).status).toBe(200)
  })

  it('ask for valid records: all, or those selected', async () => {
    const { sheetId, workbookId } = await newPlace({
      sheet: {
        actions: [
          limited('hasAllValid'),
          { ...limited({ type: 'hasAllValid', ignoreSelection: true }), operation: 'all' },
        ],
      },
      workbook: { actions: [{ operation: 'submit', label: 'Send', requireAllValid: true }] },
    })
    const [ada, nobody] = await insert(sheetId, ['Ada', null])
    const answer = await post('sheet', sheetId)
    expect(problemsOf(answer)).toEqual([422, 'hasAllValid'])
    expect(answer.body.errors[0].message).toBe('Submit cannot be called: 1 record has errors.')
    expect((await post('workbook', workbookId)).status).toBe(422)
    expect((await post('sheet', sheetId, selecting({ ids: [ada] }))).status).toBe(200)
    expect((await post('sheet', sheetId, selecting({ ids: [ada] }), 'all')).status).toBe(422)
    expect((await post('sheet', sheetId, selecting({ ids: [nobody] }))).status).toBe(422)
    expect((await post('sheet', sheetId, selecting({ filter: 'valid' }))).status).toBe(200)
    expect((await post('sheet', sheetId, selecting({ filter: 'all', exceptions: [nobody] }))).status).toBe(200)
    expect((await post('sheet', sheetId, selecting({ searchValue: 'Ada' }))).status).toBe(200)
    await must('DELETE', `/sheets/${sheetId}/records?ids=${nobody}`)
    expect((await post('workbook', workbookId)).status).toBe(200)
  })

  it('ask for a selection that has records', async () => {
    const { sheetId } = await newPlace({ sheet: { actions: [limited('hasSelection')] } })
    const [ada] = await insert(sheetId, ['Ada'])
    expect(problemsOf(await post('sheet', sheetId))).toEqual([422, 'hasSelection'])
    expect(problemsOf(await post('sheet', sheetId, selecting({})))).toEqual([422, 'hasSelection'])
    expect(problemsOf(await post('sheet', sheetId, selecting({ q: 'name eq Grace' })))).toEqual([422, 'hasSelection'])
    expect(problemsOf(await post('sheet', sheetId, selecting({ q: 'name eq' })))).toEqual([400, 'subject.query.q'])
    expect((await post('sheet', sheetId, selecting({ ids: [ada] }))).status).toBe(200)
  })

  it('ask for a column that can be changed, and all are told at once', async () => {
    const { sheetId } = await newPlace({ sheet: { actions: [limited('hasColumnEnabled', 'hasData', 'hasSelection')] } })
    const on = (columnKey: string) => selecting({}, { columnKey })
    expect(problemsOf(await post('sheet', sheetId))).toEqual([422, 'hasColumnEnabled', 'hasData', 'hasSelection'])
    await insert(sheetId, ['Ada'])
    for (const [column, why] of [
      ['code', /the column code is read-only/],
      ['size', /there is no column size/],
    ] as const) {
      const { body } = await post('sheet', sheetId, on(column))
      expect(body.errors.find(({ key }: { key: string }) => key === 'hasColumnEnabled').message).toMatch(why)
    }
    const fine = selecting({ filter: 'all' }, { columnKey: 'name' })
    expect((await post('sheet', sheetId, fine)).status).toBe(200)
  })

  it('are refused as no action knows them', async () => {
    const { spaceId } = await newPlace()
    for (const wrong of [
      { constraints: [{ type: 'hasMoon' }] },
      { schedule: 'yearly' },
      { inputForm: { type: 'simple', fields: [{ key: 'a' }] } },
      { mount: { type: 'moon' } },
    ])
      expect(
        (await call('POST', `/actions?spaceId=${spaceId}`, { targetId: spaceId, label: 'L', ...wrong })).status,
      ).toBe(400)
  })
})

interface Job {
  id: string
  status: string
  source: string
  type: string
  schedule?: string
  scheduledFor?: string
  input?: object
  subject?: object
}

describe('the schedule of an action', () => {
  const scheduled = (schedule: string | null, more: object = {}) => ({
    operation: 'sync',
    label: 'Sync',
    schedule,
    ...more,
  })
  const jobsOf = async (spaceId: string): Promise<Job[]> =>
    must('GET', `/jobs?spaceId=${spaceId}&pageSize=100&sortDirection=asc&operation=sync`)
  const open = async (spaceId: string) => (await jobsOf(spaceId)).filter(({ status }) => status === 'scheduled')
  const settled = (spaceId: string, schedules: string[]) =>
    until(async () => {
      const found = (await open(spaceId)).map(({ schedule }) => schedule)
      return JSON.stringify(found.toSorted()) === JSON.stringify(schedules)
    }, 30)
  const attendAt = async (jobId: string, time: Date) => {
    const { attend } = await import('../../lib/jobs/due.ts')
    const { Jobs } = await import('../../lib/entities/jobs.ts')
    const job = (await Jobs.get(jobId))!
    await Promise.all([attend(job, time), attend(job, time)])
  }

  it('of one of its own makes its jobs, follows its changes, and ends with it', async () => {
    const { spaceId, sheetId } = await newPlace()
    const fields = [{ key: 'a', type: 'string', label: 'A', defaultValue: 'x' }]
    const config = { targetId: sheetId, ...scheduled('hourly', { inputForm: { type: 'simple', fields } }) }
    const { id } = await must('POST', `/actions?spaceId=${spaceId}`, config)
    await settled(spaceId, ['hourly'])
    const [first] = await open(spaceId)
    expect(first).toMatchObject({ type: 'sheet', source: sheetId, schedule: 'hourly', input: { a: 'x' } })
    await attendAt(first!.id, new Date(Date.parse(first!.scheduledFor!) + 1000))
    await settled(spaceId, ['hourly'])
    expect((await jobsOf(spaceId)).map(({ status }) => status)).toEqual(['ready', 'scheduled'])
    await must('PATCH', `/actions/${id}`, { schedule: 'daily' })
    await settled(spaceId, ['daily'])
    expect((await jobsOf(spaceId)).map(({ status }) => status)).toEqual(['ready', 'canceled', 'scheduled'])
    await must('DELETE', `/actions/${id}`)
    await settled(spaceId, [])
  }, 60_000)

  it('in the configuration of a sheet, a field, a workbook or a space does the same', async () => {
    const field = { ...FIELDS[0], actions: [scheduled('hourly')] }
    const place = await newPlace({
      sheet: { actions: [scheduled('daily')], fields: [field, FIELDS[1]] },
      workbook: { actions: [scheduled('weekly')] },
      space: { actions: [scheduled('hourly')] },
    })
    const { spaceId, workbookId, sheetId } = place
    await settled(spaceId, ['daily', 'hourly', 'hourly', 'weekly'])
    const jobs = await open(spaceId)
    const about = ({ type, schedule, subject }: Job) => [type, schedule, subject !== undefined]
    expect(jobs.map(about).toSorted()).toEqual([
      ['sheet', 'daily', false],
      ['sheet', 'hourly', true],
      ['space', 'hourly', false],
      ['workbook', 'weekly', false],
    ])
    await must('PATCH', `/workbooks/${workbookId}`, { actions: [] })
    await must('PATCH', `/spaces/${spaceId}`, { actions: [scheduled('weekly')] })
    await settled(spaceId, ['daily', 'hourly', 'weekly'])
    await must('DELETE', `/sheets/${sheetId}`)
    await settled(spaceId, ['weekly'])
  }, 60_000)

  it('is begun once, however often and by how many it is brought in line, and stays ended by hand', async () => {
    const { spaceId, sheetId } = await newPlace({ sheet: { actions: [scheduled('daily')] } })
    await settled(spaceId, ['daily'])
    const { settleSeries } = await import('../../lib/jobs/actions/series.ts')
    const actor = { accountId: account.accountId, actorId: account.userId }
    await Promise.all(Array.from({ length: 6 }, () => settleSeries(actor, sheetId)))
    const [only, ...more] = await jobsOf(spaceId)
    expect(more).toEqual([])
    const stranger = await mintAccount()
    await settleSeries({ accountId: stranger.accountId, actorId: stranger.userId }, sheetId)
    expect(await open(spaceId), 'an event somebody made up ends nothing').toHaveLength(1)
    await must('POST', `/jobs/${only!.id}/cancel`)
    await settleSeries(actor, sheetId)
    expect(await open(spaceId)).toEqual([])
    expect(await jobsOf(spaceId)).toHaveLength(1)
  }, 60_000)

  it('goes on by one job at a time, also when it is changed at the moment the clock strikes', async () => {
    const { spaceId, sheetId } = await newPlace({ sheet: { actions: [scheduled('daily')] } })
    await settled(spaceId, ['daily'])
    const [first] = await open(spaceId)
    const { settleSeries } = await import('../../lib/jobs/actions/series.ts')
    const { Sheets } = await import('../../lib/entities/sheets.ts')
    const { transact } = await import('../../lib/table/transact.ts')
    const sheet = (await Sheets.get(sheetId))!
    await transact([Sheets.replace(sheet, { ...sheet, config: { ...sheet.config, actions: [scheduled('weekly')] } })])
    const actor = { accountId: account.accountId, actorId: account.userId }
    await Promise.all([
      attendAt(first!.id, new Date(Date.parse(first!.scheduledFor!) + 1000)),
      settleSeries(actor, sheetId),
    ])
    await settled(spaceId, ['weekly'])
  }, 60_000)
})
