/**
 * When a job that has parts, is one, or has others after it, has moved or is gone: the next becomes ready, a parent learns
 * that all parts have ended, the parts of an ended parent are canceled and those of a removed one removed. An event that
 * somebody made up changes nothing: what is done follows from the jobs themselves.
 */
import type { EventBridgeEvent } from 'aws-lambda'
import { Jobs } from '../../lib/entities/jobs.ts'
import { followUp } from '../../lib/events/follow-up.ts'
import { advanceParent, removeFollowers, settle } from '../../lib/jobs/parts.ts'
import { Event } from '../../schemas/events.ts'

export const handler = followUp(
  async ({ detail }: Pick<EventBridgeEvent<string, unknown>, 'detail'>): Promise<void> => {
    const { accountId, environmentId, spaceId, jobId, parentId, parts, successors } = Event.parse(detail).context
    if (jobId === undefined) return
    const job = await Jobs.get(jobId)
    if (job) return settle(job)
    if ((parts ?? successors) !== undefined) await removeFollowers({ jobId, accountId, environmentId, spaceId })
    if (typeof parentId === 'string') await advanceParent(parentId)
  },
)
