/** Whether the bus takes events. */
import { putEvents } from './bus.ts'

/** Puts an event that no rule listens to: every rule of the platform names the source `wharf`. @throws when it is refused */
export async function takesEvents(): Promise<void> {
  const [answer] = await putEvents([{ Source: 'wharf.health', DetailType: 'health', Detail: '{}' }])
  if (!answer?.EventId) throw new Error(`The bus refused an event: ${answer?.ErrorCode}`)
}
