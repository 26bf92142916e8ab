/** Metrics derived from events: delivery lag and imports. */
import type { Event } from '../../schemas/events/shape.ts'
import { REPLAYED_RESOURCE } from '../core/log.ts'
import { type Metric, recordMetrics } from '../core/metrics.ts'

const EXTRACTION = 'file:extract'

export function recordArrival(event: Event, resources: readonly string[], now: Date): void {
  if (resources.includes(REPLAYED_RESOURCE)) return
  recordMetrics({ EventLag: Math.max(0, now.getTime() - Date.parse(event.createdAt)), ...countImports(event) })
}

function countImports({ topic, payload }: Event): Partial<Record<Metric, number>> {
  const { recordCount, job } = payload as { recordCount?: unknown; job?: unknown }
  if (topic === 'records:created' && typeof recordCount === 'number') return { Rows: recordCount }
  if (job !== EXTRACTION) return {}
  if (topic === 'job:completed') return { Imports: 1 }
  return topic === 'job:failed' ? { ImportsFailed: 1 } : {}
}
