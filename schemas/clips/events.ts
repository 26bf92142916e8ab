import * as z from 'zod'
import { Empty } from '../kit/context.ts'
import { Id, Time } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

const ClipContext = z.looseObject({
  accountId: Id,
  environmentId: Id,
  spaceId: Id,
  dataClipId: Id,
  actorId: Id.optional(),
})
const clipEvent = { payload: z.object({ dataClipId: Id, accountId: Id, status: z.string() }), context: ClipContext }

export const created = topic('data-clip:created', { when: 'a data clip is created', ...clipEvent })
export const updated = topic('data-clip:updated', {
  when: 'a data clip is updated or merged',
  ...clipEvent,
})
export const deleted = topic('data-clip:deleted', { when: 'a data clip is deleted', ...clipEvent })
export const collaboratorUpdated = topic('data-clip:collaborator-updated', {
  when: 'collaborators are added to or removed from a data clip',
  payload: z.object({
    dataClipId: Id,
    collaborators: z.array(z.string()),
    changes: z.array(z.object({ action: z.enum(['added', 'removed']), userId: z.string() })),
  }),
  context: ClipContext,
})

const resolution = { conflictId: z.string(), resolution: z.unknown(), resolvedBy: z.string() }
export const resolutionsCreated = topic('data-clip:resolutions-created', {
  when: 'conflicts of a data clip are resolved',
  payload: z.object({ dataClipId: Id, resolutions: z.array(z.object(resolution)) }),
  context: ClipContext,
})
export const resolutionsUpdated = topic('data-clip:resolutions-updated', {
  when: 'decisions on conflicts of a data clip are updated',
  payload: z.object({
    dataClipId: Id,
    resolutions: z.array(z.object({ ...resolution, updatedAt: Time })),
    changes: z.array(z.object({ conflictId: z.string(), previousResolution: z.unknown(), newResolution: z.unknown() })),
  }),
  context: ClipContext,
})
export const resolutionsRefreshed = topic('data-clip:resolutions-refreshed', {
  when: 'the decisions of a data clip are compared again with the values of the clip and its source',
  payload: Empty,
  context: ClipContext,
})
