/** Every event as it comes off the bus: one that comes late is marked for those who follow the lists. */
import type { EventBridgeEvent } from 'aws-lambda'
import { markLate } from '../../lib/events/late.ts'
import { Event } from '../../schemas/events.ts'

export async function handler({ detail }: EventBridgeEvent<string, unknown>): Promise<void> {
  await markLate(Event.parse(detail))
}
