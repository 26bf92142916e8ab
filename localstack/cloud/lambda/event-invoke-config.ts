/**
 * How a function's asynchronous invocations are treated: retries, greatest age and the functions told of the end.
 * Pure: input shapes, the record kept and the answer shown.
 */
import * as z from 'zod'
import { invalidParameter } from './configuration.ts'
import { functionArn, isFunctionArn } from './names.ts'

const destination = z.object({ Destination: z.string().optional() }).optional()

export const eventInvokeConfigInput = z.object({
  DestinationConfig: z.object({ OnSuccess: destination, OnFailure: destination }).optional(),
  MaximumEventAgeInSeconds: z.int().min(60).max(21_600).optional(),
  MaximumRetryAttempts: z.int().min(0).max(2).optional(),
})

export interface EventInvokeConfig {
  maximumRetries?: number
  maximumEventAgeSeconds?: number
  onSuccessArn?: string
  onFailureArn?: string
  /** Seconds since 1970, as the API gives it. */
  lastModified: number
}

/** The configuration an input asks for, over `before` when it updates one. Destinations are Lambda functions only. */
export function eventInvokeConfig(
  name: string,
  input: z.output<typeof eventInvokeConfigInput>,
  before: Partial<EventInvokeConfig> = {},
): EventInvokeConfig {
  const destinations = input.DestinationConfig
  return {
    maximumRetries: input.MaximumRetryAttempts ?? before.maximumRetries,
    maximumEventAgeSeconds: input.MaximumEventAgeInSeconds ?? before.maximumEventAgeSeconds,
    onSuccessArn: destinations ? checkedDestination(name, destinations.OnSuccess?.Destination) : before.onSuccessArn,
    onFailureArn: destinations ? checkedDestination(name, destinations.OnFailure?.Destination) : before.onFailureArn,
    lastModified: Math.round(Date.now() / 1000),
  }
}

function checkedDestination(name: string, arn: string | undefined): string | undefined {
  if (!arn) return undefined
  if (!isFunctionArn(arn)) throw invalidParameter(`The destination ARN ${arn} is not one of a Lambda function`)
  if (arn === functionArn(name)) throw invalidParameter('The destination of a function cannot be the function itself')
  return arn
}

export const describeEventInvokeConfig = (name: string, config: EventInvokeConfig) => ({
  FunctionArn: `${functionArn(name)}:$LATEST`,
  LastModified: config.lastModified,
  MaximumEventAgeInSeconds: config.maximumEventAgeSeconds,
  MaximumRetryAttempts: config.maximumRetries,
  DestinationConfig: {
    OnSuccess: config.onSuccessArn ? { Destination: config.onSuccessArn } : {},
    OnFailure: config.onFailureArn ? { Destination: config.onFailureArn } : {},
  },
})
