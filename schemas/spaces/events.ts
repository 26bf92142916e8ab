import * as z from 'zod'
import { Empty, EnvironmentContext, FieldChange, SpaceContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

export const created = topic('space:created', {
  when: 'a space is created',
  payload: z.object({ spaceId: Id, environmentId: Id, name: z.string(), appId: z.string().optional() }),
  context: SpaceContext,
})
export const updated = topic('space:updated', {
  when: 'a space changes',
  payload: z.object({ spaceId: Id, environmentId: Id, changes: z.array(FieldChange) }),
  context: SpaceContext,
})
export const deleted = topic('space:deleted', {
  when: 'a space is deleted',
  payload: Empty,
  context: z.looseObject({ ...SpaceContext.shape, workbookId: Id.optional() }),
})
export const archived = topic('space:archived', {
  when: 'a space is archived',
  payload: Empty,
  context: z.looseObject({ ...EnvironmentContext.shape, spaceId: Id }),
})
export const unarchived = topic('space:unarchived', {
  when: 'an archived space becomes active again',
  payload: Empty,
  context: SpaceContext,
})
export const expired = topic('space:expired', {
  when: 'a space expires under a data retention policy',
  payload: Empty,
  context: z.looseObject({ ...SpaceContext.shape, workbookId: Id.optional() }),
})
