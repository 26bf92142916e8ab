/** Whether the bus takes events. */
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { clientDefaults } from '../core/cloud.ts'
import { env } from '../core/env.ts'

const bus = new EventBridgeClient(clientDefaults())

/** Puts an event that no rule listens to: every rule of the platform names the source `wharf`. @throws when it is refused */
export async function takesEvents(): Promise<void> {
  const entry = { EventBusName: env().BUS_NAME, Source: 'wharf.health', DetailType: 'health', Detail: '{}' }
  const { Entries = [] } = await bus.send(new PutEventsCommand({ Entries: [entry] }))
  const [answer] = Entries
  if (!answer?.EventId) throw new Error(`The bus refused an event: ${answer?.ErrorCode}`)
}
