/**
 * The PutEvents operation: checks each entry, matches its event against the rules of its bus and answers only when all
 * that matched is durable. Knows nothing of how targets are run.
 */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { parseInput, validationError } from '../lambda/wire.ts'
import { ACCOUNT_ID, REGION } from '../service.ts'
import type { Bus } from './buses.ts'
import { type BusEvent, deliver, eventTime } from './delivery.ts'
import { fieldsOf } from './event-fields.ts'
import type { EventBridgeParts } from './parts.ts'

const REQUEST_LIMIT_BYTES = 256 * 1024
/** What AWS counts for an entry that gives its time. */
const TIME_BYTES = 14

const entryInput = z.object({
  Detail: z.string().optional(),
  DetailType: z.string().optional(),
  EventBusName: z.string().optional(),
  Resources: z.array(z.string()).default([]),
  Source: z.string().optional(),
  /** Seconds since 1970. */
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

export async function putEvents(parts: EventBridgeParts, input: unknown) {
  const { Entries } = parseInput(putEventsInput, input)
  if (Entries.reduce((bytes, entry) => bytes + entryBytes(entry), 0) > REQUEST_LIMIT_BYTES) {
    throw validationError('Total size of the entries in the request is over the limit.')
  }
  const results = await Promise.all(Entries.map((entry) => putEvent(parts, entry)))
  return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results }
}

/** AWS's formula: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html */
function entryBytes({ Time, Source = '', DetailType = '', Detail = '', Resources }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources]
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), Time === undefined ? 0 : TIME_BYTES)
}

async function putEvent(parts: EventBridgeParts, entry: Entry): Promise<Result> {
  const missing = (['Source', 'DetailType', 'Detail'] as const).find((name) => !entry[name])
  if (missing) {
    return failed('InvalidArgument', `Parameter ${missing} is not valid. Reason: ${missing} is a required argument.`)
  }
  if (entry.Source!.startsWith('aws.')) return failed('NotAuthorizedForSource', 'Not authorized for the source.')
  const detail = parseDetail(entry.Detail!)
  if (!detail) return failed('MalformedDetail', 'Detail is malformed.')
  const bus = parts.buses.find(entry.EventBusName)
  // AWS takes such an event and drops it, which on a developer's machine would only hide a mistake.
  if (!bus) return failed('InvalidArgument', `Event bus ${entry.EventBusName} does not exist.`)
  const event = eventOf(entry, detail, parts.now())
  return publish(parts, bus, event)
}

async function publish(parts: EventBridgeParts, bus: Bus, event: BusEvent): Promise<Result> {
  const fields = fieldsOf(event)
  const matched = Object.values(bus.rules).filter(
    (rule) => rule.state !== 'DISABLED' && parts.buses.test(rule)?.(fields),
  )
  try {
    await Promise.all(matched.map((rule) => deliver(parts.lambda, rule, event)))
    return { EventId: event.id }
  } catch (error) {
    return failed('InternalFailure', `The event could not be kept: ${(error as Error).message}`)
  }
}

const eventOf = ({ Source, DetailType, Resources, Time }: Entry, detail: object, now: Date): BusEvent => ({
  version: '0',
  id: randomUUID(),
  'detail-type': DetailType!,
  source: Source!,
  account: ACCOUNT_ID,
  time: eventTime(Time === undefined ? now : new Date(Time * 1000)),
  region: REGION,
  resources: Resources,
  detail,
})

/** A detail is a JSON object; anything else is malformed. */
function parseDetail(text: string): object | undefined {
  try {
    const detail = JSON.parse(text) as unknown
    return typeof detail === 'object' && detail !== null && !Array.isArray(detail) ? detail : undefined
  } catch {
    return undefined
  }
}

const failed = (ErrorCode: string, ErrorMessage: string): Result => ({ ErrorCode, ErrorMessage })
