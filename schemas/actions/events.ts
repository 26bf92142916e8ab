import * as z from 'zod'
import { FieldChange, SpaceContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

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
