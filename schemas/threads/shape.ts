import * as z from 'zod'
import { AnyObject } from '../kit/any-object.ts'
import { Id, Time } from '../kit/ids.ts'

export const MAX_THREAD_BYTES = 64 * 1024
export const MAX_MESSAGE_BYTES = 300 * 1024

export const ThreadStatus = z.enum(['ready', 'active', 'error'])

export const Thread = z.object({
  id: Id,
  resourceId: Id,
  metadata: AnyObject.optional(),
  source: z.string().optional(),
  state: AnyObject.optional(),
  status: ThreadStatus,
  createdAt: Time,
  updatedAt: Time,
})
export type Thread = z.infer<typeof Thread>
export const MessageRole = z.enum(['system', 'user', 'assistant', 'tool'])

export const Message = z.object({
  id: Id,
  threadId: Id,
  messageId: z.string().optional(),
  role: MessageRole,
  content: AnyObject,
  parts: z.array(AnyObject).optional(),
  annotations: z.array(AnyObject).optional(),
  state: AnyObject.optional(),
  metadata: AnyObject.optional(),
  createdAt: Time,
  updatedAt: Time,
})
