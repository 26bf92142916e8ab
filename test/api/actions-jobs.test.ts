/** Jobs created for actions: the form, the constraints and the schedule. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestAccount, pluck, waitUntil } from '../support/api.ts'
import { account, call, createFreshAccount, must } from '../support/fresh-account.ts'

beforeAll(createFreshAccount)

const FIELDS = [
  { key: 'name', type: 'string', constraints: [{ type: 'required' }] },
  { key: 'code', type: 'string', readonly: true },
]
interface Place {
  spaceId: string
  workbookId: string
  sheetId: string
}
async function newWorkbook(more: { sheet?: object; workbook?: object; space?: object } = {}): Promise<Place> {
  const space = await must('POST', '/spaces', { name: 'Acting', ...more.space })
  const sheets = [{ name: 'People', slug: 'people', fields: FIELDS, ...more.sheet }]
  const workbook = await must('POST', '/workbooks', { spaceId: space.id, name: 'Book', sheets, ...more.workbook })
  return { spaceId: space.id, workbookId: workbook.id, sheetId: workbook.sheets[0].id }
}
const post = (type: string, source: string, more: object = {}, operation = 'submit') =>
  call('POST', '/jobs', { type, operation, source, ...more })
const toProblems = ({ status, body }: Awaited<ReturnType<typeof post>>) => [
  status,
  ...pluck(body.errors ?? [], 'key').toSorted(),
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

  it('matches the form and gets its defaults', async () => {
    const { workbookId } = await newWorkbook({ workbook: { actions: [submit] } })
    const input = { note: 'June', sure: false, day: '2026-01-31', speed: 2, speeds: ['fast'], own: { any: 1 }, more: 1 }
    const { status, body } = await post('workbook', workbookId, { input })
    expect([status, body.data.input]).toEqual([200, { ...input, count: 3 }])
  })

  it('is rejected with all problems in one response', async () => {
    const { workbookId } = await newWorkbook({ workbook: { actions: [submit] } })
    expect(toProblems(await post('workbook', workbookId))).toEqual([400, 'input.note', 'input.speed', 'input.sure'])
    const input = { note: 5, count: '3', sure: 'yes', day: 'soon', speed: 'slow', speeds: ['fast', 'slow'] }
    const answer = await post('workbook', workbookId, { input })
    expect(toProblems(answer)).toEqual([
      400,
      ...Object.keys(input)
        .map((key) => `input.${key}`)
        .toSorted(),
    ])
    expect(pluck(answer.body.errors, 'message')).toContain('speed must be one of "fast", 2')
    expect((await post('workbook', workbookId, {}, 'other')).status, 'a job of no action').toBe(200)
  })

  it.each(['space', 'workbook', 'sheet', 'document', 'file'])('is required by actions on a %s', async (type) => {
    const place = await newWorkbook()
    const sources: Record<string, string> = { space: place.spaceId, workbook: place.workbookId, sheet: place.sheetId }
    if (type === 'document')
      sources.document = (await must('POST', `/spaces/${place.spaceId}/documents`, { title: 'T', body: 'B' })).id
    if (type === 'file') {
      const wanted = { spaceId: place.spaceId, environmentId: account.environmentId, name: 'a.bin', size: 3 }
      sources.file = (await must('POST', '/files/uploads', wanted)).file.id
    }
    const targetId = sources[type]!
    const { id } = await must('POST', `/actions?spaceId=${place.spaceId}`, { targetId, ...submit })
    expect(toProblems(await post(type, targetId))).toEqual([400, 'input.note', 'input.speed', 'input.sure'])
    await must('DELETE', `/actions/${id}`)
    expect((await post(type, targetId)).status).toBe(200)
  })

  it('is required by actions of fields, and by actions mounted there from a parent', async () => {
    const mountedAction = (mount: object) => ({
      ...submit,
      operation: `by-${Object.values(mount).flat().join('-')}`,
      mount,
    })
    const { sheetId } = await newWorkbook({
      sheet: { fields: [{ ...FIELDS[0], actions: [{ ...submit, operation: 'of-field' }] }, FIELDS[1]] },
      workbook: {
        actions: [
          mountedAction({ type: 'sheet', slugs: ['people'] }),
          mountedAction({ type: 'sheet', slugs: ['others'] }),
        ],
      },
      space: { actions: [mountedAction({ type: 'field', keys: ['code'] })] },
    })
    const subjectOfColumn = (columnKey: string) => ({
      subject: { type: 'collection', resource: 'records', params: { columnKey } },
    })
    expect((await post('sheet', sheetId, subjectOfColumn('name'), 'of-field')).status).toBe(400)
    expect((await post('sheet', sheetId, subjectOfColumn('code'), 'of-field')).status).toBe(200)
    expect((await post('sheet', sheetId, {}, 'by-sheet-people')).status).toBe(400)
    expect((await post('sheet', sheetId, {}, 'by-sheet-others')).status).toBe(200)
    expect((await post('sheet', sheetId, subjectOfColumn('code'), 'by-field-code')).status).toBe(400)
    expect((await post('sheet', sheetId, subjectOfColumn('name'), 'by-field-code')).status).toBe(200)
  })
})

describe('the constraints of an action', () => {
  const constrainedAction = (...types: (string | object)[]) => ({
    operation: 'submit',
    label: 'Submit',
    constraints: types.map((type) => (typeof type === 'string' ? { type } : type)),
  })
  const recordsSubject = (query: object, params: object = {}) => ({
    subject: { type: 'collection', resource: 'records', params, query },
  })
  const insert = async (sheetId: string, names: (string | null)[]): Promise<string[]> =>
    pluck(
      (
        await must(
          'POST',
          `/sheets/${sheetId}/records`,
          names.map((name) => ({ name })),
        )
      ).records,
      'id',
    )

  it('require records', async () => {
    const { sheetId, workbookId } = await newWorkbook({
      sheet: { actions: [constrainedAction('hasData')] },
      workbook: { actions: [constrainedAction('hasData')] },
    })
    for (const [type, source] of [
      ['sheet', sheetId],
      ['workbook', workbookId],
    ] as const) {
      const answer = await post(type, source)
      expect(toProblems(answer)).toEqual([422, 'hasData'])
      expect(answer.body.errors[0].message).toBe('Submit cannot run: there are no records.')
    }
    await insert(sheetId, ['Ada'])
    expect((await post('sheet', sheetId)).status).toBe(200)
    expect((await post('workbook', workbookId)).status).toBe(200)
  })

  it('require valid records: all of them or the selected ones', async () => {
    const { sheetId, workbookId } = await newWorkbook({
      sheet: {
        actions: [
          constrainedAction('hasAllValid'),
          { ...constrainedAction({ type: 'hasAllValid', ignoreSelection: true }), operation: 'all' },
        ],
      },
      workbook: { actions: [{ operation: 'submit', label: 'Send', requireAllValid: true }] },
    })
    const [ada, nobody] = await insert(sheetId, ['Ada', null])
    const answer = await post('sheet', sheetId)
    expect(toProblems(answer)).toEqual([422, 'hasAllValid'])
    expect(answer.body.errors[0].message).toBe('Submit cannot run: 1 record has errors.')
    expect((await post('workbook', workbookId)).status).toBe(422)
    expect((await post('sheet', sheetId, recordsSubject({ ids: [ada] }))).status).toBe(200)
    expect((await post('sheet', sheetId, recordsSubject({ ids: [ada] }), 'all')).status).toBe(422)
    expect((await post('sheet', sheetId, recordsSubject({ ids: [nobody] }))).status).toBe(422)
    expect((await post('sheet', sheetId, recordsSubject({ filter: 'valid' }))).status).toBe(200)
    expect((await post('sheet', sheetId, recordsSubject({ filter: 'all', exceptions: [nobody] }))).status).toBe(200)
    expect((await post('sheet', sheetId, recordsSubject({ searchValue: 'Ada' }))).status).toBe(200)
    await must('DELETE', `/sheets/${sheetId}/records?ids=${nobody}`)
    expect((await post('workbook', workbookId)).status).toBe(200)
  })

  it('require a selection that contains records', async () => {
    const { sheetId } = await newWorkbook({ sheet: { actions: [constrainedAction('hasSelection')] } })
    const [ada] = await insert(sheetId, ['Ada'])
    expect(toProblems(await post('sheet', sheetId))).toEqual([422, 'hasSelection'])
    expect(toProblems(await post('sheet', sheetId, recordsSubject({})))).toEqual([422, 'hasSelection'])
    expect(toProblems(await post('sheet', sheetId, recordsSubject({ q: 'name eq Grace' })))).toEqual([
      422,
      'hasSelection',
    ])
    expect(toProblems(await post('sheet', sheetId, recordsSubject({ q: 'name eq' })))).toEqual([400, 'subject.query.q'])
    expect((await post('sheet', sheetId, recordsSubject({ ids: [ada] }))).status).toBe(200)
  })

  it('require an editable column, and report all violations together', async () => {
    const { sheetId } = await newWorkbook({
      sheet: { actions: [constrainedAction('hasColumnEnabled', 'hasData', 'hasSelection')] },
    })
    const on = (columnKey: string) => recordsSubject({}, { columnKey })
    expect(toProblems(await post('sheet', sheetId))).toEqual([422, 'hasColumnEnabled', 'hasData', 'hasSelection'])
    await insert(sheetId, ['Ada'])
    for (const [column, why] of [
      ['code', /the column code is read-only/],
      ['size', /there is no column size/],
    ] as const) {
      const { body } = await post('sheet', sheetId, on(column))
      expect(body.errors.find(({ key }: { key: string }) => key === 'hasColumnEnabled').message).toMatch(why)
    }
    const fine = recordsSubject({ filter: 'all' }, { columnKey: 'name' })
    expect((await post('sheet', sheetId, fine)).status).toBe(200)
  })

  it('are rejected when no action type supports them', async () => {
    const { spaceId } = await newWorkbook()
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
  const scheduledAction = (schedule: string | null, more: object = {}) => ({
    operation: 'sync',
    label: 'Sync',
    schedule,
    ...more,
  })
  const listJobs = async (spaceId: string): Promise<Job[]> =>
    must('GET', `/jobs?spaceId=${spaceId}&pageSize=100&sortDirection=asc&operation=sync`)
  const open = async (spaceId: string) => (await listJobs(spaceId)).filter(({ status }) => status === 'scheduled')
  const waitForSchedules = (spaceId: string, schedules: string[]) =>
    waitUntil(async () => {
      const found = (await open(spaceId)).map(({ schedule }) => schedule)
      return JSON.stringify(found.toSorted()) === JSON.stringify(schedules)
    }, 30)
  const checkJobAt = async (jobId: string, time: Date) => {
    const { checkJob } = await import('../../lib/jobs/scheduling/timeouts.ts')
    const { Jobs } = await import('../../lib/entities/jobs.ts')
    const job = (await Jobs.get(jobId))!
    await Promise.all([checkJob(job, time), checkJob(job, time)])
  }

  it('creates the jobs of a standalone action, follows its changes, and ends when it is deleted', async () => {
    const { spaceId, sheetId } = await newWorkbook()
    const fields = [{ key: 'a', type: 'string', label: 'A', defaultValue: 'x' }]
    const config = { targetId: sheetId, ...scheduledAction('hourly', { inputForm: { type: 'simple', fields } }) }
    const { id } = await must('POST', `/actions?spaceId=${spaceId}`, config)
    await waitForSchedules(spaceId, ['hourly'])
    const [first] = await open(spaceId)
    expect(first).toMatchObject({ type: 'sheet', source: sheetId, schedule: 'hourly', input: { a: 'x' } })
    await checkJobAt(first!.id, new Date(Date.parse(first!.scheduledFor!) + 1000))
    await waitForSchedules(spaceId, ['hourly'])
    expect((await listJobs(spaceId)).map(({ status }) => status)).toEqual(['ready', 'scheduled'])
    await must('PATCH', `/actions/${id}`, { schedule: 'daily' })
    await waitForSchedules(spaceId, ['daily'])
    expect((await listJobs(spaceId)).map(({ status }) => status)).toEqual(['ready', 'canceled', 'scheduled'])
    await must('DELETE', `/actions/${id}`)
    await waitForSchedules(spaceId, [])
  }, 60_000)

  it('works the same in the configuration of a sheet, a field, a workbook or a space', async () => {
    const field = { ...FIELDS[0], actions: [scheduledAction('hourly')] }
    const place = await newWorkbook({
      sheet: { actions: [scheduledAction('daily')], fields: [field, FIELDS[1]] },
      workbook: { actions: [scheduledAction('weekly')] },
      space: { actions: [scheduledAction('hourly')] },
    })
    const { spaceId, workbookId, sheetId } = place
    await waitForSchedules(spaceId, ['daily', 'hourly', 'hourly', 'weekly'])
    const jobs = await open(spaceId)
    const about = ({ type, schedule, subject }: Job) => [type, schedule, subject !== undefined]
    expect(jobs.map(about).toSorted()).toEqual([
      ['sheet', 'daily', false],
      ['sheet', 'hourly', true],
      ['space', 'hourly', false],
      ['workbook', 'weekly', false],
    ])
    await must('PATCH', `/workbooks/${workbookId}`, { actions: [] })
    await must('PATCH', `/spaces/${spaceId}`, { actions: [scheduledAction('weekly')] })
    await waitForSchedules(spaceId, ['daily', 'hourly', 'weekly'])
    await must('DELETE', `/sheets/${sheetId}`)
    await waitForSchedules(spaceId, ['weekly'])
  }, 60_000)

  it('starts once however often it is synced concurrently, and stays canceled after a manual cancel', async () => {
    const { spaceId, sheetId } = await newWorkbook({ sheet: { actions: [scheduledAction('daily')] } })
    await waitForSchedules(spaceId, ['daily'])
    const { syncSeries } = await import('../../lib/jobs/scheduling/series.ts')
    const actor = { accountId: account.accountId, actorId: account.userId }
    await Promise.all(Array.from({ length: 6 }, () => syncSeries(actor, sheetId)))
    const [only, ...more] = await listJobs(spaceId)
    expect(more).toEqual([])
    const stranger = await createTestAccount()
    await syncSeries({ accountId: stranger.accountId, actorId: stranger.userId }, sheetId)
    expect(await open(spaceId), 'an event somebody made up ends nothing').toHaveLength(1)
    await must('POST', `/jobs/${only!.id}/cancel`)
    await syncSeries(actor, sheetId)
    expect(await open(spaceId)).toEqual([])
    expect(await listJobs(spaceId)).toHaveLength(1)
  }, 60_000)

  it('continues with one job at a time, even when it is changed at the scheduled moment', async () => {
    const { spaceId, sheetId } = await newWorkbook({ sheet: { actions: [scheduledAction('daily')] } })
    await waitForSchedules(spaceId, ['daily'])
    const [first] = await open(spaceId)
    const { syncSeries } = await import('../../lib/jobs/scheduling/series.ts')
    const { Sheets } = await import('../../lib/entities/sheets.ts')
    const { transact } = await import('../../lib/table/transact.ts')
    const sheet = (await Sheets.get(sheetId))!
    await transact([
      Sheets.replace(sheet, { ...sheet, config: { ...sheet.config, actions: [scheduledAction('weekly')] } }),
    ])
    const actor = { accountId: account.accountId, actorId: account.userId }
    await Promise.all([
      checkJobAt(first!.id, new Date(Date.parse(first!.scheduledFor!) + 1000)),
      syncSeries(actor, sheetId),
    ])
    await waitForSchedules(spaceId, ['weekly'])
  }, 60_000)
})
