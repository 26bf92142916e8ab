/** Operations on rules. PutRule replaces a rule, but keeps its targets. */
import * as z from 'zod'
import { parseInput, validationError } from '../lambda/wire.ts'
import { buildRuleArn, DEFAULT_BUS, limitExceeded, type Rule, type RuleState } from './buses.ts'
import type { EventBridgeComponents } from './components.ts'
import { paginate } from './page.ts'
import { compileFieldsTest } from './pattern.ts'
import { parseSchedule } from './schedule.ts'

const MAX_RULES_PER_BUS = 300

const ruleName = z
  .string()
  .regex(/^[.\-_A-Za-z0-9]{1,64}$/, 'Member must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+')
const ruleReference = z.object({ Name: ruleName, EventBusName: z.string().optional() })
const putRuleInput = z.strictObject({
  ...ruleReference.shape,
  EventPattern: z.string().optional(),
  ScheduleExpression: z.string().max(256).optional(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
})
const listRulesInput = z.object({
  EventBusName: z.string().optional(),
  NamePrefix: z.string().default(''),
  Limit: z.int().min(1).max(100).optional(),
  NextToken: z.string().optional(),
})

export function putRule({ buses, schedules }: EventBridgeComponents, input: unknown) {
  const { Name, EventBusName, EventPattern, ScheduleExpression, State } = parseInput(putRuleInput, input)
  const bus = buses.get(EventBusName)
  if (!EventPattern && !ScheduleExpression) {
    throw validationError('Parameter(s) EventPattern or ScheduleExpression must be specified.')
  }
  if (EventPattern) compileFieldsTest(EventPattern)
  if (ScheduleExpression) checkSchedule(ScheduleExpression, bus.name)
  const existing = buses.findRule(Name, bus)
  if (!existing && Object.keys(bus.rules).length >= MAX_RULES_PER_BUS) throw limitExceeded()
  const rule: Rule = {
    name: Name,
    busName: bus.name,
    arn: buildRuleArn(bus.name, Name),
    state: State,
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

const sortByName = (rules: Record<string, Rule>) => Object.values(rules).sort((a, b) => (a.name < b.name ? -1 : 1))

const toRuleResponse = (rule: Rule) => ({
  Name: rule.name,
  Arn: rule.arn,
  EventPattern: rule.pattern,
  ScheduleExpression: rule.schedule,
  State: rule.state,
  EventBusName: rule.busName,
})
