/** DELETE /jobs/{id}/import undoes what a mapping job imported. */
import { beforeAll, describe, expect, it } from 'vitest'
import { findEvents, waitForJob } from '../support/activity.ts'
import { createCaller, createTestAccount } from '../support/api.ts'
import { type Caller, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { createGuest } from '../support/resources.ts'

beforeAll(() => createFreshSpace({ name: 'Undo' }))

const text = (key: string) => ({ key, type: 'string' })

interface Import {
  sheetId: string
  source: string
  workbookId: string
  jobId: string
}

async function runImport(config: object, by: Caller = call): Promise<Import> {
  const workbook = await must('POST', '/workbooks', {
    spaceId,
    name: 'Customers',
    sheets: [
      { name: 'File', slug: 'file', fields: [text('code'), text('name')] },
      { name: 'Customers', slug: 'customers', fields: [text('code'), text('name')] },
    ],
  })
  const [source, sheetId] = workbook.sheets.map(({ id }: { id: string }) => id)
  await must('POST', `/sheets/${sheetId}/records`, [
    { code: '1', name: 'Ada' },
    { code: '2', name: 'Blaise' },
  ])
  await must('POST', `/sheets/${source}/records`, [
    { code: '2', name: 'Blaise Pascal' },
    { code: '3', name: 'Carl' },
  ])
  const job = await must(
    'POST',
    '/jobs',
    {
      type: 'workbook',
      operation: 'map',
      source: workbook.id,
      trigger: 'immediate',
      config: { sourceSheetId: source, destinationSheetId: sheetId, ...config },
    },
    by,
  )
  expect(await waitForJob(job.id)).toMatchObject({ status: 'completed' })
  return { sheetId, source, workbookId: workbook.id, jobId: job.id }
}

const UPSERT = { importMode: 'upsert', keyFields: ['code'] }

async function readNames(sheetId: string): Promise<string[]> {
  const { records } = await must('GET', `/sheets/${sheetId}/records`)
  return records.map(({ values }: { values: { name: { value: string } } }) => values.name.value)
}
const readRecord = async (sheetId: string, name: string) =>
  (await must('GET', `/sheets/${sheetId}/records`)).records.find(
    ({ values }: { values: { name: { value: string } } }) => values.name.value === name,
  )

describe('DELETE /jobs/{id}/import', () => {
  it.each([
    ['add', {}, { created: 0, updated: 0, deleted: 2 }],
    ['update', { importMode: 'update', keyFields: ['code'] }, { created: 0, updated: 1, deleted: 0 }],
    ['upsert', UPSERT, { created: 0, updated: 1, deleted: 1 }],
    ['replace', { importMode: 'replace' }, { created: 2, updated: 0, deleted: 2 }],
  ])('restores the records before an import in the mode %s, as a commit with its events', async (_, config, counts) => {
    const { sheetId, jobId } = await runImport(config)
    const undone = await must('DELETE', `/jobs/${jobId}/import`)
    expect(undone).toEqual({ sheetId, commitId: expect.any(String), ...counts })
    expect(await readNames(sheetId)).toEqual(['Ada', 'Blaise'])
    expect((await must('GET', `/sheets/${sheetId}/commits`))[0].id).toBe(undone.commitId)
    const topics = (await findEvents(`spaceId=${spaceId}`, { commitId: undone.commitId })).map(({ topic }) => topic)
    for (const [kind, topic] of [
      ['created', 'records:created'],
      ['updated', 'records:updated'],
      ['deleted', 'records:deleted'],
    ] as const)
      expect(topics.includes(topic), topic).toBe(counts[kind] > 0)
    expect(await must('GET', `/jobs/${jobId}`)).toMatchObject({
      status: 'completed',
      info: 'The import was undone',
      result: { undo: { commitId: undone.commitId } },
    })
    expect(await must('DELETE', `/jobs/${jobId}/import`)).toEqual(undone)
    expect(await must('GET', `/sheets/${sheetId}/commits`)).toHaveLength(3)
  })

  it('keeps records that were added and changed by others', async () => {
    const { sheetId, jobId } = await runImport(UPSERT)
    await must('POST', `/sheets/${sheetId}/records`, [{ code: '9', name: 'Later' }])
    await must('PUT', `/sheets/${sheetId}/records`, [
      { id: (await readRecord(sheetId, 'Ada')).id, values: { name: { value: 'Ada Lovelace' } } },
    ])
    expect(await must('DELETE', `/jobs/${jobId}/import`)).toMatchObject({ updated: 1, deleted: 1 })
    expect(await readNames(sheetId)).toEqual(['Ada Lovelace', 'Blaise', 'Later'])
  })

  it('says who changed which of its records since, and undoes nothing', async () => {
    const { sheetId, jobId } = await runImport(UPSERT)
    const guest = await createGuest([{ id: spaceId }], { email: 'grace@example.com' })
    const grace = createCaller((await must('GET', `/guests/${guest.id}/token`)).token)
    const changed = await readRecord(sheetId, 'Blaise Pascal')
    const removed = await readRecord(sheetId, 'Carl')
    await must('PUT', `/sheets/${sheetId}/records`, [{ id: changed.id, values: { name: { value: 'B.' } } }], grace)
    await must('DELETE', `/sheets/${sheetId}/records?ids=${removed.id}`)
    const response = await call('DELETE', `/jobs/${jobId}/import`)
    expect(response.status).toBe(409)
    expect(response.body.errors).toEqual([
      { key: 'conflict', message: 'Guest changed the same records since: 1 updated, 0 deleted.' },
      { key: 'conflict', message: 'Ada changed the same records since: 0 updated, 1 deleted.' },
      { key: 'records', message: `For example: ${changed.id}, ${removed.id}.` },
    ])
    expect(await readNames(sheetId)).toEqual(['Ada', 'B.'])
  })

  it('returns 409 for a job that imported nothing, another operation, and a forged commit', async () => {
    const { sheetId, source, workbookId, jobId } = await runImport(UPSERT)
    const [{ id: commitId }] = await must('GET', `/sheets/${sheetId}/commits`)
    const config = { sourceSheetId: source, destinationSheetId: sheetId }
    const forged = await must('POST', '/jobs', {
      ...{ type: 'workbook', operation: 'map', source: workbookId, managed: true, config },
      result: { commitId },
    })
    expect((await call('DELETE', `/jobs/${forged.id}/import`)).status).toBe(409)
    const other = await must('POST', '/jobs', {
      ...{ type: 'workbook', operation: 'submit', source: workbookId, trigger: 'immediate', result: { commitId } },
    })
    await must('POST', `/jobs/${other.id}/complete`)
    expect((await call('DELETE', `/jobs/${other.id}/import`)).status).toBe(409)
    await must('POST', `/jobs/${forged.id}/execute`)
    await waitForJob(forged.id)
    expect((await call('DELETE', `/jobs/${jobId}/import`)).status).toBe(200)
  })

  it('is refused on a locked sheet', async () => {
    const { sheetId, jobId } = await runImport(UPSERT)
    await must('POST', `/sheets/${sheetId}/lock`)
    expect((await call('DELETE', `/jobs/${jobId}/import`)).status).toBe(409)
    await must('POST', `/sheets/${sheetId}/unlock`)
    expect((await call('DELETE', `/jobs/${jobId}/import`)).status).toBe(200)
  })

  it('hides the job from other accounts and from guests of other spaces', async () => {
    const { jobId } = await runImport(UPSERT)
    const stranger = createCaller((await createTestAccount()).secretKey)
    const other = await must('POST', '/spaces', { name: 'Other' })
    const guest = await createGuest([{ id: other.id }], { email: 'mallory@example.com' })
    const mallory = createCaller((await must('GET', `/guests/${guest.id}/token`)).token)
    for (const by of [stranger, mallory]) expect((await by('DELETE', `/jobs/${jobId}/import`)).status).toBe(404)
  })
})
