/** Records each agent run. Lambda calls it after the last retry, on success and failure. */

import { recordRun } from '../../lib/agents/executions.ts'
import { InvocationRecord } from '../../lib/agents/invocation-record.ts'
import { log } from '../../lib/core/log.ts'
import { recordMetrics } from '../../lib/core/metrics.ts'
import { handleEvent } from '../../lib/events/bus-handler.ts'

export const handler = handleEvent(async (record: unknown): Promise<void> => {
  const parsed = InvocationRecord.safeParse(record)
  if (!parsed.success)
    return log.warn('Not an agent invocation record', {
      problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    })
  const run = await recordRun(parsed.data)
  if (!run) return
  const { agentId, eventId, topic, success, duration } = run
  log.info('Agent run recorded', { agentId, eventId, topic, success, ms: duration })
  recordMetrics({ AgentRuns: 1, AgentFailures: success ? 0 : 1 })
})
