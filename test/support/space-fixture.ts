/** What attacks with foreign ids need beside the fixture: more of its account, and a second space with a guest. */
import { callerOf, dataOf, mustOf, until } from './api.ts'
import type { Fixture } from './fixture.ts'

type Ids = Record<string, string>

/** Adds things of the account that few tests need. */
export async function furnished(fixture: Fixture): Promise<Fixture> {
  const { token, ids } = fixture
  const call = callerOf(token)
  const must = mustOf(() => call)
  const { environmentId, spaceId, sheetId, programId } = ids
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'Other', sheets: [PEOPLE] })
  const { familyId } = await must('GET', `/mapping/${programId}`)
  const upload = await must('POST', `/agents/uploads?environmentId=${environmentId}`)
  const bundle = { source: 'module.exports = { routeEvent: async () => {} }' }
  await fetch(upload.url, { method: 'PUT', body: JSON.stringify(bundle) })
  const [auditEntry] = await must('GET', '/audit')
  const area = await must('POST', '/canvas-areas', { canvasId: ids.canvasId, type: 'sheet', position: 'left' })
  const fitting = await must('POST', `/mapping?environmentId=${environmentId}`, {
    source: MAILS,
    destination: MAILS,
    save: true,
    rules: [{ name: 'E', type: 'assign', config: { sourceField: 'email', destinationField: 'email' } }],
  })
  const more = {
    familyId,
    uploadId: upload.uploadId,
    auditEntryId: auditEntry.id,
    otherAreaId: area.id,
    fittingProgramId: fitting.id,
    otherSheetId: workbook.sheets[0].id,
    sheetEventId: await eventOf(call, spaceId!, sheetId!),
  }
  return { ...fixture, ids: { ...ids, ...more } }
}

const MAILS = { name: 'Mails', fields: [{ key: 'email', type: 'string' }] }
const PEOPLE = {
  name: 'People',
  slug: 'people',
  fields: [
    { key: 'email', type: 'string' },
    { key: 'age', type: 'number' },
  ],
}

/** An event that points to records of the sheet. */
const eventOf = (call: ReturnType<typeof callerOf>, spaceId: string, sheetId: string): Promise<string> =>
  until(async () => {
    const path = `/events?spaceId=${spaceId}&includeAcknowledged=true&pageSize=1000`
    const events: { id: string; topic: string; context: { sheetId?: string } }[] = await dataOf(call('GET', path))
    return events.find(({ topic, context }) => topic === 'commit:created' && context.sheetId === sheetId)?.id
  })

/** A second space in the environment of the fixture, with one of everything a guest may have to do with, and a guest of it. */
export async function spaceFixture({ token, ids }: Fixture): Promise<{ ids: Ids; guest: string }> {
  const call = callerOf(token)
  const must = mustOf(() => call)
  const { environmentId } = ids
  const space = await must('POST', '/spaces', { environmentId, name: 'Beside' })
  const spaceId = space.id
  const workbook = await must('POST', '/workbooks', { spaceId, name: 'People', sheets: [PEOPLE] })
  const other = await must('POST', '/workbooks', { spaceId, name: 'Other', sheets: [PEOPLE] })
  const [sheet] = workbook.sheets
  const inserted = await must('POST', `/sheets/${sheet.id}/records`, [{ email: { value: 'grace@example.com' } }])
  const { file } = await must('POST', '/files/uploads', { spaceId, name: 'people.csv', size: 10 })
  const [guest] = await must('POST', '/guests', [
    { environmentId, email: 'beside@example.com', name: 'Beside', spaces: [{ id: spaceId }] },
  ])
  const made = {
    snapshotId: await must('POST', '/snapshots', { sheetId: sheet.id }),
    jobId: await must('POST', '/jobs', { type: 'space', operation: 'beside', source: spaceId }),
    documentId: await must('POST', `/spaces/${spaceId}/documents`, { title: 'Beside', body: 'B' }),
    actionId: await must('POST', `/actions?spaceId=${spaceId}`, { targetId: sheet.id, operation: 'x', label: 'X' }),
    canvasId: await must('POST', '/canvases', { spaceId, name: 'Beside' }),
    viewId: await must('POST', '/views', { sheetId: sheet.id, name: 'Beside', config: {} }),
    dataClipId: await must('POST', '/data-clips', { name: 'Beside', sourceSheetId: sheet.id }),
  }
  const { token: guestToken } = await must('GET', `/guests/${guest.id}/token`)
  return {
    guest: guestToken,
    ids: {
      ...ids,
      spaceId,
      workbookId: workbook.id,
      sheetId: sheet.id,
      otherSheetId: other.sheets[0].id,
      recordId: inserted.records[0].id,
      commitId: inserted.commitId,
      fileId: file.id,
      guestId: guest.id,
      sheetEventId: await eventOf(call, spaceId, sheet.id),
      ...Object.fromEntries(Object.entries(made).map(([name, { id }]) => [name, id])),
    },
  }
}
