/** Endpoints of views: saved record queries of a sheet. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, paged, pageQuery, Success } from '../kit/page.ts'
import { View, ViewConfig } from './shape.ts'

const Name = z.string().trim().min(1).max(500)
const params = z.object({ viewId: Id })
const at = 'params.viewId'
const example = { params: { viewId: '{viewId}' } }

export const create = endpoint({
  id: 'views.create',
  method: 'POST',
  path: '/views',
  summary: 'Saves a query as a view',
  policy: { can: 'views:write', on: 'sheet', at: 'body.sheetId' },
  body: z.object({ sheetId: scoped('sheet'), name: Name, config: ViewConfig }),
  reply: data(View),
  errors: ['conflict'],
  example: { body: { sheetId: '{sheetId}', name: 'With errors', config: { filter: 'error', sortField: 'age' } } },
})
export const listed = endpoint({
  id: 'views.list',
  method: 'GET',
  path: '/views',
  summary: "Lists a sheet's views, oldest first",
  policy: { can: 'views:read', on: 'sheet', at: 'query.sheetId' },
  query: z.object({ sheetId: scoped('sheet'), ...pageQuery(10) }),
  reply: paged(View),
  example: { query: { sheetId: '{sheetId}' } },
})
export const get = endpoint({
  id: 'views.get',
  method: 'GET',
  path: '/views/{viewId}',
  summary: 'Reads a view',
  policy: { can: 'views:read', on: 'view', at },
  params,
  reply: data(View),
  example,
})
export const update = endpoint({
  id: 'views.update',
  method: 'PATCH',
  path: '/views/{viewId}',
  summary: 'Updates a view; guests can update only their own',
  description: '`config` replaces the whole query.',
  policy: { can: 'views:write', on: 'view', at, guests: 'own' },
  params,
  body: z.object({ name: nullish(Name), config: nullish(ViewConfig) }),
  reply: data(View),
  example: { ...example, body: { config: { q: 'age gt 30' } } },
})
export const remove = endpoint({
  id: 'views.remove',
  method: 'DELETE',
  path: '/views/{viewId}',
  summary: 'Deletes a view; guests can delete only their own',
  policy: { can: 'views:write', on: 'view', at, guests: 'own' },
  params,
  reply: Success,
  example,
})
