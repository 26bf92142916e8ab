/** Endpoints of sheets, the typed tables of a workbook. Records are in schemas/records/endpoints.ts. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list, QueryNumber, Success } from '../kit/page.ts'
import { Field, FieldKey } from './fields.ts'
import { MAX_FIELDS_PER_SHEET, Sheet } from './shape.ts'

const params = z.object({ sheetId: Id })
const at = 'params.sheetId'
const example = { params: { sheetId: '{sheetId}' } }

export const listed = endpoint({
  id: 'sheets.list',
  method: 'GET',
  path: '/sheets',
  summary: "Lists a workbook's sheets",
  policy: { can: 'sheets:read', on: 'workbook', at: 'query.workbookId' },
  query: z.object({ workbookId: scoped('workbook') }),
  reply: list(Sheet),
  example: { query: { workbookId: '{workbookId}' } },
})
export const get = endpoint({
  id: 'sheets.get',
  method: 'GET',
  path: '/sheets/{sheetId}',
  summary: 'Reads a sheet',
  policy: { can: 'sheets:read', on: 'sheet', at },
  params,
  reply: data(Sheet),
  example,
})
export const update = endpoint({
  id: 'sheets.update',
  method: 'PATCH',
  path: '/sheets/{sheetId}',
  summary: "Updates a sheet's name, slug, metadata or table",
  policy: { can: 'sheets:write', on: 'sheet', at },
  params,
  body: z.object({
    name: nullish(z.string().min(1).max(500)),
    slug: nullish(z.string().min(1).max(500)),
    metadata: z.unknown().optional(),
    table: z.boolean().optional(),
  }),
  reply: data(Sheet),
  errors: ['conflict'],
  example: { ...example, body: { metadata: { rowHeaders: [1] } } },
})
export const remove = endpoint({
  id: 'sheets.remove',
  method: 'DELETE',
  path: '/sheets/{sheetId}',
  summary: 'Deletes a sheet with its records',
  policy: { can: 'sheets:write', on: 'sheet', at },
  params,
  reply: Success,
  errors: ['conflict'],
  example,
})
export const addField = endpoint({
  id: 'sheets.addField',
  method: 'POST',
  path: '/sheets/{sheetId}/fields',
  summary: 'Adds a field',
  policy: { can: 'sheets:write', on: 'sheet', at },
  params,
  query: z.object({ insertAtIndex: QueryNumber(0, MAX_FIELDS_PER_SHEET).optional() }),
  body: Field,
  reply: data(Field),
  errors: ['conflict'],
  example: { ...example, body: { key: 'note', type: 'string', label: 'Note' } },
})
export const removeField = endpoint({
  id: 'sheets.removeField',
  method: 'DELETE',
  path: '/sheets/{sheetId}/fields/{fieldKey}',
  summary: 'Removes a field',
  policy: { can: 'sheets:write', on: 'sheet', at },
  params: z.object({ sheetId: Id, fieldKey: FieldKey }),
  reply: Success,
  errors: ['conflict'],
  example: { params: { sheetId: '{sheetId}', fieldKey: 'email' } },
})
export const validate = endpoint({
  id: 'sheets.validate',
  method: 'POST',
  path: '/sheets/{sheetId}/validate',
  summary: 'Validates all records again and calls the commit listeners for all of them',
  policy: { can: 'records:write', on: 'sheet', at },
  params,
  reply: Success,
  example,
})
export const duplicate = endpoint({
  id: 'sheets.duplicate',
  method: 'POST',
  path: '/sheets/{sheetId}/duplicate',
  summary: 'Copies a sheet with its records into the same workbook',
  policy: { can: 'sheets:write', on: 'sheet', at },
  params,
  body: z.object({ name: nullish(z.string().min(1).max(500)), slug: nullish(z.string().min(1).max(500)) }),
  bodyOptional: true,
  reply: data(Sheet),
  errors: ['conflict', 'unprocessable'],
  example,
})
export const lock = endpoint({
  id: 'sheets.lock',
  method: 'POST',
  path: '/sheets/{sheetId}/lock',
  summary: 'Locks a sheet: its records cannot be changed',
  policy: { can: 'sheets:write', on: 'sheet', at },
  params,
  reply: Success,
  errors: ['conflict'],
  example,
})
export const unlock = endpoint({
  id: 'sheets.unlock',
  method: 'POST',
  path: '/sheets/{sheetId}/unlock',
  summary: 'Unlocks a sheet',
  policy: { can: 'sheets:write', on: 'sheet', at },
  params,
  reply: Success,
  errors: ['conflict'],
  example,
})
