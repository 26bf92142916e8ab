/** Runs the platform's own operations on job:ready, parts of them and of reads, and updates of tables. Other jobs are left to listeners and agents. */
import { randomUUID } from 'node:crypto'
import type { Context, EventBridgeEvent } from 'aws-lambda'
import { handleEvent } from '../../lib/events/bus-handler.ts'
import { invokePlatformFunction } from '../../lib/events/invoke-async.ts'
import type { Part } from '../../lib/jobs/parts/part.ts'
import type { PartOutcome } from '../../lib/jobs/parts/perform-part.ts'
import { type RunResult, runJob } from '../../lib/jobs/run/run-job.ts'
import type { TableUpdate } from '../../lib/tables/update.ts'
import type { Event } from '../../schemas/events/shape.ts'

/** Time reserved to fail the job before Lambda ends the invocation. */
const RESERVE_MS = 20_000

export const handler = handleEvent(
  async (
    event:
      | Pick<EventBridgeEvent<string, Event>, 'detail'>
      | { tableUpdate: { sheetId: string; claim: string } }
      | { part: Part },
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<RunResult | TableUpdate | PartOutcome> => {
    if ('part' in event) {
      const { performPart } = await import('../../lib/jobs/parts/perform-part.ts')
      return performPart(event.part)
    }
    if ('tableUpdate' in event) {
      const { updateTable } = await import('../../lib/tables/update.ts')
      return updateTable(event.tableUpdate.sheetId, event.tableUpdate.claim)
    }
    const { jobId } = event.detail.context
    if (jobId === undefined) return 'left'
    return runJob(jobId, {
      owner: randomUUID(),
      deadline: Date.now() + context.getRemainingTimeInMillis() - RESERVE_MS,
      startNextRun: () => invokePlatformFunction('run-job', event),
    })
  },
)
