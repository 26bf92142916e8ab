/** The bus, as events are put on it. Whoever only reads never loads its client: `publish.ts` imports this on demand. */
import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge'
import { clientDefaults } from '../core/cloud.ts'
import { env } from '../core/env.ts'

const client = new EventBridgeClient(clientDefaults())

/** An event as the bus takes it. */
export type Entry = Required<Pick<PutEventsRequestEntry, 'Source' | 'DetailType' | 'Detail'>> &
  Pick<PutEventsRequestEntry, 'Resources'>

/** @returns for each entry its id on the bus, or why it was refused */
export async function putEvents(entries: readonly Entry[]): Promise<PutEventsResultEntry[]> {
  const { BUS_NAME: EventBusName } = env()
  const { Entries = [] } = await client.send(
    new PutEventsCommand({ Entries: entries.map((entry) => ({ EventBusName, ...entry })) }),
  )
  return Entries
}
