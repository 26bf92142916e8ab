/** The EventBridge client, imported lazily: processes that only read do not need it. */
import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge'
import { createClient } from '../core/aws-client.ts'
import { env } from '../core/env.ts'

const client = createClient(EventBridgeClient)

export type BusEntry = Required<Pick<PutEventsRequestEntry, 'Source' | 'DetailType' | 'Detail'>> &
  Pick<PutEventsRequestEntry, 'Resources'>

export async function putEvents(entries: readonly BusEntry[]): Promise<PutEventsResultEntry[]> {
  const { BUS_NAME: EventBusName } = env()
  const { Entries = [] } = await client.send(
    new PutEventsCommand({ Entries: entries.map((entry) => ({ EventBusName, ...entry })) }),
  )
  return Entries
}
