import type * as z from 'zod'
import { loadScope } from '../lib/auth/load-resource.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { diffFields, mergeDefined } from '../lib/core/diff.ts'
import { notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import {
  Actions,
  actionContext,
  actionPayload,
  assertActionFits,
  extractConfig,
  type NewAction,
  removeAction,
  toAction,
} from '../lib/entities/actions.ts'
import type { StoredSpace } from '../lib/entities/spaces.ts'
import { createLargeJsonReply } from '../lib/http/large-response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { getNamespaces, getResourceLocation } from '../lib/jobs/request/resources.ts'
import type { Tx } from '../lib/tx.ts'
import * as actions from '../schemas/actions/endpoints.ts'
import * as actionEvents from '../schemas/actions/events.ts'
import { success } from '../schemas/kit/page.ts'

type Config = z.output<typeof actions.create.body>

async function add(tx: Tx, caller: Principal, space: StoredSpace, body: Config): Promise<NewAction> {
  const target = await loadScope('resource', caller, body.targetId)
  if (getResourceLocation(target).spaceId !== space.id) throw notFound('resource', body.targetId)
  const action: NewAction = {
    id: newId('action'),
    accountId: space.accountId,
    environmentId: space.environmentId,
    spaceId: space.id,
    targetId: body.targetId,
    ...(target.kind === 'workbook' ? { workbookId: target.workbook.id } : {}),
    ...(target.kind === 'sheet' ? { workbookId: target.sheet.workbookId, sheetId: target.sheet.id } : {}),
    namespaces: await getNamespaces(target, space),
    config: extractConfig(body),
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  tx.write(Actions.create(action))
  tx.emit(actionEvents.created, actionContext(action), actionPayload(action), { namespaces: action.namespaces })
  return action
}

export const create = serve(actions.create)(async ({ space, body, caller, tx }) => ({
  data: toAction(await add(tx, caller, space, body)),
}))

export const bulkCreate = serve(actions.bulkCreate)(async ({ space, body, caller, tx }) => {
  const created: NewAction[] = []
  for (const actionConfig of body) created.push(await add(tx, caller, space, actionConfig))
  return created.map(toAction)
})

export const list = serve(actions.listed)(async ({ space, request }) => {
  const reply = (await Actions.inSpace(space.id)).map(toAction)
  return createLargeJsonReply(request, { environmentId: space.environmentId, spaceId: space.id }, 'actions', reply)
})

export const get = serve(actions.get)(async ({ action }) => ({ data: toAction(action) }))

export const update = serve(actions.update)(async ({ action, body, tx }) => {
  const config = mergeDefined(action.config, extractConfig(body))
  const changes = diffFields(action.config, config)
  if (changes.length === 0) return { data: toAction(action) }
  const after = { ...action, config, updatedAt: tx.now }
  assertActionFits(after)
  tx.write(Actions.replace(action, after))
  tx.emit(
    actionEvents.updated,
    actionContext(after),
    { ...actionPayload(after), changes },
    { namespaces: after.namespaces },
  )
  return { data: toAction(after) }
})

export const remove = serve(actions.remove)(async ({ action, tx }) => {
  removeAction(tx, action)
  return success
})

export const handler = lambda(create, bulkCreate, list, get, update, remove)
