/** PutEvents: resolves when all matched deliveries are durable. */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { parseInput, validationError } from '../lambda/wire.ts'
import { ACCOUNT_ID, REGION } from '../service.ts'
import type { Bus } from './buses.ts'
import type { EventBridgeComponents } from './components.ts'
import { type BusEvent, deliver, formatEventTime } from './delivery.ts'
import { createEventFields } from './event-fields.ts'

const MAX_BYTES_PER_REQUEST = 256 * 1024
const TIME_BYTES = 14

const entryInput = z.object({
  Detail: z.string().optional(),
  DetailType: z.string().optional(),
  EventBusName: z.string().optional(),
  Resources: z.array(z.string()).default([]),
  Source: z.string().optional(),
  Time: z.number().optional(),
})
const putEventsInput = z.object({
  Entries: z
    .array(entryInput)
    .min(1, 'Member must have length greater than or equal to 1')
    .max(10, 'Member must have length less than or equal to 10'),
})

type Entry = z.output<typeof entryInput>
type Result = { EventId: string } | { ErrorCode: string; ErrorMessage: string }

export async function putEvents(components: EventBridgeComponents, input: unknown) {
  const { Entries } = parseInput(putEventsInput, input)
  if (Entries.reduce((bytes, entry) => bytes + measureEntry(entry), 0) > MAX_BYTES_PER_REQUEST) {
    throw validationError('Total size of the entries in the request is over the limit.')
  }
  const results = await Promise.all(Entries.map((entry) => putEvent(components, entry)))
  return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results }
}

/** AWS's formula: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html */
function measureEntry({ Time, Source = '', DetailType = '', Detail = '', Resources }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources]
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), Time === undefined ? 0 : TIME_BYTES)
}

async function putEvent(components: EventBridgeComponents, entry: Entry): Promise<Result> {
  const missing = (['Source', 'DetailType', 'Detail'] as const).find((name) => !entry[name])
  if (missing) {
    return toFailure('InvalidArgument', `Parameter ${missing} is not valid. Reason: ${missing} is a required argument.`)
  }
  if (entry.Source!.startsWith('aws.')) return toFailure('NotAuthorizedForSource', 'Not authorized for the source.')
  const detail = parseDetail(entry.Detail!)
  if (!detail) return toFailure('MalformedDetail', 'Detail is malformed.')
  const bus = components.buses.find(entry.EventBusName)
  // AWS accepts and drops such an event, which in local development would hide a mistake.
  if (!bus) return toFailure('InvalidArgument', `Event bus ${entry.EventBusName} does not exist.`)
  const event = buildEvent(entry, detail, components.now())
  return publish(components, bus, event)
}

async function publish(components: EventBridgeComponents, bus: Bus, event: BusEvent): Promise<Result> {
  const fields = createEventFields(event)
  const matchingRules = Object.values(bus.rules).filter(
    (rule) => rule.state !== 'DISABLED' && components.buses.getPatternTest(rule)?.(fields),
  )
  try {
    await Promise.all(matchingRules.map((rule) => deliver(components.lambda, rule, event)))
    return { EventId: event.id }
  } catch (error) {
    return toFailure('InternalFailure', `The event could not be stored: ${(error as Error).message}`)
  }
}

const buildEvent = ({ Source, DetailType, Resources, Time }: Entry, detail: object, now: Date): BusEvent => ({
  version: '0',
  id: randomUUID(),
  'detail-type': DetailType!,
  source: Source!,
  account: ACCOUNT_ID,
  time: formatEventTime(Time === undefined ? now : new Date(Time * 1000)),
  region: REGION,
  resources: Resources,
  detail,
})

function parseDetail(text: string): object | undefined {
  try {
    const detail = JSON.parse(text) as unknown
    return typeof detail === 'object' && detail !== null && !Array.isArray(detail) ? detail : undefined
  } catch {
    return undefined
  }
}

const toFailure = (ErrorCode: string, ErrorMessage: string): Result => ({ ErrorCode, ErrorMessage })
