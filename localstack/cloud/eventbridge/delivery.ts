/**
 * Hands events to the targets of a rule: each becomes an asynchronous invocation that the Lambda service has on disk
 * before this resolves. Knows nothing of which rules match.
 */
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
  /** ISO 8601 in whole seconds. */
  time: string
  region: string
  resources: string[]
  detail: unknown
}

/** Resolves once every target's invocation is durable; rejects when one could not be written. */
export async function deliver(lambda: LambdaService, rule: Rule, event: BusEvent): Promise<void> {
  await Promise.all(rule.targets.map((target) => deliverTo(lambda, rule, target, event)))
}

function deliverTo(lambda: LambdaService, rule: Rule, target: Target, event: BusEvent): Promise<void> {
  const context = { ruleArn: rule.arn, ruleName: rule.name, ingestionTime: new Date().toISOString() }
  const input = compileTargetInput(target)(event, context)
  return lambda.invokeAsync(target.Arn, input ?? null, {
    principal: PRINCIPAL,
    sourceArn: rule.arn,
    retries: target.RetryPolicy?.MaximumRetryAttempts,
    maximumEventAgeSeconds: target.RetryPolicy?.MaximumEventAgeInSeconds,
    deadLetterArn: target.DeadLetterConfig?.Arn,
  })
}

/** EventBridge's time format: whole seconds, UTC. */
export const eventTime = (time: Date) => time.toISOString().replace(/\.\d+Z$/, 'Z')
