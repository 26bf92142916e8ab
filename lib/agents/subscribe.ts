/**
 * Subscribes an agent's function to its topics: rules `<function>-1`, `<function>-2`, ... on the bus, the function as
 * their target. Every step can be repeated; a step that was interrupted is completed by doing it all again.
 */
import {
  DeleteRuleCommand,
  DescribeRuleCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge'
import { clientDefaults } from '../core/cloud.ts'
import { env } from '../core/env.ts'
import { conflict } from '../core/errors.ts'
import { allowRule, forbidRule } from './function.ts'
import { unlessMissing } from './missing.ts'
import { patternsFor } from './rules.ts'

const bus = new EventBridgeClient(clientDefaults())

/** Every rule has this one target. */
const TARGET_ID = 'agent'
/** A day, after which EventBridge gives up and the event goes to the dead letters. */
const DELIVERY = { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 }

const ruleName = (functionName: string, number: number) => `${functionName}-${number}`
const onBus = (name: string) => ({ EventBusName: env().BUS_NAME, Rule: name })

export interface Subscriber {
  functionName: string
  functionArn: string
  environmentId: string
}

/**
 * Makes the agent's rules match exactly `topics`. Meanwhile an event may reach it twice, none is lost: a rule
 * that topics move to is written before the one they leave.
 * @throws 409 when the bus takes no more rules
 */
export async function subscribe(agent: Subscriber, topics: readonly string[]): Promise<void> {
  const patterns = patternsFor(topics, agent.environmentId)
  const existing = await countRules(agent.functionName)
  const numbers = patterns.map((_, index) => index + 1)
  // Topics move to the new rules when rules are added, to the lower ones when rules fall away: see rules.ts.
  for (const number of [...numbers.slice(existing), ...numbers.slice(0, existing)]) {
    await putRule(agent, number, patterns[number - 1]!)
  }
  await removeRules(agent.functionName, patterns.length)
}

/** Takes away all rules of the function. */
export const unsubscribe = (functionName: string): Promise<void> => removeRules(functionName, 0)

async function putRule({ functionName, functionArn }: Subscriber, number: number, pattern: string): Promise<void> {
  const name = ruleName(functionName, number)
  const { EventBusName } = onBus(name)
  const rule = new PutRuleCommand({ Name: name, EventBusName, EventPattern: pattern, State: 'ENABLED' })
  const { RuleArn } = await bus.send(rule).catch((error: Error) => {
    throw error.name === 'LimitExceededException'
      ? conflict('The event bus takes no more rules: delete an agent, or ask for a higher limit.')
      : error
  })
  await allowRule(functionName, name, RuleArn!)
  const { DEAD_LETTER_ARN } = env()
  const target = {
    Id: TARGET_ID,
    Arn: functionArn,
    RetryPolicy: DELIVERY,
    ...(DEAD_LETTER_ARN ? { DeadLetterConfig: { Arn: DEAD_LETTER_ARN } } : {}),
  }
  const { FailedEntries = [] } = await bus.send(new PutTargetsCommand({ ...onBus(name), Targets: [target] }))
  if (FailedEntries.length > 0)
    throw new Error(`The rule ${name} does not take its target: ${FailedEntries[0]?.ErrorMessage}`)
}

/** Rules are numbered without gaps: they are added upwards and removed downwards. */
async function countRules(functionName: string): Promise<number> {
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
