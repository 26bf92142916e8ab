import * as z from 'zod'
import { Empty, FieldChange, SpaceContext } from '../kit/context.ts'
import { Id, Time } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

const context = z.looseObject({ ...SpaceContext.shape, threadId: Id })
const threadPayload = { threadId: Id, title: z.string().optional(), status: z.string() }
export const created = topic('thread:created', {
  when: 'a thread is created',
  payload: z.object({ ...threadPayload, createdAt: Time }),
  context,
})
export const updated = topic('thread:updated', {
  when: 'a thread is changed',
  payload: z.object({ ...threadPayload, changes: z.array(FieldChange) }),
  context,
})
export const deleted = topic('thread:deleted', { when: 'a thread is deleted', payload: Empty, context })
