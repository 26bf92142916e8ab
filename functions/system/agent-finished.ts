/** Where Lambda reports each agent's run, good or bad, once its retries are over: writes it down. */
import { InvocationRecord } from '../../lib/agents/outcome.ts'
import { recordRun } from '../../lib/agents/runs.ts'
import { log } from '../../lib/core/log.ts'

export async function handler(record: unknown): Promise<void> {
  const parsed = InvocationRecord.safeParse(record)
  // A function called by hand, with something that is no event of ours, has no run to show.
  if (parsed.success) await recordRun(parsed.data)
  else
    log.warn('Not the record of an agent run', {
      problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    })
}
