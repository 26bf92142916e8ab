/**
 * The embedded EventBridge: buses, rules by pattern and by schedule, and events delivered to Lambda functions, through
 * AWS's JSON 1.1 protocol. An acknowledged event is durable: the Lambda service has it on disk. Knows nothing of Wharf.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { LambdaService } from '../lambda/index.ts'
import { AwsError, json, parseJson, readInput, send } from '../lambda/wire.ts'
import { ACCOUNT_ID, REGION, type Service } from '../service.ts'
import * as busOperations from './bus-operations.ts'
import { Buses, type Rule } from './buses.ts'
import { type BusEvent, deliver, eventTime } from './delivery.ts'
import type { EventBridgeParts } from './parts.ts'
import { putEvents } from './put-events.ts'
import * as ruleOperations from './rule-operations.ts'
import { Schedules } from './schedules.ts'
import * as targetOperations from './target-operations.ts'

export interface EventBridgeOptions {
  /** The folder of buses and rules; only one process may use it at a time. */
  dataDir: string
  /** Where matched events go. */
  lambda: LambdaService
  /** The time events are given; schedules follow the system's clock. */
  now?: () => Date
  onLog?: (line: string) => void
}

export interface EventBridgeService extends Service {
  /** Runs the targets of a rule with a schedule now. Resolves when they are durable. */
  fire(ruleName: string, bus?: string): Promise<void>
}

export async function eventbridge(options: EventBridgeOptions): Promise<EventBridgeService> {
  const onLog = options.onLog ?? console.error
  const now = options.now ?? (() => new Date())
  const run = (rule: Rule) => deliver(options.lambda, rule, scheduledEvent(rule, now()))
  const buses = new Buses(join(options.dataDir, 'eventbridge', 'state.json'))
  const schedules = new Schedules((rule) => {
    run(rule).catch((error) => onLog(`Rule ${rule.name} could not run at its time: ${error}`))
  })
  for (const bus of buses.list()) for (const rule of Object.values(bus.rules)) schedules.set(rule)
  const parts = { buses, schedules, lambda: options.lambda, now }
  return {
    handle: (req, res) => handle(parts, req, res),
    fire: async (ruleName, bus) => run(buses.rule(ruleName, bus)),
    close: async () => schedules.close(),
  }
}

const scheduledEvent = (rule: Rule, time: Date): BusEvent => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: ACCOUNT_ID,
  time: eventTime(time),
  region: REGION,
  resources: [rule.arn],
  detail: {},
})

type Operation = (parts: EventBridgeParts, input: unknown) => unknown

const OPERATIONS = new Map<string, Operation>([
  ['CreateEventBus', busOperations.createEventBus],
  ['DeleteEventBus', busOperations.deleteEventBus],
  ['DeleteRule', ruleOperations.deleteRule],
  ['DescribeEventBus', busOperations.describeEventBus],
  ['DescribeRule', ruleOperations.describeRule],
  ['DisableRule', ruleOperations.disableRule],
  ['EnableRule', ruleOperations.enableRule],
  ['ListEventBuses', busOperations.listEventBuses],
  ['ListRuleNamesByTarget', ruleOperations.listRuleNamesByTarget],
  ['ListRules', ruleOperations.listRules],
  ['ListTagsForResource', busOperations.listTagsForResource],
  ['ListTargetsByRule', targetOperations.listTargetsByRule],
  ['PutEvents', putEvents],
  ['PutRule', ruleOperations.putRule],
  ['PutTargets', targetOperations.putTargets],
  ['RemoveTargets', targetOperations.removeTargets],
  ['TagResource', busOperations.tagResource],
  ['TestEventPattern', ruleOperations.testEventPattern],
  ['UntagResource', busOperations.untagResource],
])

const CONTENT_TYPE = 'application/x-amz-json-1.1'

async function handle(parts: EventBridgeParts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const requestId = randomUUID()
  try {
    const body = await readInput(req)
    const name = String(req.headers['x-amz-target'] ?? '').replace(/^AWSEvents\./, '')
    const operation = OPERATIONS.get(name)
    if (!operation) throw new AwsError(400, 'UnknownOperationException', `There is no operation ${name}`)
    send(res, requestId, CONTENT_TYPE, json(200, await operation(parts, parseJson(body))))
  } catch (error) {
    const known = error instanceof AwsError ? error : new AwsError(500, 'InternalException', String(error))
    send(res, requestId, CONTENT_TYPE, json(known.status, { __type: known.type, message: known.message }))
  }
}
