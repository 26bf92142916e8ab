/** Propagates a job's transition or deletion to its successors, parent and parts. Forged events have no effect. */
import type { EventBridgeEvent } from 'aws-lambda'
import { Jobs } from '../../lib/entities/jobs.ts'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import { advanceParent, propagate, removeDependents } from '../../lib/jobs/dependencies/propagate.ts'
import { Event } from '../../schemas/events/shape.ts'

export const handler = handleEvent(
  async ({ detail }: Pick<EventBridgeEvent<string, unknown>, 'detail'>): Promise<void> => {
    const { accountId, environmentId, spaceId, jobId, parentId, parts, successors } = Event.parse(detail).context
    if (jobId === undefined) return
    const job = await Jobs.get(jobId)
    if (job) return propagate(job)
    if ((parts ?? successors) !== undefined) await removeDependents({ jobId, accountId, environmentId, spaceId })
    if (typeof parentId === 'string') await advanceParent(parentId)
  },
)
