/** On job:ready: performs the job when its operation is the platform's own; every other job is left to listeners and agents. */
import { randomUUID } from 'node:crypto'
import type { Context, EventBridgeEvent } from 'aws-lambda'
import { followUp } from '../../lib/events/follow-up.ts'
import { platformLater } from '../../lib/events/later.ts'
import { type RunResult, runJob } from '../../lib/jobs/run.ts'
import type { Event } from '../../schemas/events.ts'

/** Time kept back to tell that the job has failed before Lambda ends the invocation. */
const RESERVE_MS = 20_000

export const handler = followUp(
  async (
    event: Pick<EventBridgeEvent<string, Event>, 'detail'>,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<RunResult> => {
    const { jobId } = event.detail.context
    if (jobId === undefined) return 'left'
    return runJob(jobId, {
      owner: randomUUID(),
      deadline: Date.now() + context.getRemainingTimeInMillis() - RESERVE_MS,
      goOn: () => platformLater('run-job', event),
    })
  },
)
