/** By the clock: publishes what a crash left between a write and the bus, of the table's events and of the sheets' logs. */
import type { ScheduledEvent } from 'aws-lambda'
import { publishLeftCommits } from '../../lib/commits/publish.ts'
import { log } from '../../lib/core/log.ts'
import { PENDING_GRACE_MS, publishPending } from '../../lib/events/sweep.ts'

/** `time` is the schedule's own clock. What one half meets does not hold up the other; it fails the run, which is repeated. */
export async function handler({ time }: Pick<ScheduledEvent, 'time'>): Promise<{ events: number; commits: number }> {
  const before = new Date(Date.parse(time) - PENDING_GRACE_MS)
  const [events, commits] = await Promise.allSettled([publishPending(before), publishLeftCommits(before)])
  if (events.status === 'rejected') throw events.reason
  if (commits.status === 'rejected') throw commits.reason
  const published = { events: events.value, commits: commits.value }
  if (published.events + published.commits > 0) log.warn('Published what was left pending', published)
  return published
}
