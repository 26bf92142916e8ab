/** Operations on the targets of rules. Only Lambda functions can be targets. */
import * as z from 'zod'
import { isFunctionArn } from '../lambda/names.ts'
import { parseInput, validationError } from '../lambda/wire.ts'
import { limitExceeded, type Target } from './buses.ts'
import type { EventBridgeComponents } from './components.ts'
import { paginate } from './page.ts'
import { compileTargetInput } from './target-input.ts'

const MAX_TARGETS_PER_RULE = 5

const targetId = z
  .string()
  .regex(/^[.\-_A-Za-z0-9]{1,64}$/, 'Member must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+')
const ruleReference = z.object({ Rule: z.string().min(1), EventBusName: z.string().optional() })
const transformer = z.object({
  InputPathsMap: z.record(z.string().regex(/^[A-Za-z0-9_-]{1,256}$/), z.string()).optional(),
  InputTemplate: z.string().min(1).max(8192),
})
const target = z.strictObject({
  Id: targetId,
  Arn: z.string(),
  Input: z.string().max(8192).optional(),
  InputTransformer: transformer.optional(),
  RetryPolicy: z
    .object({
      MaximumRetryAttempts: z.int().min(0).max(185).optional(),
      MaximumEventAgeInSeconds: z.int().min(60).max(86_400).optional(),
    })
    .optional(),
  DeadLetterConfig: z.object({ Arn: z.string().optional() }).optional(),
})
const putTargetsInput = ruleReference.extend({ Targets: z.array(target).min(1).max(100) })
const listTargetsInput = ruleReference.extend({
  Limit: z.int().min(1).max(100).optional(),
  NextToken: z.string().optional(),
})
const removeTargetsInput = ruleReference.extend({ Ids: z.array(targetId).min(1).max(100) })

const NO_FAILURES = { FailedEntryCount: 0, FailedEntries: [] }

export function putTargets({ buses, schedules }: EventBridgeComponents, input: unknown) {
  const { Rule, EventBusName, Targets } = parseInput(putTargetsInput, input)
  const rule = buses.getRule(Rule, EventBusName)
  for (const candidate of Targets) checkTarget(candidate)
  const byId = new Map([...rule.targets, ...Targets].map((candidate) => [candidate.Id, candidate]))
  if (byId.size > MAX_TARGETS_PER_RULE) throw limitExceeded()
  const updatedRule = { ...rule, targets: [...byId.values()] }
  buses.putRule(updatedRule)
  schedules.set(updatedRule)
  return NO_FAILURES
}

function checkTarget(candidate: Target): void {
  if (!isFunctionArn(candidate.Arn)) {
    throw validationError(
      `Parameter ${candidate.Arn} is not valid. Reason: only Lambda functions are supported as targets.`,
    )
  }
  compileTargetInput(candidate)
}

export function listTargetsByRule({ buses }: EventBridgeComponents, input: unknown) {
  const { Rule, EventBusName, ...paging } = parseInput(listTargetsInput, input)
  const targets = [...buses.getRule(Rule, EventBusName).targets].sort((a, b) => (a.Id < b.Id ? -1 : 1))
  const { items, NextToken } = paginate(targets, ({ Id }) => Id, paging)
  return { Targets: items, NextToken }
}

export function removeTargets({ buses, schedules }: EventBridgeComponents, input: unknown) {
  const { Rule, EventBusName, Ids } = parseInput(removeTargetsInput, input)
  const rule = buses.getRule(Rule, EventBusName)
  const updatedRule = { ...rule, targets: rule.targets.filter(({ Id }) => !Ids.includes(Id)) }
  buses.putRule(updatedRule)
  schedules.set(updatedRule)
  return NO_FAILURES
}
