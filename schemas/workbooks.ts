/** Endpoints of workbooks, the groups of related sheets in a space. */
import * as z from 'zod'
import { Actions } from './action.ts'
import { blueprintCheck } from './blueprint.ts'
import { WorkbookContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Id, scoped, Time } from './ids.ts'
import { ignored, nullish } from './nullish.ts'
import { data, list, QueryBoolean, Success } from './page.ts'
import { SheetConfig } from './sheet.ts'
import { LARGE_BODY_BYTES } from './sizes.ts'
import { topic } from './topic.ts'
import { Workbook, WorkbookSettings } from './workbook.ts'

/** All sheets are created in one transaction together with their events. */
export const MAX_SHEETS_PER_WORKBOOK = 40

const StorageStrategy = z.enum([
  'RAINBOW_TABLES',
  'CELL_HISTORY',
  'HYPERCUBE',
  'QUICKSTORE',
  'DUCKDB',
  'FOREIGNDB',
  'MEMCSV',
])

const workbookFields = {
  name: z.string().min(1).max(500),
  labels: nullish(z.array(z.string())),
  namespace: nullish(z.string()),
  actions: nullish(Actions),
  settings: nullish(WorkbookSettings),
  metadata: z.unknown().optional(),
  treatments: nullish(z.array(z.string())),
  folder: nullish(z.string()),
  storageStrategy: nullish(StorageStrategy),
}
const blueprint = { ...workbookFields, sheets: nullish(z.array(SheetConfig).max(MAX_SHEETS_PER_WORKBOOK)) }
export const Blueprint = z.object(blueprint).superRefine(...blueprintCheck)
export const CreateWorkbook = z
  .object({ ...blueprint, spaceId: scoped('space'), environmentId: nullish(scoped('environment')) })
  .superRefine(...blueprintCheck)
export type CreateWorkbook = z.infer<typeof CreateWorkbook>

export const SheetUpdate = z
  .object({
    ...SheetConfig.shape,
    id: nullish(scoped('sheet')),
    config: nullish(z.object(SheetConfig.shape).partial()),
    namespace: nullish(z.string()),
    workbookId: nullish(scoped('workbook')),
    createdAt: ignored(Time),
    updatedAt: ignored(Time),
  })
  .partial()
export type SheetUpdate = z.infer<typeof SheetUpdate>

export const create = endpoint({
  id: 'workbooks.create',
  method: 'POST',
  path: '/workbooks',
  summary: 'Creates a workbook with its sheets',
  description:
    'References name sheets of the workbook by slug or name, and one of their fields; constraints name fields of their own sheet. A sheet may start without fields.',
  policy: { can: 'workbooks:write', on: 'space', at: 'body.spaceId' },
  body: CreateWorkbook,
  reply: data(Workbook),
  bodyBytes: LARGE_BODY_BYTES,
  example: {
    body: {
      spaceId: '{spaceId}',
      name: 'Contacts',
      sheets: [
        {
          name: 'People',
          slug: 'people',
          fields: [{ key: 'email', type: 'string', constraints: [{ type: 'required' }] }],
        },
      ],
    },
  },
})
export const listed = endpoint({
  id: 'workbooks.list',
  method: 'GET',
  path: '/workbooks',
  summary: 'Lists workbooks, newest first',
  description: 'A leading `-` negates the filters name, namespace and label.',
  policy: { can: 'workbooks:read', on: 'space', at: 'query.spaceId', optional: true },
  query: z.object({
    spaceId: scoped('space').optional(),
    name: z.string().optional(),
    namespace: z.string().optional(),
    label: z.string().optional(),
    treatment: z.string().optional(),
    includeSheets: QueryBoolean.default(true),
    includeCounts: QueryBoolean.optional(),
  }),
  reply: list(Workbook),
  example: { query: { spaceId: '{spaceId}' } },
})

const params = z.object({ workbookId: Id })
const at = 'params.workbookId'
const example = { params: { workbookId: '{workbookId}' } }

export const get = endpoint({
  id: 'workbooks.get',
  method: 'GET',
  path: '/workbooks/{workbookId}',
  summary: 'Reads a workbook with its sheets',
  policy: { can: 'workbooks:read', on: 'workbook', at },
  params,
  reply: data(Workbook),
  example,
})
export const update = endpoint({
  id: 'workbooks.update',
  method: 'PATCH',
  path: '/workbooks/{workbookId}',
  summary: 'Updates a workbook; sheets are matched by id or slug',
  policy: { can: 'workbooks:write', on: 'workbook', at },
  params,
  body: z
    .object({
      ...workbookFields,
      spaceId: nullish(scoped('space')),
      environmentId: nullish(scoped('environment')),
      sheets: nullish(z.array(SheetUpdate).max(MAX_SHEETS_PER_WORKBOOK)),
    })
    .partial(),
  reply: data(Workbook),
  errors: ['conflict'],
  bodyBytes: LARGE_BODY_BYTES,
  example: { ...example, body: { name: 'Contacts 2' } },
})
export const remove = endpoint({
  id: 'workbooks.remove',
  method: 'DELETE',
  path: '/workbooks/{workbookId}',
  summary: 'Deletes a workbook with its sheets and records',
  policy: { can: 'workbooks:write', on: 'workbook', at },
  params,
  reply: Success,
  example,
})

export const rebuild = endpoint({
  id: 'workbooks.rebuild',
  method: 'POST',
  path: '/workbooks/{workbookId}/rebuild',
  summary:
    'Validates all records against the current rules and compacts their stored form; records and versions are unchanged',
  policy: { can: 'workbooks:write', on: 'workbook', at },
  params,
  reply: Success,
  example,
})

export const created = topic('workbook:created', {
  when: 'a workbook is created',
  payload: z.object({
    workbookId: Id,
    spaceId: Id,
    name: z.string(),
    namespace: z.string().optional(),
    sheetCount: z.number().int(),
  }),
  context: WorkbookContext,
})
export const updated = topic('workbook:updated', {
  when: 'a workbook is changed',
  payload: z.object({
    workbookId: Id,
    spaceId: Id,
    changes: z.array(
      z.object({ type: z.enum(['sheet_added', 'sheet_removed', 'config_updated']), details: z.unknown() }),
    ),
  }),
  context: WorkbookContext,
})
export const deleted = topic('workbook:deleted', {
  when: 'a workbook is deleted',
  payload: z.object({ workbookId: Id, spaceId: Id }),
  context: WorkbookContext,
})
export const expired = topic('workbook:expired', {
  when: 'a workbook expires under a data retention policy',
  payload: z.object({ workbookId: Id, spaceId: Id }),
  context: WorkbookContext,
})
