/** Stored actions of their own, listed by space and by what carries them. */
import * as z from 'zod'
import { Action } from '../../schemas/action.ts'
import * as actions from '../../schemas/actions.ts'
import { Id, Time } from '../../schemas/ids.ts'
import { tooLarge } from '../core/errors.ts'
import { kindOf } from '../core/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import type { Tx } from '../tx.ts'
import { Namespaces } from './namespaces.ts'

const Shape = z.object({
  id: Id,
  accountId: Id,
  environmentId: Id,
  spaceId: Id,
  targetId: Id,
  /** Where its target is. */
  workbookId: Id.optional(),
  sheetId: Id.optional(),
  /** What listeners filter by: the namespaces of what it is about. */
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
  /** Oldest first. */
  inSpace: (spaceId: string): Promise<StoredAction[]> => stored.list('inSpace', { spaceId }),
  onTarget: (targetId: string): Promise<StoredAction[]> => stored.list('onTarget', { targetId }),
}

/** What leaves: the configuration, and the fields that are not its own to set. */
export const asAction = ({ config, id, targetId, createdAt, updatedAt }: NewAction) => ({
  ...config,
  id,
  targetId,
  createdAt,
  updatedAt,
})

const NOT_CONFIG = new Set(['id', 'targetId', 'createdAt', 'updatedAt'])

/** What of a body is configuration: clients send back what they read. */
export const configIn = <T extends object>(body: T): T =>
  Object.fromEntries(Object.entries(body).filter(([key, value]) => !NOT_CONFIG.has(key) && value !== undefined)) as T

/** Throws 413 for an action that has grown larger than one may be. */
export function assertActionFits({ config }: NewAction): void {
  const bytes = JSON.stringify(config).length
  if (bytes > actions.ACTION_BYTES)
    throw tooLarge(`An action may have ${actions.ACTION_BYTES} bytes as JSON; this one has ${bytes}.`)
}

/** CACT of the specification. */
export const actionContext = (action: NewAction) => ({
  environmentId: action.environmentId,
  spaceId: action.spaceId,
  actionId: action.id,
  ...(action.workbookId ? { workbookId: action.workbookId } : {}),
  ...(action.sheetId ? { sheetId: action.sheetId } : {}),
})

const nameOf = ({ config }: NewAction): string => config.operation ?? config.slug ?? config.label

/** The payload of its events. */
export const actionPayload = (action: NewAction) => {
  const { label, description, type } = action.config
  return {
    actionId: action.id,
    name: nameOf(action),
    label,
    ...(description ? { description } : {}),
    type: typeof type === 'string' ? type : (kindOf(action.targetId) ?? 'action'),
  }
}

export function removeAction(tx: Tx, action: StoredAction): void {
  tx.write(stored.remove(action))
  const { id: actionId, namespaces } = action
  tx.emit(actions.deleted, actionContext(action), { actionId, name: nameOf(action) }, { namespaces })
}
