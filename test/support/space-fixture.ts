import { createCaller, createDataCaller, getData, waitUntil } from './api.ts'
import type { Fixture } from './fixture.ts'

type Ids = Record<string, string>

export async function extendFixture(fixture: Fixture): Promise<Fixture> {
  const { token, ids } = fixture
  const call = createCaller(token)
  const must = createDataCaller(() => call)
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
  const otherSheetId = workbook.sheets[0].id
  const mapping = await must('POST', '/jobs', {
    ...{ type: 'workbook', operation: 'map', source: workbook.id, trigger: 'immediate' },
    config: { sourceSheetId: otherSheetId, destinationSheetId: sheetId },
  })
  await waitUntil(async () => (await must('GET', `/jobs/${mapping.id}`)).status === 'completed')
  const { program: recipe } = await must('POST', `/jobs/${mapping.id}/recipe`, { name: 'Fixture' })
  const more = {
    familyId,
    uploadId: upload.uploadId,
    auditEntryId: auditEntry.id,
    otherAreaId: area.id,
    fittingProgramId: fitting.id,
    recipeId: recipe.id,
    otherSheetId,
    sheetEventId: await findRecordEvent(call, spaceId!, sheetId!),
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
    { key: 'manager', type: 'reference', config: { ref: 'people', key: 'email', relationship: 'has-one' } },
  ],
}

const findRecordEvent = (call: ReturnType<typeof createCaller>, spaceId: string, sheetId: string): Promise<string> =>
  waitUntil(async () => {
    const path = `/events?spaceId=${spaceId}&includeAcknowledged=true&pageSize=1000`
    const events: { id: string; topic: string; context: { sheetId?: string } }[] = await getData(call('GET', path))
    return events.find(({ topic, context }) => topic === 'commit:created' && context.sheetId === sheetId)?.id
  })

export async function createSpaceFixture({ token, ids }: Fixture): Promise<{ ids: Ids; guest: string }> {
  const call = createCaller(token)
  const must = createDataCaller(() => call)
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
  const clip = {
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
      sheetEventId: await findRecordEvent(call, spaceId, sheet.id),
      ...Object.fromEntries(Object.entries(clip).map(([name, { id }]) => [name, id])),
    },
  }
}
