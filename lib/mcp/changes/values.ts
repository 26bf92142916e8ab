/** Changes of values in many records: edits, replaced texts and set values. */
import * as changes from '../../../schemas/mcp/changes.ts'
import type { Edit } from '../../../schemas/quality/shape.ts'
import { formatFfqlText } from '../ffql.ts'
import { shortenRecord } from '../results.ts'
import { defineChange, narrowSelection } from './change.ts'

const SHOWN_CHANGES = 20
const SHOWN_RECORDS = 5
const ALL = { filter: 'all' }

export const edit = defineChange(changes.edit, async (api, { sheetId, edit: body, ...selection }) => {
  const { data: shown } = await api({
    method: 'POST',
    path: `/sheets/${sheetId}/quality/preview-edit`,
    query: { ...selection, pageSize: SHOWN_CHANGES },
    body,
  })
  if (shown.records === 0) return { shown }
  const path = `/sheets/${sheetId}/quality/edit`
  return {
    shown,
    change: {
      request: { method: 'POST', path, query: selection, body: { edit: body, version: shown.version } },
      proposal: {
        sheetId,
        select: narrowSelection(selection, buildEditCondition(body, selection)),
        request: { method: 'POST', path, body: { edit: body } },
      },
    },
  }
})

/** `read` and `split` change only values with an error. */
function buildEditCondition(body: Edit, selection: { q?: string | undefined }): Record<string, unknown> {
  if (body.type !== 'replace') return { filter: 'error', filterField: body.fieldKey }
  const field = formatFfqlText(body.fieldKey)
  const values = body.replacements.map(({ from }) =>
    from === null ? `${field} is empty` : `${field} eq ${formatFfqlText(String(from))}`,
  )
  const replaced = values.join(' or ')
  return { q: selection.q === undefined ? replaced : `(${selection.q}) and (${replaced})` }
}

export const replaceText = defineChange(changes.replaceText, async (api, { sheetId, ...args }) => {
  const { fieldKey, find, replace, ...selection } = args
  const body = { fieldKey, find, replace }
  const { data: shown } = await api({
    method: 'POST',
    path: `/sheets/${sheetId}/find-replace/preview`,
    query: { ...selection, pageSize: SHOWN_CHANGES },
    body,
  })
  if (shown.cells === 0) return { shown }
  const path = `/sheets/${sheetId}/find-replace`
  return {
    shown,
    change: {
      request: { method: 'PUT', path, query: selection, body: { ...body, version: shown.version } },
      proposal: {
        sheetId,
        select: narrowSelection(selection, { searchValue: find, searchField: fieldKey }),
        request: { method: 'PUT', path, body },
      },
    },
  }
})

export const setValues = defineChange(changes.setValues, async (api, { sheetId, values, ...selection }) => {
  const fields = Object.keys(values)
  const { data: page } = await api({
    method: 'GET',
    path: `/sheets/${sheetId}/records`,
    query: { ...selection, fields, pageSize: SHOWN_RECORDS },
  })
  const { data: counted } = await api({ method: 'GET', path: `/sheets/${sheetId}/counts`, query: selection })
  const shown = { records: counted.counts.total, values, before: page.records.map(shortenRecord) }
  if (shown.records === 0) return { shown }
  const path = `/sheets/${sheetId}/records/bulk-update`
  const body = { fieldUpdates: Object.fromEntries(fields.map((key) => [key, { value: values[key] }])) }
  const isSelecting = Object.keys(selection).length > 0
  return {
    shown,
    change: {
      request: { method: 'PATCH', path, query: { ...selection, ifVersionId: page.versionId }, body },
      proposal: {
        sheetId,
        select: { query: isSelecting ? selection : ALL },
        request: { method: 'PATCH', path, query: ALL, body },
      },
    },
  }
})
