/** Endpoints for actions stored as separate resources; others are part of a resource's configuration. */
import * as z from 'zod'
import { Action } from './action.ts'
import { FieldChange, SpaceContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Id, scoped, Time } from './ids.ts'
import { message } from './messages/index.ts'
import { nullish } from './nullish.ts'
import { data, Success } from './page.ts'
import { topic } from './topic.ts'

export const MAX_ACTION_BYTES = 64 * 1024
export const MAX_ACTIONS_PER_CALL = 40

const isWithinSizeLimit = (action: object): boolean => JSON.stringify(action).length <= MAX_ACTION_BYTES
const tooLargeMessage = message('actions.tooLarge', { limit: MAX_ACTION_BYTES })
const nameShape = { operation: nullish(z.string().max(500)), slug: nullish(z.string().max(500)) }
const Config = Action.extend({
  ...nameShape,
  label: z.string().max(500),
  targetId: scoped('space', 'workbook', 'sheet', 'file', 'document'),
})
const ActionConfig = Config.refine(isWithinSizeLimit, tooLargeMessage)

export const StandAloneAction = Action.extend({
  id: Id,
  targetId: Id,
  createdAt: Time,
  updatedAt: Time,
})

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

const context = z.looseObject({
  ...SpaceContext.shape,
  actionId: Id,
  workbookId: Id.optional(),
  sheetId: Id.optional(),
})
const eventPayload = {
  actionId: Id,
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  type: z.string(),
}
export const created = topic('action:created', {
  when: 'a separate action is created',
  payload: z.object(eventPayload),
  context,
})
export const updated = topic('action:updated', {
  when: 'a separate action is updated',
  payload: z.object({ ...eventPayload, changes: z.array(FieldChange) }),
  context,
})
export const deleted = topic('action:deleted', {
  when: 'a separate action is deleted',
  payload: z.object({ actionId: Id, name: z.string() }),
  context,
})
