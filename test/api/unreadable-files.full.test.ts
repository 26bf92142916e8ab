import { beforeAll, describe, expect, it } from 'vitest'
import { createCaller, createTestAccount, pluck, waitUntil } from '../support/api.ts'
import { account, call, createFreshSpace, must, spaceId } from '../support/fresh-account.ts'
import { uploadFile } from '../support/upload.ts'

beforeAll(() => createFreshSpace({ name: 'Unreadable' }))

const fileOf = async (id: string) => await must('GET', `/files/${id}`)
const waitForFailure = (id: string) =>
  waitUntil(async () => {
    const file = await fileOf(id)
    return file.status === 'failed' && file
  }, 20)
const bytes = Buffer.from([1, 2, 3, 0, 5])

describe('an unreadable file', () => {
  it.each([
    [
      'mac.numbers',
      'Apple Numbers files (NUMBERS) are not supported. Export the table as XLSX or CSV and upload that file.',
    ],
    [
      'letter.docx',
      'Documents (DOCX) are not supported. Copy the table into a spreadsheet, save it as XLSX or CSV, and upload that file.',
    ],
    [
      'scan.pdf',
      'Documents (PDF) are not supported. Copy the table into a spreadsheet, save it as XLSX or CSV, and upload that file.',
    ],
    ['photo.heic', 'Files of the type HEIC are not supported.'],
    ['README', 'The file name has no extension to identify its type. Add the extension and upload the file again.'],
  ])('%s fails, with the reason and what to do', async (name, reason) => {
    const { statusReason } = await waitForFailure(await uploadFile(account, spaceId, name, bytes))
    expect(statusReason).toContain(reason)
    expect(statusReason).toMatch(new RegExp(`^${name}: `))
    expect(statusReason).toMatch(/Supported files: CSV, .*XLSX.*ZIP/)
  })

  it('emits its failure once, creates no job, and can still be downloaded', async () => {
    const id = await uploadFile(account, spaceId, 'scan.pdf', bytes)
    await waitForFailure(id)
    const { data } = (await call('GET', `/events?spaceId=${spaceId}&topic=file:updated&pageSize=1000`)).body
    const updates = data.filter(({ context }: { context: { fileId: string } }) => context.fileId === id)
    expect(pluck(updates, 'payload')).toEqual([{ status: 'failed' }])
    expect(await must('GET', `/jobs?fileId=${id}`)).toEqual([])
    expect((await call('GET', `/files/${id}/download`)).status).toBe(200)
  })

  it('shows the reason in lists, and no longer once it is complete after all', async () => {
    const id = await uploadFile(account, spaceId, 'old.pages', bytes)
    await waitForFailure(id)
    const { data } = (await call('GET', `/files?spaceId=${spaceId}`)).body
    expect(data.find((file: { id: string }) => file.id === id).statusReason).toContain('old.pages')
    const { body } = await call('PATCH', `/files/${id}`, { status: 'complete' })
    expect([body.data.status, body.data.statusReason]).toEqual(['complete', undefined])
  })

  it('with unreadable content shows the reason on the file too, not only on its job', async () => {
    const renamed = await uploadFile(account, spaceId, 'renamed.xlsx', Buffer.from('d0cf11e0a1b11ae1', 'hex'))
    const { statusReason } = await waitForFailure(renamed)
    expect(statusReason).toContain('renamed.xlsx: The workbook is damaged at byte 0')
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect((await waitForFailure(await uploadFile(account, spaceId, 'picture.csv', picture))).statusReason).toContain(
      'PNG image',
    )
  })
})

describe('a file of a type the platform does not read', () => {
  it('stays unchanged where the space leaves its files to listeners, and as an export', async () => {
    const space = { name: 'Attachments', settings: { extraction: 'listener' } }
    const own = (await must('POST', '/spaces', space)).id
    const left = await uploadFile(account, own, 'scan.pdf', bytes)
    const exported = await uploadFile(account, spaceId, 'report.pdf', bytes, { mode: 'export' })
    await waitForFailure(await uploadFile(account, spaceId, 'after.pdf', bytes))
    for (const id of [left, exported]) expect((await fileOf(id)).status).toBe('complete')
  })

  it('is left to a live listener that takes it, and fails when none did', async () => {
    const other = await createTestAccount()
    const theirs = createCaller(other.secretKey)
    const space = (await theirs('POST', '/spaces', { name: 'Theirs' })).body.data.id
    expect((await theirs('GET', `/subscription?scope=${other.environmentId}`)).status).toBe(200)
    const [taken, left] = (await Promise.all(
      ['a.pdf', 'b.pdf'].map((name) => uploadFile(other, space, name, bytes)),
    )) as [string, string]
    const job = { type: 'file', operation: 'extract-plugin-pdf', source: taken, trigger: 'manual' }
    expect((await theirs('POST', '/jobs', job)).status).toBe(200)
    const statusOf = async (id: string) => (await theirs('GET', `/files/${id}`)).body.data.status
    expect(await statusOf(left)).toBe('complete')
    await waitUntil(async () => (await statusOf(left)) === 'failed', 20)
    expect(await statusOf(taken)).toBe('complete')
  }, 60_000)

  it('fails when the deployed agent subscribed to new files does not take it', async () => {
    const other = await createTestAccount()
    const theirs = createCaller(other.secretKey)
    const source = 'module.exports = { routeEvent: async () => {} }'
    const agent = { topics: ['file:created'], compiler: 'js', source }
    expect((await theirs('POST', `/agents?environmentId=${other.environmentId}`, agent)).status).toBe(200)
    const space = (await theirs('POST', '/spaces', { name: 'Theirs' })).body.data.id
    const id = await uploadFile(other, space, 'a.pdf', bytes)
    await waitUntil(async () => (await theirs('GET', `/files/${id}`)).body.data.status === 'failed', 40)
  }, 60_000)
})
