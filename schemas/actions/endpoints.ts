/** Endpoints for actions stored as separate resources; others are part of a resource's configuration. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, scoped } from '../kit/ids.ts'
import { nullish } from '../kit/nullish.ts'
import { data, Success } from '../kit/page.ts'
import { message } from '../messages/index.ts'
import { Action, MAX_ACTION_BYTES, MAX_ACTIONS_PER_CALL, StandAloneAction } from './shape.ts'

const isWithinSizeLimit = (action: object): boolean => JSON.stringify(action).length <= MAX_ACTION_BYTES
const tooLargeMessage = message('actions.tooLarge', { limit: MAX_ACTION_BYTES })
const nameShape = { operation: nullish(z.string().max(500)), slug: nullish(z.string().max(500)) }
const Config = Action.extend({
  ...nameShape,
  label: z.string().max(500),
  targetId: scoped('space', 'workbook', 'sheet', 'file', 'document'),
})
const ActionConfig = Config.refine(isWithinSizeLimit, tooLargeMessage)

const spaceScope = {
  policy: { on: 'space', at: 'query.spaceId' },
  query: z.object({ spaceId: scoped('space') }),
} as const
const config = { targetId: '{sheetId}', operation: 'submit', label: 'Submit', mode: 'foreground' }

export const create = endpoint({
  id: 'actions.create',
  method: 'POST',
  path: '/actions',
  summary: 'Creates an action on a resource in a space',
  policy: { can: 'actions:write', ...spaceScope.policy },
  query: spaceScope.query,
  body: ActionConfig,
  reply: data(StandAloneAction),
  errors: ['not-found'],
  example: { query: { spaceId: '{spaceId}' }, body: config },
})
export const bulkCreate = endpoint({
  id: 'actions.bulkCreate',
  method: 'POST',
  path: '/actions/bulk',
  summary: `Creates up to ${MAX_ACTIONS_PER_CALL} actions, all or none`,
  description: 'The response is a plain list.',
  policy: { can: 'actions:write', ...spaceScope.policy },
  query: spaceScope.query,
  body: z.array(ActionConfig).max(MAX_ACTIONS_PER_CALL),
  reply: z.array(StandAloneAction),
  errors: ['not-found'],
  example: { query: { spaceId: '{spaceId}' }, body: [config] },
})
export const listed = endpoint({
  id: 'actions.list',
  method: 'GET',
  path: '/actions',
  summary: "Lists a space's actions, oldest first",
  description: 'The response is a plain list. Actions in the configuration of a resource are not included.',
  policy: { can: 'actions:read', ...spaceScope.policy },
  query: spaceScope.query,
  reply: z.array(StandAloneAction),
  also: ['large'],
  example: { query: { spaceId: '{spaceId}' } },
})

const params = z.object({ actionId: Id })
const idPath = 'params.actionId'
const example = { params: { actionId: '{actionId}' } }

export const get = endpoint({
  id: 'actions.get',
  method: 'GET',
  path: '/actions/{actionId}',
  summary: 'Reads an action',
  policy: { can: 'actions:read', on: 'action', at: idPath },
  params,
  reply: data(StandAloneAction),
  example,
})
export const update = endpoint({
  id: 'actions.update',
  method: 'PATCH',
  path: '/actions/{actionId}',
  summary: 'Updates an action; omitted properties are unchanged',
  policy: { can: 'actions:write', on: 'action', at: idPath },
  params,
  body: Action.extend({ ...nameShape, label: nullish(z.string().max(500)) }).refine(isWithinSizeLimit, tooLargeMessage),
  reply: data(StandAloneAction),
  errors: ['too-large'],
  example: { ...example, body: { label: 'Send' } },
})
export const remove = endpoint({
  id: 'actions.remove',
  method: 'DELETE',
  path: '/actions/{actionId}',
  summary: 'Deletes an action',
  policy: { can: 'actions:write', on: 'action', at: idPath },
  params,
  reply: Success,
  example,
})
