/**
 * What Lambda tells of a finished run (its invocation record, success or failure after all attempts) as an execution.
 * Pure. The response comes from the agent's own process and is taken for what it is: text of bounded length.
 * Format: https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
 */
import * as z from 'zod'
import type { Event } from '../../schemas/events.ts'
import { Event as EventShape } from '../../schemas/events.ts'
import { derivedId } from '../core/ids.ts'
import { type NewExecution, RETENTION_DAYS } from '../entities/executions.ts'
import { firstIdAt, timeOfEventId } from '../events/ids.ts'
import { redacted } from './runtime/redact.ts'
import { REPORT_MARK } from './runtime/report.ts'

const LOG_CHARACTERS = 200_000
const ERROR_CHARACTERS = 4_000
const STACK_CHARACTERS = 16_000
const DAY_SECONDS = 86_400

export const InvocationRecord = z.object({
  timestamp: z.string(),
  requestContext: z.object({
    functionArn: z.string(),
    condition: z.string(),
    approximateInvokeCount: z.number().optional(),
  }),
  /** The bus's envelope; `detail` is our event. */
  requestPayload: z.object({ detail: EventShape }),
  responsePayload: z.unknown().optional(),
})
export type InvocationRecord = z.infer<typeof InvocationRecord>

const count = z.number().nonnegative().catch(0)
const Report = z.object({
  log: z.string().catch(''),
  startedAt: z.iso.datetime().optional().catch(undefined),
  duration: count,
  memory: count.optional(),
  requestCount: count.optional(),
  requestTime: count.optional(),
  bytesReceived: count.optional(),
  bytesSent: count.optional(),
})
type Report = z.infer<typeof Report>

const Failure = z.object({
  errorType: z.string().catch('Error'),
  errorMessage: z.string().catch('The function failed and did not say why.'),
  trace: z.array(z.string()).catch([]),
})

export interface Outcome {
  execution: NewExecution
  log: string
}

/** The id of an agent's run of an event: the same for every report of it, in the order of the events. */
export const executionId = (agentId: string, event: EventTime): string =>
  derivedId('execution', { time: timeOf(event), sequence: 0, of: `${agentId}#${event.id}` })

/** Bounds of the ids of every run of an event, exclusive. */
export const executionsOf = (event: EventTime): { after: string; before: string } => ({
  after: firstIdAt(new Date(timeOf(event)), 'execution'),
  before: firstIdAt(new Date(timeOf(event) + 1), 'execution'),
})

type EventTime = Pick<Event, 'id' | 'createdAt'>
const timeOf = ({ id, createdAt }: EventTime): number => timeOfEventId(id) ?? Date.parse(createdAt)

/**
 * The run as it is stored. Its environment is the agent's, whatever the response claims.
 * @param secrets values that may not stand in what is kept
 */
export function outcomeOf(record: InvocationRecord, agentId: string, secrets: readonly string[] = []): Outcome {
  const { timestamp, requestContext, requestPayload, responsePayload } = record
  const event = requestPayload.detail
  const success = requestContext.condition === 'Success'
  const shown = (text: string) => redacted(text, secrets)
  const error = success ? undefined : shown(errorOf(record))
  const stack = success ? undefined : stackOf(responsePayload)
  const report = reportIn(success ? responsePayload : lastReport(responsePayload))
  const startedAt = report?.startedAt
  const execution: NewExecution = {
    id: executionId(agentId, event),
    agentId,
    accountId: event.context.accountId,
    environmentId: event.context.environmentId,
    spaceId: event.context.spaceId,
    eventId: event.id,
    topic: event.topic,
    context: event.context,
    namespaces: event.namespaces,
    success,
    error,
    errorStack: stack && shown(stack).slice(0, STACK_CHARACTERS),
    attempts: requestContext.approximateInvokeCount,
    createdAt: startedAt ?? event.createdAt,
    completedAt: startedAt ? new Date(Date.parse(startedAt) + report.duration).toISOString() : timestamp,
    duration: report?.duration ?? 0,
    queueLag: startedAt ? Math.max(0, Date.parse(startedAt) - Date.parse(event.createdAt)) : undefined,
    memoryUsage: report?.memory,
    requestCount: report?.requestCount,
    requestTime: report?.requestTime,
    bytesReceived: report?.bytesReceived,
    bytesSent: report?.bytesSent,
    expires: Math.floor(Date.parse(timestamp) / 1000) + RETENTION_DAYS * DAY_SECONDS,
  }
  return { execution, log: shown(report?.log || error || '').slice(0, LOG_CHARACTERS) }
}

function reportIn(payload: unknown): Report | undefined {
  const parsed = Report.safeParse(payload)
  return parsed.success ? parsed.data : undefined
}

/** The report a failed run put at the end of its trace; undefined when it had no time to. */
function lastReport(payload: unknown): unknown {
  const line = Failure.safeParse(payload).data?.trace.findLast((each) => each.startsWith(REPORT_MARK))
  if (line === undefined) return undefined
  try {
    return JSON.parse(line.slice(REPORT_MARK.length))
  } catch {
    return undefined
  }
}

/** The trace of the error, its places those of the original source where the bundle came with a source map. */
const stackOf = (payload: unknown): string | undefined =>
  Failure.safeParse(payload)
    .data?.trace.filter((line) => !line.startsWith(REPORT_MARK))
    .join('\n') || undefined

function errorOf({ requestContext, responsePayload }: InvocationRecord): string {
  if (requestContext.condition === 'EventAgeExceeded')
    return 'The event became too old before the agent could be called.'
  const failure = Failure.safeParse(responsePayload).data
  const text = failure
    ? `${failure.errorType}: ${failure.errorMessage}`
    : `The function could not be called: ${requestContext.condition}.`
  return text.slice(0, ERROR_CHARACTERS)
}
