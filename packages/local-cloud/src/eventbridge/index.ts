/** The embedded EventBridge over AWS's JSON 1.1 protocol. An acknowledged event is durable. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { LambdaService } from '../lambda/index.ts'
import { AwsError, parseJson, readInput, send, toJsonResponse } from '../lambda/wire.ts'
import { ACCOUNT_ID, REGION, type Service } from '../service.ts'
import * as busOperations from './bus-operations.ts'
import { Buses, type Rule } from './buses.ts'
import type { EventBridgeComponents } from './components.ts'
import { type BusEvent, deliver, formatEventTime } from './delivery.ts'
import { putEvents } from './put-events.ts'
import * as ruleOperations from './rule-operations.ts'
import { Schedules } from './schedules.ts'
import * as targetOperations from './target-operations.ts'

export interface EventBridgeOptions {
  dataDir: string
  lambda: LambdaService
  now?: () => Date
  onLog?: (line: string) => void
}

export interface EventBridgeService extends Service {
  /** Runs a scheduled rule's targets immediately. Resolves when they are durable. */
  fire(ruleName: string, bus?: string): Promise<void>
}

export async function startEventbridge(options: EventBridgeOptions): Promise<EventBridgeService> {
  const onLog = options.onLog ?? console.error
  const now = options.now ?? (() => new Date())
  const deliverScheduled = (rule: Rule) => deliver(options.lambda, rule, buildScheduledEvent(rule, now()))
  const buses = new Buses(join(options.dataDir, 'eventbridge', 'state.json'))
  const schedules = new Schedules((rule) => {
    deliverScheduled(rule).catch((error) => onLog(`Rule ${rule.name} could not run on schedule: ${error}`))
  })
  for (const bus of buses.list()) for (const rule of Object.values(bus.rules)) schedules.set(rule)
  const components = { buses, schedules, lambda: options.lambda, now }
  return {
    handle: (req, res) => handle(components, req, res),
    fire: async (ruleName, bus) => deliverScheduled(buses.getRule(ruleName, bus)),
    close: async () => schedules.close(),
  }
}

const buildScheduledEvent = (rule: Rule, time: Date): BusEvent => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: ACCOUNT_ID,
  time: formatEventTime(time),
  region: REGION,
  resources: [rule.arn],
  detail: {},
})

type Operation = (components: EventBridgeComponents, input: unknown) => unknown

const OPERATIONS = new Map<string, Operation>([
  ['CreateEventBus', busOperations.createEventBus],
  ['DeleteRule', ruleOperations.deleteRule],
  ['DescribeRule', ruleOperations.describeRule],
  ['DisableRule', ruleOperations.disableRule],
  ['EnableRule', ruleOperations.enableRule],
  ['ListEventBuses', busOperations.listEventBuses],
  ['ListRules', ruleOperations.listRules],
  ['ListTargetsByRule', targetOperations.listTargetsByRule],
  ['PutEvents', putEvents],
  ['PutRule', ruleOperations.putRule],
  ['PutTargets', targetOperations.putTargets],
  ['RemoveTargets', targetOperations.removeTargets],
])

const CONTENT_TYPE = 'application/x-amz-json-1.1'

async function handle(components: EventBridgeComponents, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const requestId = randomUUID()
  try {
    const body = await readInput(req)
    const name = String(req.headers['x-amz-target'] ?? '').replace(/^AWSEvents\./, '')
    const operation = OPERATIONS.get(name)
    if (!operation) throw new AwsError(400, 'UnknownOperationException', `There is no operation ${name}`)
    send(res, requestId, CONTENT_TYPE, toJsonResponse(200, await operation(components, parseJson(body))))
  } catch (error) {
    const awsError = error instanceof AwsError ? error : new AwsError(500, 'InternalException', String(error))
    send(
      res,
      requestId,
      CONTENT_TYPE,
      toJsonResponse(awsError.status, { __type: awsError.type, message: awsError.message }),
    )
  }
}
