import * as z from 'zod'
import { EnvironmentContext } from '../kit/context.ts'
import { Id } from '../kit/ids.ts'
import { topic } from '../kit/topic.ts'

const eventShape = {
  payload: z.object({ agentId: Id, environmentId: Id }),
  context: z.looseObject({ ...EnvironmentContext.shape, agentId: Id }),
}
export const created = topic('agent:created', { when: 'an agent is deployed', ...eventShape })
export const updated = topic('agent:updated', {
  when: 'a new version of an agent is deployed, or it is disabled or enabled',
  ...eventShape,
})
export const deleted = topic('agent:deleted', { when: 'an agent is deleted', ...eventShape })
