/** A function's settings for asynchronous invocations: retries, maximum age and destinations. */
import * as z from 'zod'
import { invalidParameter } from './configuration.ts'
import { buildFunctionArn, isFunctionArn } from './names.ts'

const destination = z.object({ Destination: z.string().optional() }).optional()

export const eventInvokeConfigInput = z.strictObject({
  DestinationConfig: z.object({ OnSuccess: destination, OnFailure: destination }).optional(),
  MaximumEventAgeInSeconds: z.int().min(60).max(21_600).optional(),
  MaximumRetryAttempts: z.int().min(0).max(2).optional(),
})

export interface EventInvokeConfig {
  maximumRetries?: number
  maximumEventAgeSeconds?: number
  onSuccessArn?: string
  onFailureArn?: string
  lastModified: number
}

export function buildEventInvokeConfig(
  name: string,
  input: z.output<typeof eventInvokeConfigInput>,
): EventInvokeConfig {
  const destinations = input.DestinationConfig
  return {
    maximumRetries: input.MaximumRetryAttempts,
    maximumEventAgeSeconds: input.MaximumEventAgeInSeconds,
    onSuccessArn: validateDestination(name, destinations?.OnSuccess?.Destination),
    onFailureArn: validateDestination(name, destinations?.OnFailure?.Destination),
    lastModified: Math.round(Date.now() / 1000),
  }
}

function validateDestination(name: string, arn: string | undefined): string | undefined {
  if (!arn) return undefined
  if (!isFunctionArn(arn)) throw invalidParameter(`The destination ARN ${arn} is not the ARN of a Lambda function`)
  if (arn === buildFunctionArn(name))
    throw invalidParameter('The destination of a function cannot be the function itself')
  return arn
}

export const describeEventInvokeConfig = (name: string, config: EventInvokeConfig) => ({
  FunctionArn: `${buildFunctionArn(name)}:$LATEST`,
  LastModified: config.lastModified,
  MaximumEventAgeInSeconds: config.maximumEventAgeSeconds,
  MaximumRetryAttempts: config.maximumRetries,
  DestinationConfig: {
    OnSuccess: config.onSuccessArn ? { Destination: config.onSuccessArn } : {},
    OnFailure: config.onFailureArn ? { Destination: config.onFailureArn } : {},
  },
})
