import { mergeDefined } from '../lib/core/diff.ts'
import { conflict } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import { Views } from '../lib/entities/views.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'
import * as views from '../schemas/views/endpoints.ts'
import { MAX_VIEWS_PER_SHEET } from '../schemas/views/shape.ts'

export const create = serve(views.create)(async ({ sheet, body, caller, tx }) => {
  if ((await Views.inSheet(sheet.id)).length >= MAX_VIEWS_PER_SHEET)
    throw conflict(message('records.tooManyViews', { count: MAX_VIEWS_PER_SHEET }))
  const { accountId, environmentId, spaceId, workbookId } = sheet
  const location = { accountId, environmentId, spaceId, workbookId }
  const view = { ...body, ...location, id: newId('view'), createdBy: caller.actorId, createdAt: tx.now }
  tx.write(Views.create(view))
  return { data: view }
})

export const list = serve(views.listed)(async ({ sheet, query }) => paginate(await Views.inSheet(sheet.id), query))

export const get = serve(views.get)(async ({ view }) => ({ data: view }))

export const update = serve(views.update)(async ({ view, body, tx }) => {
  const after = mergeDefined(view, body)
  tx.write(Views.replace(view, after))
  return { data: after }
})

export const remove = serve(views.remove)(async ({ view, tx }) => {
  tx.write(Views.remove(view))
  return success
})

export const handler = lambda(create, list, get, update, remove)
