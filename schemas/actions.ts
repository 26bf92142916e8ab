/**
 * Actions: buttons that create a job. Configured on spaces, workbooks, sheets, files and documents, or things of their
 * own that name what carries them.
 */
import * as z from 'zod'
import { Action } from './action.ts'
import { FieldChange, SpaceContext } from './context.ts'
import { endpoint } from './endpoint.ts'
import { Id, scoped, Time } from './ids.ts'
import { maybe } from './optional.ts'
import { data, Success } from './page.ts'
import { topic } from './topic.ts'

/** An action has at most this many bytes as JSON. */
export const ACTION_BYTES = 64 * 1024
/** Actions created in one call, in one transaction. */
export const ACTIONS_A_CALL = 40

const fits = (action: object): boolean => JSON.stringify(action).length <= ACTION_BYTES
const tooMany = `must be at most ${ACTION_BYTES} bytes as JSON`
/** Clients write `null` for what is not there. */
const named = { operation: maybe(z.string().max(500)), slug: maybe(z.string().max(500)) }
const Config = Action.extend({
  ...named,
  label: z.string().max(500),
  targetId: scoped('space', 'workbook', 'sheet', 'file', 'document'),
})
const ActionConfig = Config.refine(fits, tooMany)

/** An action of its own: as configured, and where it is. */
export const StandAloneAction = Action.extend({
  id: Id,
  /** What carries it: a space, workbook, sheet, file or document. */
  targetId: Id,
  createdAt: Time,
  updatedAt: Time,
})

const inSpace = { policy: { on: 'space', at: 'query.spaceId' }, query: z.object({ spaceId: scoped('space') }) } as const
const config = { targetId: '{sheetId}', operation: 'submit', label: 'Submit', mode: 'foreground' }

export const create = endpoint({
  id: 'actions.create',
  method: 'POST',
  path: '/actions',
  summary: 'Creates an action on something in a space',
  policy: { can: 'actions:write', ...inSpace.policy },
  query: inSpace.query,
  body: ActionConfig,
  reply: data(StandAloneAction),
  errors: ['not-found'],
  example: { query: { spaceId: '{spaceId}' }, body: config },
})
export const bulkCreate = endpoint({
  id: 'actions.bulkCreate',
  method: 'POST',
  path: '/actions/bulk',
  summary: `Creates up to ${ACTIONS_A_CALL} actions, all or none`,
  description: 'Answers the bare list.',
  policy: { can: 'actions:write', ...inSpace.policy },
  query: inSpace.query,
  body: z.array(ActionConfig).max(ACTIONS_A_CALL),
  reply: z.array(StandAloneAction),
  errors: ['not-found'],
  example: { query: { spaceId: '{spaceId}' }, body: [config] },
})
export const listed = endpoint({
  id: 'actions.list',
  method: 'GET',
  path: '/actions',
  summary: "Lists a space's actions, oldest first",
  description: 'Answers the bare list. Actions that are part of the configuration of a thing stand there, not here.',
  policy: { can: 'actions:read', ...inSpace.policy },
  query: inSpace.query,
  reply: z.array(StandAloneAction),
  also: ['large'],
  example: { query: { spaceId: '{spaceId}' } },
})

const params = z.object({ actionId: Id })
const at = 'params.actionId'
const example = { params: { actionId: '{actionId}' } }

export const get = endpoint({
  id: 'actions.get',
  method: 'GET',
  path: '/actions/{actionId}',
  summary: 'Reads an action',
  policy: { can: 'actions:read', on: 'action', at },
  params,
  reply: data(StandAloneAction),
  example,
})
export const update = endpoint({
  id: 'actions.update',
  method: 'PATCH',
  path: '/actions/{actionId}',
  summary: 'Changes an action; what is left out stays',
  policy: { can: 'actions:write', on: 'action', at },
  params,
  body: Action.extend({ ...named, label: maybe(z.string().max(500)) }).refine(fits, tooMany),
  reply: data(StandAloneAction),
  errors: ['too-large'],
  example: { ...example, body: { label: 'Send' } },
})
export const remove = endpoint({
  id: 'actions.remove',
  method: 'DELETE',
  path: '/actions/{actionId}',
  summary: 'Deletes an action',
  policy: { can: 'actions:write', on: 'action', at },
  params,
  reply: Success,
  example,
})

/** CACT of the specification, with the action. */
const context = z.looseObject({
  ...SpaceContext.shape,
  actionId: Id,
  workbookId: Id.optional(),
  sheetId: Id.optional(),
})
const described = {
  actionId: Id,
  /** Its operation. */
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  /** As configured, or the kind of what carries it. */
  type: z.string(),
}
export const created = topic('action:created', {
  when: 'an action of its own is created',
  payload: z.object(described),
  context,
})
export const updated = topic('action:updated', {
  when: 'an action of its own is changed',
  payload: z.object({ ...described, changes: z.array(FieldChange) }),
  context,
})
export const deleted = topic('action:deleted', {
  when: 'an action of its own is deleted',
  payload: z.object({ actionId: Id, name: z.string() }),
  context,
})
