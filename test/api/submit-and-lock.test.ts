import { beforeAll, describe, expect, it } from 'vitest'
import { waitForJob } from '../support/activity.ts'
import { call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { api } from '../support/sdk.ts'

const SUBMIT = {
  operation: 'submit-and-lock',
  label: 'Submit',
  primary: true,
  constraints: [{ type: 'hasData' }, { type: 'hasAllValid' }],
}

beforeAll(() => createFreshSpace({ name: 'Submissions' }))

async function createWorkbook(actions: object[]) {
  const fields = [
    { key: 'email', type: 'string', constraints: [{ type: 'required' }] },
    { key: 'name', type: 'string' },
  ]
  const sheets = [{ name: 'People', slug: 'people', fields }]
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'People', sheets, actions })
  return { workbookId: workbook.id as string, sheetId: workbook.sheets[0].id as string }
}
const insert = (sheetId: string, ...rows: object[]) =>
  must(
    'POST',
    `/sheets/${sheetId}/records`,
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, { value }]))),
  )
const submit = (workbookId: string) =>
  call('POST', '/jobs', {
    type: 'workbook',
    operation: 'submit-and-lock',
    source: workbookId,
    trigger: 'immediate',
    mode: 'foreground',
    managed: true,
  })

describe('workbook:submit-and-lock', () => {
  it('locks the sheets and ends with an outcome, without a listener', async () => {
    const { workbookId, sheetId } = await createWorkbook([SUBMIT])
    await insert(sheetId, { email: 'ada@example.com' }, { email: 'grace@example.com' })
    const { data: created } = await api.jobs.create({
      type: 'workbook',
      operation: 'submit-and-lock',
      source: workbookId,
      trigger: 'immediate',
      managed: true,
    })
    const job = await waitForJob(created.id)
    expect(job).toMatchObject({
      status: 'completed',
      info: 'Submitted 2 records',
      outcome: { heading: 'Submitted', next: { type: 'download', url: `/v1/sheets/${sheetId}/download` } },
      result: { workbookId, sheetIds: [sheetId], records: 2 },
    })
    expect((await must('GET', `/sheets/${sheetId}`)).lockedAt).toBeDefined()
    expect((await submit(workbookId)).body.errors[0].message).toBe('This was submitted already.')
    await call('POST', `/sheets/${sheetId}/unlock`)
    expect((await submit(workbookId)).status).toBe(200)
  })

  it('is rejected with what is missing: no records, or records with errors', async () => {
    const { workbookId, sheetId } = await createWorkbook([SUBMIT])
    expect((await submit(workbookId)).status).toBe(422)
    await insert(sheetId, { name: 'Nobody' })
    const { status, body } = await submit(workbookId)
    expect([status, body.errors[0].key]).toEqual([422, 'hasAllValid'])
    expect((await must('GET', `/sheets/${sheetId}`)).lockedAt).toBeUndefined()
  })

  it('is rejected for a workbook that has no such action, so that no caller can lock its sheets', async () => {
    const { workbookId } = await createWorkbook([])
    const { status, body } = await submit(workbookId)
    expect([status, body.errors[0].message]).toEqual([
      422,
      'The workbook has no action with the operation submit-and-lock.',
    ])
  })

  it('leaves the operation submit to listeners', async () => {
    const { workbookId } = await createWorkbook([{ operation: 'submit', label: 'Submit' }])
    const body = { type: 'workbook', operation: 'submit', source: workbookId, trigger: 'immediate', managed: true }
    const { id } = await must('POST', '/jobs', body)
    expect((await must('GET', `/jobs/${id}`)).status).toBe('ready')
  })
})
