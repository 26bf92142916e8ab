/** What events say of how the platform does: how late they come, and what was imported. */
import type { Event } from '../../schemas/events.ts'
import { REPLAYED } from '../core/log.ts'
import { type Metric, measure } from '../core/metrics.ts'

const EXTRACTION = 'file:extract'

/** Measures an event that has arrived. One that is delivered twice counts twice, which is rare; a replay counts nothing. */
export function measureArrival(event: Event, resources: readonly string[], now: Date): void {
  if (resources.includes(REPLAYED)) return
  measure({ EventLag: Math.max(0, now.getTime() - Date.parse(event.createdAt)), ...countsOf(event) })
}

function countsOf({ topic, payload }: Event): Partial<Record<Metric, number>> {
  const { recordCount, job } = payload as { recordCount?: unknown; job?: unknown }
  if (topic === 'records:created' && typeof recordCount === 'number') return { Rows: recordCount }
  if (job !== EXTRACTION) return {}
  if (topic === 'job:completed') return { Imports: 1 }
  return topic === 'job:failed' ? { ImportsFailed: 1 } : {}
}
