/**
 * The operations on the targets of rules, each from its input to its answer. Targets are Lambda functions only.
 * Knows nothing of HTTP and delivers nothing.
 */
import * as z from 'zod'
import { isFunctionArn } from '../lambda/names.ts'
import { parseInput, validationError } from '../lambda/wire.ts'
import { limitExceeded, type Target } from './buses.ts'
import { page } from './page.ts'
import type { EventBridgeParts } from './parts.ts'
import { compileTargetInput } from './target-input.ts'

const TARGETS_LIMIT = 5

const targetId = z
  .string()
  .regex(/^[.\-_A-Za-z0-9]{1,64}$/, 'Member must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+')
const ruleReference = z.object({ Rule: z.string().min(1), EventBusName: z.string().optional() })
const transformer = z.object({
  InputPathsMap: z.record(z.string().regex(/^[A-Za-z0-9_-]{1,256}$/), z.string()).optional(),
  InputTemplate: z.string().min(1).max(8192),
})
const target = z.object({
  Id: targetId,
  Arn: z.string(),
  Input: z.string().max(8192).optional(),
  InputPath: z.string().max(256).optional(),
  InputTransformer: transformer.optional(),
  RetryPolicy: z
    .object({
      MaximumRetryAttempts: z.int().min(0).max(185).optional(),
      MaximumEventAgeInSeconds: z.int().min(60).max(86_400).optional(),
    })
    .optional(),
  DeadLetterConfig: z.object({ Arn: z.string().optional() }).optional(),
  RoleArn: z.string().optional(),
})
const putTargetsInput = ruleReference.extend({ Targets: z.array(target).min(1).max(100) })
const listTargetsInput = ruleReference.extend({
  Limit: z.int().min(1).max(100).optional(),
  NextToken: z.string().optional(),
})
const removeTargetsInput = ruleReference.extend({ Ids: z.array(targetId).min(1).max(100) })

const allDone = { FailedEntryCount: 0, FailedEntries: [] }

/** Adds targets, or replaces those of the same ids. */
export function putTargets({ buses, schedules }: EventBridgeParts, input: unknown) {
  const { Rule, EventBusName, Targets } = parseInput(putTargetsInput, input)
  const rule = buses.rule(Rule, EventBusName)
  for (const each of Targets) checkTarget(each)
  const byId = new Map([...rule.targets, ...Targets].map((each) => [each.Id, each]))
  if (byId.size > TARGETS_LIMIT) throw limitExceeded()
  const changed = { ...rule, targets: [...byId.values()] }
  buses.putRule(changed)
  schedules.set(changed)
  return allDone
}

function checkTarget(candidate: Target): void {
  if (!isFunctionArn(candidate.Arn)) {
    throw validationError(`Parameter ${candidate.Arn} is not valid. Reason: only Lambda functions are targets here.`)
  }
  compileTargetInput(candidate)
}

export function listTargetsByRule({ buses }: EventBridgeParts, input: unknown) {
  const { Rule, EventBusName, ...paging } = parseInput(listTargetsInput, input)
  const targets = [...buses.rule(Rule, EventBusName).targets].sort((a, b) => (a.Id < b.Id ? -1 : 1))
  const { items, NextToken } = page(targets, ({ Id }) => Id, paging)
  return { Targets: items, NextToken }
}

/** Removes targets; ids that are none are removed already. */
export function removeTargets({ buses, schedules }: EventBridgeParts, input: unknown) {
  const { Rule, EventBusName, Ids } = parseInput(removeTargetsInput, input)
  const rule = buses.rule(Rule, EventBusName)
  const changed = { ...rule, targets: rule.targets.filter(({ Id }) => !Ids.includes(Id)) }
  buses.putRule(changed)
  schedules.set(changed)
  return allDone
}
