import * as z from 'zod'
import { Empty, EnvironmentContext, FieldChange } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

const eventPayload = { environmentId: Id, name: z.string(), slug: z.string(), isProd: z.boolean() }
export const created = topic('environment:created', {
  when: 'an environment is created',
  payload: z.object(eventPayload),
  context: EnvironmentContext,
})
export const updated = topic('environment:updated', {
  when: 'an environment is updated',
  payload: z.object({ environmentId: Id, changes: z.array(FieldChange) }),
  context: EnvironmentContext,
})
export const deleted = topic('environment:deleted', {
  when: 'an environment is deleted',
  payload: z.object({ environmentId: Id, deletedAt: z.string(), deletedBy: z.string() }),
  context: EnvironmentContext,
})
export const autobuildCreated = topic('environment:autobuild-created', {
  when: 'an autobuild configuration is created or replaced',
  payload: Empty,
  context: z.looseObject({ ...EnvironmentContext.shape, appId: Id.optional() }),
})
