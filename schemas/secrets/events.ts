import * as z from 'zod'
import { EnvironmentContext, IdOrEmpty } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

const secretEvent = {
  payload: z.object({
    secretId: Id,
    spaceId: IdOrEmpty.describe('Id of a space; empty for a secret of the whole environment.'),
    environmentId: Id,
  }),
  context: z.looseObject({ ...EnvironmentContext.shape, spaceId: Id.optional() }),
}
export const created = topic('secret:created', { when: 'a secret is created', ...secretEvent })
export const updated = topic('secret:updated', { when: 'the value of a secret changes', ...secretEvent })
export const deleted = topic('secret:deleted', { when: 'a secret is deleted', ...secretEvent })
