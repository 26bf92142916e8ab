/** Endpoints of workbooks, the groups of related sheets in a space. */
import * as z from 'zod'
import { LARGE_BODY_BYTES } from '../kit/byte-limits.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, list, QueryBoolean, Success } from '../kit/page.ts'
import { CreateWorkbook, MAX_SHEETS_PER_WORKBOOK, SheetUpdate, Workbook, workbookFields } from './shape.ts'

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
