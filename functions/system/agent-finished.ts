/** Where Lambda reports each agent's run, good or bad, once its retries are over: writes it down. */
import { InvocationRecord } from '../../lib/agents/outcome.ts'
import { recordRun } from '../../lib/agents/runs.ts'
import { log } from '../../lib/core/log.ts'
import { measure } from '../../lib/core/metrics.ts'
import { followUp } from '../../lib/events/follow-up.ts'

export const handler = followUp(async (record: unknown): Promise<void> => {
  const parsed = InvocationRecord.safeParse(record)
  // A function called by hand, with something that is no event of ours, has no run to show.
  if (!parsed.success)
    return log.warn('Not the record of an agent run', {
      problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    })
  const run = await recordRun(parsed.data)
  if (!run) return
  const { agentId, eventId, topic, success, duration } = run
  log.info('An agent ran', { agentId, eventId, topic, success, ms: duration })
  measure({ AgentRuns: 1, AgentFailures: success ? 0 : 1 })
})
