/** Subscribes an agent's function to its topics by bus rules named `<function>-1`, `<function>-2`, … Idempotent. */
import {
  DeleteRuleCommand,
  DescribeRuleCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  type Target,
} from '@aws-sdk/client-eventbridge'
import { DAY_SECONDS } from '../../schemas/kit/time.ts'
import { createClient } from '../core/aws-client.ts'
import { ignoreNotFound } from '../core/aws-errors.ts'
import { env } from '../core/env.ts'
import { formatListenerResource } from '../events/audience.ts'
import { addRulePermission } from './function.ts'
import { removeRulePermission } from './remove-function.ts'
import { buildPatterns } from './rules.ts'

const bus = createClient(EventBridgeClient)

const TARGET_ID = 'agent'
/** After a day EventBridge gives up and moves the event to the dead-letter queue. */
const RETRY_POLICY = { MaximumEventAgeInSeconds: DAY_SECONDS, MaximumRetryAttempts: 185 }

const formatRuleName = (functionName: string, number: number) => `${functionName}-${number}`
const toRuleParams = (name: string) => ({ EventBusName: env().BUS_NAME, Rule: name })

export class BusFullError extends Error {}

export interface Subscriber {
  agentId: string
  functionName: string
  functionArn: string
  environmentId: string
}

export type Callee = 'function' | 'router'

/** A rule is written before topics leave their old one: events may arrive twice but are never lost. */
export async function subscribe(agent: Subscriber, topics: readonly string[], callee: Callee): Promise<void> {
  const patterns = buildPatterns(topics, agent)
  const existingCount = await countRules(agent.functionName)
  const numbers = patterns.map((_, index) => index + 1)
  // Topics move to the new rules when rules are added and to the lower ones when rules are removed; see rules.ts.
  for (const number of [...numbers.slice(existingCount), ...numbers.slice(0, existingCount)]) {
    const name = formatRuleName(agent.functionName, number)
    await addRulePermission(agent.functionName, name, await putRule(name, patterns[number - 1]!))
    await putTarget(name, buildTarget(agent, callee))
  }
  await removeRules(agent.functionName, patterns.length)
}

/** Points the agent's existing rules at another target; each event reaches one or the other. */
export async function redirectRules(agent: Subscriber, callee: Callee): Promise<void> {
  const count = await countRules(agent.functionName)
  for (let number = 1; number <= count; number++)
    await putTarget(formatRuleName(agent.functionName, number), buildTarget(agent, callee))
}

export const unsubscribe = (functionName: string): Promise<void> => removeRules(functionName, 0)

export async function subscribeRouter(): Promise<void> {
  const name = `${env().FUNCTION_PREFIX}router`
  await putRule(name, JSON.stringify({ source: ['wharf'], resources: [formatListenerResource('agents')] }))
  await putTarget(name, { Id: TARGET_ID, Arn: env().ROUTER_ARN })
}

export interface RedirectedEvent {
  agentId: string
  event: unknown
}

const buildTarget = ({ agentId, functionArn }: Subscriber, callee: Callee): Target =>
  callee === 'function'
    ? { Id: TARGET_ID, Arn: functionArn }
    : {
        Id: TARGET_ID,
        Arn: env().ROUTER_ARN,
        InputTransformer: { InputTemplate: `{"agentId":${JSON.stringify(agentId)},"event":<aws.events.event.json>}` },
      }

async function putRule(name: string, pattern: string): Promise<string> {
  const { EventBusName } = toRuleParams(name)
  const rule = new PutRuleCommand({ Name: name, EventBusName, EventPattern: pattern, State: 'ENABLED' })
  const { RuleArn } = await bus.send(rule).catch((error: Error) => {
    throw error.name === 'LimitExceededException' ? new BusFullError(error.message, { cause: error }) : error
  })
  return RuleArn!
}

async function putTarget(name: string, target: Target): Promise<void> {
  const { DEAD_LETTER_ARN } = env()
  const fullTarget = {
    ...target,
    RetryPolicy: RETRY_POLICY,
    ...(DEAD_LETTER_ARN ? { DeadLetterConfig: { Arn: DEAD_LETTER_ARN } } : {}),
  }
  const { FailedEntries = [] } = await bus.send(new PutTargetsCommand({ ...toRuleParams(name), Targets: [fullTarget] }))
  if (FailedEntries.length > 0)
    throw new Error(`The rule ${name} rejected its target: ${FailedEntries[0]?.ErrorMessage}`)
}

/** Rules are numbered without gaps: added upwards and removed downwards. */
export async function countRules(functionName: string): Promise<number> {
  let count = 0
  while (await ruleExists(formatRuleName(functionName, count + 1))) count++
  return count
}

async function removeRules(functionName: string, keepCount: number): Promise<void> {
  const count = await countRules(functionName)
  for (let number = count; number > keepCount; number--) {
    const name = formatRuleName(functionName, number)
    await ignoreNotFound(bus.send(new RemoveTargetsCommand({ ...toRuleParams(name), Ids: [TARGET_ID] })))
    await ignoreNotFound(bus.send(new DeleteRuleCommand({ EventBusName: env().BUS_NAME, Name: name })))
    await removeRulePermission(functionName, name)
  }
}

const ruleExists = async (name: string): Promise<boolean> =>
  (await ignoreNotFound(bus.send(new DescribeRuleCommand({ EventBusName: env().BUS_NAME, Name: name })))) !== undefined
