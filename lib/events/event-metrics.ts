/** Metrics derived from published events: their lag and imports. */
import type { Event } from '../../schemas/events/shape.ts'
import { type Metric, recordMetrics } from '../core/metrics.ts'

const EXTRACTION = 'file:extract'

export function recordPublication(events: readonly Event[], now: Date): void {
  if (events.length === 0) return
  const oldest = Math.min(...events.map(({ createdAt }) => Date.parse(createdAt)))
  const metrics: Partial<Record<Metric, number>> = { EventLag: Math.max(0, now.getTime() - oldest) }
  for (const [metric, count] of events.flatMap(countImports)) metrics[metric] = (metrics[metric] ?? 0) + count
  recordMetrics(metrics)
}

function countImports({ topic, payload }: Event): [Metric, number][] {
  const { recordCount, job } = (payload ?? {}) as { recordCount?: unknown; job?: unknown }
  if (topic === 'records:created' && typeof recordCount === 'number') return [['Rows', recordCount]]
  if (job !== EXTRACTION) return []
  if (topic === 'job:completed') return [['Imports', 1]]
  return topic === 'job:failed' ? [['ImportsFailed', 1]] : []
}
