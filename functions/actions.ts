/** Actions of their own over HTTP. */

import type * as z from 'zod'
import type { Principal } from '../lib/auth/principal.ts'
import { loadScope } from '../lib/auth/scopes.ts'
import { notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import {
  Actions,
  actionContext,
  actionPayload,
  asAction,
  assertActionFits,
  configIn,
  type NewAction,
  removeAction,
} from '../lib/entities/actions.ts'
import { changesBetween, merged } from '../lib/entities/changes.ts'
import type { StoredSpace } from '../lib/entities/spaces.ts'
import { largeJson } from '../lib/http/large.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { namespacesOf, placeOfResource } from '../lib/jobs/references.ts'
import type { Tx } from '../lib/tx.ts'
import * as actions from '../schemas/actions.ts'
import { success } from '../schemas/page.ts'

type Config = z.output<typeof actions.create.body>

async function add(tx: Tx, caller: Principal, space: StoredSpace, body: Config): Promise<NewAction> {
  const target = await loadScope('resource', caller, body.targetId)
  if (placeOfResource(target).spaceId !== space.id) throw notFound('resource', body.targetId)
  const action: NewAction = {
    id: newId('action'),
    accountId: space.accountId,
    environmentId: space.environmentId,
    spaceId: space.id,
    targetId: body.targetId,
    ...(target.kind === 'workbook' ? { workbookId: target.workbook.id } : {}),
    ...(target.kind === 'sheet' ? { workbookId: target.sheet.workbookId, sheetId: target.sheet.id } : {}),
    namespaces: await namespacesOf(target, space),
    config: configIn(body),
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  tx.write(Actions.create(action))
  tx.emit(actions.created, actionContext(action), actionPayload(action), { namespaces: action.namespaces })
  return action
}

export const create = serve(actions.create)(async ({ space, body, caller, tx }) => ({
  data: asAction(await add(tx, caller, space, body)),
}))

export const bulkCreate = serve(actions.bulkCreate)(async ({ space, body, caller, tx }) => {
  const added: NewAction[] = []
  for (const each of body) added.push(await add(tx, caller, space, each))
  return added.map(asAction)
})

export const list = serve(actions.listed)(async ({ space, request }) => {
  const reply = (await Actions.inSpace(space.id)).map(asAction)
  return largeJson(request, { environmentId: space.environmentId, spaceId: space.id }, 'actions', reply)
})

export const get = serve(actions.get)(async ({ action }) => ({ data: asAction(action) }))

export const update = serve(actions.update)(async ({ action, body, tx }) => {
  const config = merged(action.config, configIn(body))
  const changes = changesBetween(action.config, config)
  if (changes.length === 0) return { data: asAction(action) }
  const after = { ...action, config, updatedAt: tx.now }
  assertActionFits(after)
  tx.write(Actions.replace(action, after))
  tx.emit(actions.updated, actionContext(after), { ...actionPayload(after), changes }, { namespaces: after.namespaces })
  return { data: asAction(after) }
})

export const remove = serve(actions.remove)(async ({ action, tx }) => {
  removeAction(tx, action)
  return success
})

export const handler = lambda(create, bulkCreate, list, get, update, remove)
