/**
 * Subscribes an agent's function to its topics: rules `<function>-1`, `<function>-2`, ... on the bus, the function (or, while
 * it moves between them and the router, the router) as their target. Every step can be repeated; a step that was
 * interrupted is completed by doing it all again.
 */
import {
  DeleteRuleCommand,
  DescribeRuleCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  type Target,
} from '@aws-sdk/client-eventbridge'
import { clientDefaults } from '../core/cloud.ts'
import { env } from '../core/env.ts'
import { allowRule } from './function.ts'
import { unlessMissing } from './missing.ts'
import { forbidRule } from './remove-function.ts'
import { patternsFor } from './rules.ts'

const bus = new EventBridgeClient(clientDefaults())

/** Every rule has this one target. */
const TARGET_ID = 'agent'
/** A day, after which EventBridge gives up and the event goes to the dead letters. */
const DELIVERY = { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 }

const ruleName = (functionName: string, number: number) => `${functionName}-${number}`
const onBus = (name: string) => ({ EventBusName: env().BUS_NAME, Rule: name })

/** The bus has as many rules as it may. */
export class BusFull extends Error {}

export interface Subscriber {
  agentId: string
  functionName: string
  functionArn: string
  environmentId: string
}

/** Whom an agent's rules call: its function, or the router with the agent's id. */
export type Callee = 'function' | 'router'

/**
 * Makes the agent's rules match exactly `topics`. Meanwhile an event may reach it twice, none is lost: a rule
 * that topics move to is written before the one they leave.
 * @throws BusFull when the bus takes no more rules
 */
export async function subscribe(agent: Subscriber, topics: readonly string[], callee: Callee): Promise<void> {
  const patterns = patternsFor(topics, agent)
  const existing = await countRules(agent.functionName)
  const numbers = patterns.map((_, index) => index + 1)
  // Topics move to the new rules when rules are added, to the lower ones when rules fall away: see rules.ts.
  for (const number of [...numbers.slice(existing), ...numbers.slice(0, existing)]) {
    const name = ruleName(agent.functionName, number)
    await allowRule(agent.functionName, name, await putRule(name, patterns[number - 1]!))
    await putTarget(name, targetOf(agent, callee))
  }
  await removeRules(agent.functionName, patterns.length)
}

/** Lets the rules the agent has call somebody else: one event reaches the one or the other. */
export async function redirect(agent: Subscriber, callee: Callee): Promise<void> {
  const count = await countRules(agent.functionName)
  for (let number = 1; number <= count; number++)
    await putTarget(ruleName(agent.functionName, number), targetOf(agent, callee))
}

/** Takes away all rules of the function. */
export const unsubscribe = (functionName: string): Promise<void> => removeRules(functionName, 0)

/** The one rule that hands every event to the router; made with the first agent that needs it. @throws BusFull */
export async function subscribeRouter(): Promise<void> {
  const name = `${env().FUNCTION_PREFIX}router`
  await putRule(name, JSON.stringify({ source: ['wharf'] }))
  await putTarget(name, { Id: TARGET_ID, Arn: env().ROUTER_ARN })
}

/** What the router is given by an agent's own rule, beside whole events by its own. */
export interface Redirected {
  agentId: string
  event: unknown
}

const targetOf = ({ agentId, functionArn }: Subscriber, callee: Callee): Target =>
  callee === 'function'
    ? { Id: TARGET_ID, Arn: functionArn }
    : {
        Id: TARGET_ID,
        Arn: env().ROUTER_ARN,
        InputTransformer: { InputTemplate: `{"agentId":${JSON.stringify(agentId)},"event":<aws.events.event.json>}` },
      }

async function putRule(name: string, pattern: string): Promise<string> {
  const { EventBusName } = onBus(name)
  const rule = new PutRuleCommand({ Name: name, EventBusName, EventPattern: pattern, State: 'ENABLED' })
  const { RuleArn } = await bus.send(rule).catch((error: Error) => {
    throw error.name === 'LimitExceededException' ? new BusFull(error.message, { cause: error }) : error
  })
  return RuleArn!
}

async function putTarget(name: string, target: Target): Promise<void> {
  const { DEAD_LETTER_ARN } = env()
  const whole = {
    ...target,
    RetryPolicy: DELIVERY,
    ...(DEAD_LETTER_ARN ? { DeadLetterConfig: { Arn: DEAD_LETTER_ARN } } : {}),
  }
  const { FailedEntries = [] } = await bus.send(new PutTargetsCommand({ ...onBus(name), Targets: [whole] }))
  if (FailedEntries.length > 0)
    throw new Error(`The rule ${name} does not take its target: ${FailedEntries[0]?.ErrorMessage}`)
}

/** Rules are numbered without gaps: they are added upwards and removed downwards. */
export async function countRules(functionName: string): Promise<number> {
  let count = 0
  while (await ruleExists(ruleName(functionName, count + 1))) count++
  return count
}

/** Removes all rules numbered above `keep`, the highest first. */
async function removeRules(functionName: string, keep: number): Promise<void> {
  const count = await countRules(functionName)
  for (let number = count; number > keep; number--) {
    const name = ruleName(functionName, number)
    await unlessMissing(bus.send(new RemoveTargetsCommand({ ...onBus(name), Ids: [TARGET_ID] })))
    await unlessMissing(bus.send(new DeleteRuleCommand({ EventBusName: env().BUS_NAME, Name: name })))
    await forbidRule(functionName, name)
  }
}

const ruleExists = async (name: string): Promise<boolean> =>
  (await unlessMissing(bus.send(new DescribeRuleCommand({ EventBusName: env().BUS_NAME, Name: name })))) !== undefined
