/** Stored standalone actions, listed by space and by target. */

import * as z from 'zod'
import * as actions from '../../schemas/actions/events.ts'
import { Action, MAX_ACTION_BYTES } from '../../schemas/actions/shape.ts'
import { Id, Time } from '../../schemas/kit/ids.ts'
import { message } from '../../schemas/messages/index.ts'
import { tooLarge } from '../core/errors.ts'
import { parseKind } from '../core/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'

const Shape = z.object({
  id: Id,
  accountId: Id,
  environmentId: Id,
  spaceId: Id,
  targetId: Id,
  workbookId: Id.optional(),
  sheetId: Id.optional(),
  namespaces: Namespaces,
  config: Action,
  createdAt: Time,
  updatedAt: Time,
})

const stored = entity({
  name: 'action',
  shape: Shape,
  by: { inSpace: { index: 'gsi1', of: ['spaceId'] }, onTarget: { index: 'gsi2', of: ['targetId'] } },
})
export type StoredAction = Stored<typeof Shape>
export type NewAction = z.infer<typeof Shape>

export const Actions = {
  ...stored,
  inSpace: (spaceId: string): Promise<StoredAction[]> => stored.list('inSpace', { spaceId }),
  onTarget: (targetId: string): Promise<StoredAction[]> => stored.list('onTarget', { targetId }),
}

export const toAction = ({ config, id, targetId, createdAt, updatedAt }: NewAction) => ({
  ...config,
  id,
  targetId,
  createdAt,
  updatedAt,
})

const NON_CONFIG_FIELDS = new Set(['id', 'targetId', 'createdAt', 'updatedAt'])

/** Clients send back the whole action they read, so the other fields are dropped. */
export const extractConfig = <T extends object>(body: T): T =>
  Object.fromEntries(
    Object.entries(body).filter(([key, value]) => !NON_CONFIG_FIELDS.has(key) && value !== undefined),
  ) as T

export function assertActionFits({ config }: NewAction): void {
  const bytes = JSON.stringify(config).length
  if (bytes > MAX_ACTION_BYTES) throw tooLarge(message('requests.actionTooLarge', { limit: MAX_ACTION_BYTES, bytes }))
}

/** The specification's CACT. */
export const actionContext = (action: NewAction) => ({
  environmentId: action.environmentId,
  spaceId: action.spaceId,
  actionId: action.id,
  ...(action.workbookId ? { workbookId: action.workbookId } : {}),
  ...(action.sheetId ? { sheetId: action.sheetId } : {}),
})

const getActionName = ({ config }: NewAction): string => config.operation ?? config.slug ?? config.label

export const actionPayload = (action: NewAction) => {
  const { label, description, type } = action.config
  return {
    actionId: action.id,
    name: getActionName(action),
    label,
    ...(description ? { description } : {}),
    type: typeof type === 'string' ? type : (parseKind(action.targetId) ?? 'action'),
  }
}

export function removeAction(tx: Tx, action: StoredAction): void {
  tx.write(stored.remove(action))
  const { id: actionId, namespaces } = action
  tx.emit(actions.deleted, actionContext(action), { actionId, name: getActionName(action) }, { namespaces })
}
