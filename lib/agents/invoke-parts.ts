import type { Event } from '../../schemas/events/shape.ts'
import { mapConcurrent } from '../core/concurrency.ts'
import { truncateForBus } from '../events/claim-check.ts'
import { splitEvent } from '../events/commit-parts.ts'
import { invokeAsync } from '../events/invoke-async.ts'

const MAX_CONCURRENT_INVOCATIONS = 20

export async function invokeForParts(
  { functionName, recordsPerEvent }: { functionName: string; recordsPerEvent?: number | undefined },
  events: readonly Event[],
  envelope: object = { source: 'wharf' },
): Promise<void> {
  const parts = events.flatMap((event) => splitEvent(event, recordsPerEvent))
  await mapConcurrent(MAX_CONCURRENT_INVOCATIONS, parts, (event) =>
    invokeAsync(functionName, { ...envelope, 'detail-type': event.topic, detail: truncateForBus(event) }),
  )
}
