/**
 * The operations on rules, each from its input to its answer. A rule is replaced as a whole by PutRule, but keeps its
 * targets. Knows nothing of HTTP.
 */
import * as z from 'zod'
import { AwsError, parseInput, validationError } from '../lambda/wire.ts'
import { DEFAULT_BUS, limitExceeded, type Rule, type RuleState, ruleArn } from './buses.ts'
import { page } from './page.ts'
import type { EventBridgeParts } from './parts.ts'
import { compilePattern } from './pattern.ts'
import { parseSchedule } from './schedule.ts'

const RULES_LIMIT = 300

const ruleName = z
  .string()
  .regex(/^[.\-_A-Za-z0-9]{1,64}$/, 'Member must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+')
const ruleReference = z.object({ Name: ruleName, EventBusName: z.string().optional() })
const putRuleInput = ruleReference.extend({
  Description: z.string().max(512).optional(),
  EventPattern: z.string().optional(),
  RoleArn: z.string().optional(),
  ScheduleExpression: z.string().max(256).optional(),
  State: z.enum(['ENABLED', 'DISABLED', 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS']).default('ENABLED'),
})
const listRulesInput = z.object({
  EventBusName: z.string().optional(),
  NamePrefix: z.string().default(''),
  Limit: z.int().min(1).max(100).optional(),
  NextToken: z.string().optional(),
})
const ruleNamesByTargetInput = listRulesInput.omit({ NamePrefix: true }).extend({ TargetArn: z.string() })
const testPatternInput = z.object({ EventPattern: z.string(), Event: z.string() })

export function putRule({ buses, schedules }: EventBridgeParts, input: unknown) {
  const { Name, EventBusName, EventPattern, ScheduleExpression, ...rest } = parseInput(putRuleInput, input)
  const bus = buses.get(EventBusName)
  if (!EventPattern && !ScheduleExpression) {
    throw validationError('Parameter(s) EventPattern or ScheduleExpression must be specified.')
  }
  if (EventPattern) compilePattern(EventPattern)
  if (ScheduleExpression) checkSchedule(ScheduleExpression, bus.name)
  const before = buses.findRule(Name, bus)
  if (!before && Object.keys(bus.rules).length >= RULES_LIMIT) throw limitExceeded()
  const rule: Rule = {
    name: Name,
    busName: bus.name,
    arn: ruleArn(bus.name, Name),
    state: rest.State,
    description: rest.Description,
    roleArn: rest.RoleArn,
    pattern: EventPattern || undefined,
    schedule: ScheduleExpression || undefined,
    scheduledSince: before?.schedule === ScheduleExpression ? before?.scheduledSince : Date.now(),
    targets: before?.targets ?? [],
  }
  buses.putRule(rule)
  schedules.set(rule)
  return { RuleArn: rule.arn }
}

function checkSchedule(expression: string, busName: string): void {
  if (busName !== DEFAULT_BUS) throw validationError('ScheduleExpression is supported only on the default event bus.')
  parseSchedule(expression)
}

export function describeRule({ buses }: EventBridgeParts, input: unknown) {
  const { Name, EventBusName } = parseInput(ruleReference, input)
  return describe(buses.rule(Name, EventBusName))
}

export function listRules({ buses }: EventBridgeParts, input: unknown) {
  const { EventBusName, NamePrefix, ...paging } = parseInput(listRulesInput, input)
  const rules = byName(buses.get(EventBusName).rules).filter(({ name }) => name.startsWith(NamePrefix))
  const { items, NextToken } = page(rules, ({ name }) => name, paging)
  return { Rules: items.map(describe), NextToken }
}

export function listRuleNamesByTarget({ buses }: EventBridgeParts, input: unknown) {
  const { EventBusName, TargetArn, ...paging } = parseInput(ruleNamesByTargetInput, input)
  const rules = byName(buses.get(EventBusName).rules).filter(({ targets }) =>
    targets.some(({ Arn }) => Arn === TargetArn),
  )
  const { items, NextToken } = page(rules, ({ name }) => name, paging)
  return { RuleNames: items.map(({ name }) => name), NextToken }
}

export const enableRule = (parts: EventBridgeParts, input: unknown) => setState(parts, input, 'ENABLED')

export const disableRule = (parts: EventBridgeParts, input: unknown) => setState(parts, input, 'DISABLED')

function setState({ buses, schedules }: EventBridgeParts, input: unknown, state: RuleState) {
  const { Name, EventBusName } = parseInput(ruleReference, input)
  const rule = { ...buses.rule(Name, EventBusName), state }
  buses.putRule(rule)
  schedules.set(rule)
  return {}
}

/** Deletes a rule without targets; one that does not exist is deleted already. */
export function deleteRule({ buses, schedules }: EventBridgeParts, input: unknown) {
  const { Name, EventBusName } = parseInput(ruleReference, input)
  const rule = buses.findRule(Name, buses.get(EventBusName))
  if (!rule) return {}
  if (rule.targets.length) throw validationError("Rule can't be deleted since it has targets.")
  schedules.remove(rule.arn)
  buses.removeRule(rule)
  return {}
}

export function testEventPattern(_parts: EventBridgeParts, input: unknown) {
  const { EventPattern, Event } = parseInput(testPatternInput, input)
  const matches = compilePattern(EventPattern)
  return { Result: matches(parseEvent(Event)) }
}

const EVENT_FIELDS = ['id', 'account', 'source', 'time', 'region', 'resources', 'detail-type']

function parseEvent(text: string): unknown {
  let event: unknown
  try {
    event = JSON.parse(text)
  } catch {
    throw new AwsError(400, 'InvalidEventPatternException', 'Parameter Event is not valid. Reason: Event is not JSON.')
  }
  const missing = EVENT_FIELDS.find((field) => !Object.hasOwn(Object(event), field))
  if (missing) throw validationError(`Parameter Event is not valid. Reason: ${missing} is a required argument.`)
  return event
}

const byName = (rules: Record<string, Rule>) => Object.values(rules).sort((a, b) => (a.name < b.name ? -1 : 1))

const describe = (rule: Rule) => ({
  Name: rule.name,
  Arn: rule.arn,
  EventPattern: rule.pattern,
  ScheduleExpression: rule.schedule,
  State: rule.state,
  Description: rule.description,
  RoleArn: rule.roleArn,
  EventBusName: rule.busName,
})
