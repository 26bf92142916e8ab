/**
 * What is told, and to whom, when an asynchronous invocation is over: the invocation record that destinations get.
 * Pure; knows nothing of how a record is delivered.
 */
import type { EventInvokeConfig } from './event-invoke-config.ts'
import type { Outcome } from './invocation.ts'
import type { AsyncInvocation, JournalEntry } from './journal.ts'
import { functionArn } from './names.ts'

export interface Ending {
  condition: 'Success' | 'RetriesExhausted' | 'EventAgeExceeded'
  /** The last attempt's outcome, or why there was none. */
  outcome: Outcome
  /** HTTP status of the last attempt: 200 when the function ran, whatever it answered. */
  statusCode: number
}

/** Who hears of an ending: the function's destination, else the dead-letter target of what caused the invocation. */
export function audience(
  invocation: AsyncInvocation,
  config: EventInvokeConfig | undefined,
  { condition }: Ending,
): string | undefined {
  if (condition === 'Success') return config?.onSuccessArn
  return config?.onFailureArn ?? invocation.source?.deadLetterArn
}

/** AWS's invocation record, version 1.0. */
export const invocationRecord = ({ invocation, failures }: JournalEntry, ending: Ending) => ({
  version: '1.0',
  timestamp: new Date().toISOString(),
  requestContext: {
    requestId: invocation.id,
    functionArn: `${functionArn(invocation.functionName)}:$LATEST`,
    condition: ending.condition,
    approximateInvokeCount: ending.condition === 'Success' ? failures + 1 : failures,
  },
  requestPayload: JSON.parse(invocation.payload) as unknown,
  responseContext: {
    statusCode: ending.statusCode,
    executedVersion: '$LATEST',
    functionError: ending.outcome.functionError,
  },
  responsePayload: JSON.parse(ending.outcome.payload) as unknown,
})

/** A dead letter as an SQS queue would hold it: the payload, and why it was not processed. */
export const deadLetter = (arn: string, { invocation, failures }: JournalEntry, ending: Ending) => ({
  queue: arn,
  time: new Date().toISOString(),
  body: invocation.payload,
  attributes: {
    RULE_ARN: invocation.source?.sourceArn,
    TARGET_ARN: functionArn(invocation.functionName),
    ERROR_CODE: ending.condition,
    ERROR_MESSAGE: ending.outcome.payload,
    RETRY_ATTEMPTS: Math.max(0, failures - 1),
  },
})
