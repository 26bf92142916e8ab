/** Operations on rules. PutRule replaces a rule, but keeps its targets. */
import * as z from 'zod'
import { AwsError, parseInput, validationError } from '../lambda/wire.ts'
import { buildRuleArn, DEFAULT_BUS, limitExceeded, type Rule, type RuleState } from './buses.ts'
import type { EventBridgeComponents } from './components.ts'
import { paginate } from './page.ts'
import { compilePattern } from './pattern.ts'
import { parseSchedule } from './schedule.ts'

const MAX_RULES_PER_BUS = 300

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

export function putRule({ buses, schedules }: EventBridgeComponents, input: unknown) {
  const { Name, EventBusName, EventPattern, ScheduleExpression, ...options } = parseInput(putRuleInput, input)
  const bus = buses.get(EventBusName)
  if (!EventPattern && !ScheduleExpression) {
    throw validationError('Parameter(s) EventPattern or ScheduleExpression must be specified.')
  }
  if (EventPattern) compilePattern(EventPattern)
  if (ScheduleExpression) checkSchedule(ScheduleExpression, bus.name)
  const existing = buses.findRule(Name, bus)
  if (!existing && Object.keys(bus.rules).length >= MAX_RULES_PER_BUS) throw limitExceeded()
  const rule: Rule = {
    name: Name,
    busName: bus.name,
    arn: buildRuleArn(bus.name, Name),
    state: options.State,
    description: options.Description,
    roleArn: options.RoleArn,
    pattern: EventPattern || undefined,
    schedule: ScheduleExpression || undefined,
    scheduledSince: existing?.schedule === ScheduleExpression ? existing?.scheduledSince : Date.now(),
    targets: existing?.targets ?? [],
  }
  buses.putRule(rule)
  schedules.set(rule)
  return { RuleArn: rule.arn }
}

function checkSchedule(expression: string, busName: string): void {
  if (busName !== DEFAULT_BUS) throw validationError('ScheduleExpression is supported only on the default event bus.')
  parseSchedule(expression)
}

export function describeRule({ buses }: EventBridgeComponents, input: unknown) {
  const { Name, EventBusName } = parseInput(ruleReference, input)
  return toRuleResponse(buses.getRule(Name, EventBusName))
}

export function listRules({ buses }: EventBridgeComponents, input: unknown) {
  const { EventBusName, NamePrefix, ...paging } = parseInput(listRulesInput, input)
  const rules = sortByName(buses.get(EventBusName).rules).filter(({ name }) => name.startsWith(NamePrefix))
  const { items, NextToken } = paginate(rules, ({ name }) => name, paging)
  return { Rules: items.map(toRuleResponse), NextToken }
}

export function listRuleNamesByTarget({ buses }: EventBridgeComponents, input: unknown) {
  const { EventBusName, TargetArn, ...paging } = parseInput(ruleNamesByTargetInput, input)
  const rules = sortByName(buses.get(EventBusName).rules).filter(({ targets }) =>
    targets.some(({ Arn }) => Arn === TargetArn),
  )
  const { items, NextToken } = paginate(rules, ({ name }) => name, paging)
  return { RuleNames: items.map(({ name }) => name), NextToken }
}

export const enableRule = (components: EventBridgeComponents, input: unknown) => setState(components, input, 'ENABLED')

export const disableRule = (components: EventBridgeComponents, input: unknown) =>
  setState(components, input, 'DISABLED')

function setState({ buses, schedules }: EventBridgeComponents, input: unknown, state: RuleState) {
  const { Name, EventBusName } = parseInput(ruleReference, input)
  const rule = { ...buses.getRule(Name, EventBusName), state }
  buses.putRule(rule)
  schedules.set(rule)
  return {}
}

export function deleteRule({ buses, schedules }: EventBridgeComponents, input: unknown) {
  const { Name, EventBusName } = parseInput(ruleReference, input)
  const rule = buses.findRule(Name, buses.get(EventBusName))
  if (!rule) return {}
  if (rule.targets.length) throw validationError("Rule can't be deleted since it has targets.")
  schedules.remove(rule.arn)
  buses.removeRule(rule)
  return {}
}

export function testEventPattern(_components: EventBridgeComponents, input: unknown) {
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

const sortByName = (rules: Record<string, Rule>) => Object.values(rules).sort((a, b) => (a.name < b.name ? -1 : 1))

const toRuleResponse = (rule: Rule) => ({
  Name: rule.name,
  Arn: rule.arn,
  EventPattern: rule.pattern,
  ScheduleExpression: rule.schedule,
  State: rule.state,
  Description: rule.description,
  RoleArn: rule.roleArn,
  EventBusName: rule.busName,
})
