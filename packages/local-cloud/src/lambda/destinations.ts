/** Invocation records and dead letters of finished asynchronous invocations. */
import type { EventInvokeConfig } from './event-invoke-config.ts'
import type { Outcome } from './invocation.ts'
import type { AsyncInvocation, JournalEntry } from './journal.ts'
import { buildFunctionArn } from './names.ts'

export interface FinalOutcome {
  condition: 'Success' | 'RetriesExhausted' | 'EventAgeExceeded'
  outcome: Outcome
  statusCode: number
}

export function findDestination(
  invocation: AsyncInvocation,
  config: EventInvokeConfig | undefined,
  { condition }: FinalOutcome,
): string | undefined {
  if (condition === 'Success') return config?.onSuccessArn
  return config?.onFailureArn ?? invocation.source?.deadLetterArn
}

export const buildInvocationRecord = ({ invocation, failures }: JournalEntry, finalOutcome: FinalOutcome) => ({
  version: '1.0',
  timestamp: new Date().toISOString(),
  requestContext: {
    requestId: invocation.id,
    functionArn: `${buildFunctionArn(invocation.functionName)}:$LATEST`,
    condition: finalOutcome.condition,
    approximateInvokeCount: finalOutcome.condition === 'Success' ? failures + 1 : failures,
  },
  requestPayload: JSON.parse(invocation.payload) as unknown,
  responseContext: {
    statusCode: finalOutcome.statusCode,
    executedVersion: '$LATEST',
    functionError: finalOutcome.outcome.functionError,
  },
  responsePayload: JSON.parse(finalOutcome.outcome.payload) as unknown,
})

export const buildDeadLetter = (arn: string, { invocation, failures }: JournalEntry, finalOutcome: FinalOutcome) => ({
  queue: arn,
  time: new Date().toISOString(),
  body: invocation.payload,
  attributes: {
    RULE_ARN: invocation.source?.sourceArn,
    TARGET_ARN: buildFunctionArn(invocation.functionName),
    ERROR_CODE: finalOutcome.condition,
    ERROR_MESSAGE: finalOutcome.outcome.payload,
    RETRY_ATTEMPTS: Math.max(0, failures - 1),
  },
})
