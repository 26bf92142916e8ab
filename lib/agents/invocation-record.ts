/**
 * Converts Lambda's invocation record into an execution. The response is untrusted, so its length is limited. Pure.
 * Format: https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
 */
import * as z from 'zod'
import { type Event, Event as EventShape } from '../../schemas/events/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { deriveId } from '../core/ids.ts'
import { type NewExecution, RETENTION_SECONDS } from '../entities/executions.ts'
import { firstIdAt, parseEventTime } from '../events/id-time.ts'
import { redact } from './runtime/redact.ts'
import { REPORT_MARK } from './runtime/report.ts'

const MAX_LOG_CHARACTERS = 200_000
const MAX_ERROR_CHARACTERS = 4_000
const MAX_STACK_CHARACTERS = 16_000

export const InvocationRecord = z.object({
  timestamp: z.string(),
  requestContext: z.object({
    functionArn: z.string(),
    condition: z.string(),
    approximateInvokeCount: z.number().optional(),
  }),
  requestPayload: z.object({ detail: EventShape }),
  responsePayload: z.unknown().optional(),
})
export type InvocationRecord = z.infer<typeof InvocationRecord>

const nonNegativeNumber = z.number().nonnegative().catch(0)
const Report = z.object({
  log: z.string().catch(''),
  startedAt: z.iso.datetime().optional().catch(undefined),
  duration: nonNegativeNumber,
  memory: nonNegativeNumber.optional(),
  requestCount: nonNegativeNumber.optional(),
  requestTime: nonNegativeNumber.optional(),
  bytesReceived: nonNegativeNumber.optional(),
  bytesSent: nonNegativeNumber.optional(),
  spanId: z
    .string()
    .regex(/^(?!0{16})[0-9a-f]{16}$/)
    .optional()
    .catch(undefined),
})
type Report = z.infer<typeof Report>

const Failure = z.object({
  errorType: z.string().catch('Error'),
  errorMessage: z.string().catch(message('agents.runFailedSilently')),
  trace: z.array(z.string()).catch([]),
})

export interface InvocationResult {
  execution: NewExecution
  log: string
  spanId: string | undefined
}

/** The same for every report of the same run; ids sort in the order of the events. */
export const deriveExecutionId = (agentId: string, event: EventTime): string =>
  deriveId('execution', { time: getEventTime(event), sequence: 0, of: `${agentId}#${event.id}` })

export const getExecutionIdRange = (event: EventTime): { after: string; before: string } => ({
  after: firstIdAt(new Date(getEventTime(event)), 'execution'),
  before: firstIdAt(new Date(getEventTime(event) + 1), 'execution'),
})

type EventTime = Pick<Event, 'id' | 'createdAt'>
const getEventTime = ({ id, createdAt }: EventTime): number => parseEventTime(id) ?? Date.parse(createdAt)

/**
 * The environment is the agent's, whatever the response claims.
 * @param secrets values to redact from the texts
 */
export function parseInvocationRecord(
  record: InvocationRecord,
  agentId: string,
  secrets: readonly string[] = [],
): InvocationResult {
  const { timestamp, requestContext, requestPayload, responsePayload } = record
  const event = requestPayload.detail
  const success = requestContext.condition === 'Success'
  const redactSecrets = (text: string) => redact(text, secrets)
  const error = success ? undefined : redactSecrets(getErrorText(record))
  const stack = success ? undefined : getStack(responsePayload)
  const report = parseReport(success ? responsePayload : findLastReport(responsePayload))
  const startedAt = report?.startedAt
  const execution: NewExecution = {
    id: deriveExecutionId(agentId, event),
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
    errorStack: stack && redactSecrets(stack).slice(0, MAX_STACK_CHARACTERS),
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
    expires: Math.floor(Date.parse(timestamp) / 1000) + RETENTION_SECONDS,
  }
  const log = redactSecrets(report?.log || error || '').slice(0, MAX_LOG_CHARACTERS)
  return { execution, log, spanId: report?.spanId }
}

export const hasTexts = ({ requestContext, responsePayload }: InvocationRecord): boolean =>
  requestContext.condition !== 'Success' || Boolean(parseReport(responsePayload)?.log)

function parseReport(payload: unknown): Report | undefined {
  const parsed = Report.safeParse(payload)
  return parsed.success ? parsed.data : undefined
}

function findLastReport(payload: unknown): unknown {
  const line = Failure.safeParse(payload).data?.trace.findLast((entry) => entry.startsWith(REPORT_MARK))
  if (line === undefined) return undefined
  try {
    return JSON.parse(line.slice(REPORT_MARK.length))
  } catch {
    return undefined
  }
}

const getStack = (payload: unknown): string | undefined =>
  Failure.safeParse(payload)
    .data?.trace.filter((line) => !line.startsWith(REPORT_MARK))
    .join('\n') || undefined

function getErrorText({ requestContext, responsePayload }: InvocationRecord): string {
  if (requestContext.condition === 'EventAgeExceeded') return message('agents.eventExpired')
  const failure = Failure.safeParse(responsePayload).data
  const text = failure
    ? `${failure.errorType}: ${failure.errorMessage}`
    : message('agents.notCalled', { condition: requestContext.condition })
  return text.slice(0, MAX_ERROR_CHARACTERS)
}
