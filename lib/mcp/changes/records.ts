/** Changes of single records. */
import * as changes from '../../../schemas/mcp/changes.ts'
import { type Api, RefusedError } from '../api.ts'
import { shortenRecord } from '../results.ts'
import { defineChange } from './change.ts'

const SHOWN_RECORDS = 5

type ShortRecord = ReturnType<typeof shortenRecord>

interface FoundRecords {
  records: ShortRecord[]
  versionId: string
}

/** @throws RefusedError naming the records that do not exist */
async function findRecords(api: Api, sheetId: string, ids: readonly string[]): Promise<FoundRecords> {
  const { data } = await api({
    method: 'GET',
    path: `/sheets/${sheetId}/records`,
    query: { ids, pageSize: ids.length },
  })
  const records: ShortRecord[] = data.records.map(shortenRecord)
  const found = new Set(records.map(({ id }) => id))
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length > 0)
    throw new RefusedError(`The sheet has no records ${missing.join(', ')}. Nothing was previewed.`)
  return { records, versionId: data.versionId }
}

async function assertFieldsExist(api: Api, sheetId: string, records: readonly object[]): Promise<void> {
  const { data: sheet } = await api({ method: 'GET', path: `/sheets/${sheetId}` })
  const known = sheet.config.fields.map(({ key }: { key: string }) => key)
  const unknownKeys = [...new Set(records.flatMap(Object.keys))].filter((key) => !known.includes(key))
  if (unknownKeys.length > 0)
    throw new RefusedError(`The sheet has no fields ${unknownKeys.join(', ')}. It has ${known.join(', ')}.`)
}

const wrapValues = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]))

export const updateRecords = defineChange(changes.updateRecords, async (api, { sheetId, records }) => {
  await assertFieldsExist(
    api,
    sheetId,
    records.map(({ values }) => values),
  )
  const recordIds = records.map(({ id }) => id)
  const found = await findRecords(api, sheetId, recordIds)
  const before = new Map(found.records.map((record) => [record.id, record.values]))
  const changed = records.map(({ id, values }) => ({
    id,
    values: Object.fromEntries(
      Object.entries(values).map(([key, after]) => [key, { before: before.get(id)![key] ?? null, after }]),
    ),
  }))
  const path = `/sheets/${sheetId}/records`
  const body = records.map(({ id, values }) => ({ id, values: wrapValues(values) }))
  return {
    shown: { records: changed },
    change: {
      request: { method: 'PUT', path, query: { ifVersionId: found.versionId }, body },
      proposal: { sheetId, select: { recordIds }, request: { method: 'PUT', path, body } },
    },
  }
})

export const addRecords = defineChange(changes.addRecords, async (api, { sheetId, records }) => {
  await assertFieldsExist(api, sheetId, records)
  const body = records.map((values) => ({ values: wrapValues(values) }))
  return {
    shown: { records: records.length, first: records.slice(0, SHOWN_RECORDS) },
    change: { request: { method: 'POST', path: `/sheets/${sheetId}/records`, body } },
  }
})

export const deleteRecords = defineChange(changes.deleteRecords, async (api, { sheetId, ids }) => {
  const { records, versionId } = await findRecords(api, sheetId, ids)
  return {
    shown: { deleted: records },
    change: {
      request: { method: 'DELETE', path: `/sheets/${sheetId}/records`, query: { ids, ifVersionId: versionId } },
    },
  }
})

export const mergeRecords = defineChange(changes.mergeRecords, async (api, { sheetId, merges }) => {
  const { data: shown } = await api({
    method: 'POST',
    path: `/sheets/${sheetId}/quality/preview-merge`,
    body: { merges },
  })
  const body = { merges, version: shown.version }
  return { shown, change: { request: { method: 'POST', path: `/sheets/${sheetId}/quality/merge`, body } } }
})

const MAX_MISSING = 100

export const createMissing = defineChange(changes.createMissing, async (api, { sheetId, fieldKey }) => {
  const { data: missing, target } = await api({
    method: 'GET',
    path: `/sheets/${sheetId}/quality/missing`,
    query: { fieldKey, pageSize: MAX_MISSING },
  })
  const shown = { createdIn: target, values: missing }
  if (missing.length === 0) return { shown }
  const body = { fieldKey, values: missing.map(({ value }: { value: unknown }) => value) }
  return { shown, change: { request: { method: 'POST', path: `/sheets/${sheetId}/quality/create-missing`, body } } }
})

export const undo = defineChange(changes.undo, async (api, { commitId }) => {
  const path = `/commits/${encodeURIComponent(commitId)}`
  const { data: shown } = await api({ method: 'GET', path })
  return { shown: { undone: shown }, change: { request: { method: 'POST', path: `${path}/undo` } } }
})

export const createSpace = defineChange(changes.createSpace, async (_api, body) => ({
  shown: { created: body },
  change: { request: { method: 'POST', path: '/spaces', body } },
}))

export const createWorkbook = defineChange(changes.createWorkbook, async (_api, body) => ({
  shown: { created: body },
  change: { request: { method: 'POST', path: '/workbooks', body } },
}))
