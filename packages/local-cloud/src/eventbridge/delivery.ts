import type { LambdaService } from '../lambda/index.ts'
import type { Rule, Target } from './buses.ts'
import { compileTargetInput } from './target-input.ts'

const PRINCIPAL = 'events.amazonaws.com'

export interface BusEvent {
  version: '0'
  id: string
  'detail-type': string
  source: string
  account: string
  time: string
  region: string
  resources: string[]
  detail: unknown
}

/** Resolves once every target's invocation is durable; rejects if one could not be written. */
export async function deliver(lambda: LambdaService, rule: Rule, event: BusEvent): Promise<void> {
  await Promise.all(rule.targets.map((target) => invokeTarget(lambda, rule, target, event)))
}

function invokeTarget(lambda: LambdaService, rule: Rule, target: Target, event: BusEvent): Promise<void> {
  const input = compileTargetInput(target)(event)
  return lambda.invokeAsync(target.Arn, input ?? null, {
    principal: PRINCIPAL,
    sourceArn: rule.arn,
    retries: target.RetryPolicy?.MaximumRetryAttempts,
    maximumEventAgeSeconds: target.RetryPolicy?.MaximumEventAgeInSeconds,
    deadLetterArn: target.DeadLetterConfig?.Arn,
  })
}

export const formatEventTime = (time: Date) => time.toISOString().replace(/\.\d+Z$/, 'Z')
