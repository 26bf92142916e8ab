/** Runs the platform on an embedded cloud in this process and counts everything it uses of AWS. */
import { DisableRuleCommand, EventBridgeClient, ListRulesCommand } from '@aws-sdk/client-eventbridge'
import { S3Client } from '@aws-sdk/client-s3'
import { CLOUD_OPTIONS } from '../../localstack/cloud-options.ts'
import { type Local, seed } from '../../localstack/seed.ts'
import { type Cloud, startCloud } from '../../packages/local-cloud/src/server.ts'

export interface Usage {
  httpRequests: number
  written: number
  read: number
  tableRequests: number
  puts: number
  gets: number
  putBytes: number
  busEvents: number
  runs: number
  gigabyteSeconds: number
}

export interface Metered {
  cloud: Cloud
  local: Local
  usageOf(work: () => Promise<unknown>): Promise<Usage>
  // biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
  call(method: string, path: string, body?: unknown): Promise<any>
}

const createUsage = (): Usage => ({
  ...{ httpRequests: 0, written: 0, read: 0, tableRequests: 0, puts: 0, gets: 0, putBytes: 0 },
  ...{ busEvents: 0, runs: 0, gigabyteSeconds: 0 },
})

export async function startMetered(dataDir: string): Promise<Metered> {
  let usage = createUsage()
  const onRun = ({ memoryMegabytes, milliseconds }: { memoryMegabytes: number; milliseconds: number }): void => {
    usage.runs++
    usage.gigabyteSeconds += (memoryMegabytes / 1024) * (milliseconds / 1000)
  }
  const cloud = await startCloud({ ...CLOUD_OPTIONS, dataDir, cloudPort: 0, apiPort: 0, onRun })
  await cloud.loaded
  const local = await seed(dataDir, { baseUrl: `${cloud.apiUrl}/api`, cloud })
  await disableSchedules()
  await countTableUsage((units, isRead) => {
    usage.tableRequests++
    if (isRead) usage.read += units
    else usage.written += units
  })
  countCommands(S3Client, (name, input) => {
    if (/^(Get|Head)/.test(name)) usage.gets++
    else if (!/^Delete/.test(name)) usage.puts++
    const { Body } = input as { Body?: string | Uint8Array }
    if (name.startsWith('Put') && Body) usage.putBytes += Buffer.byteLength(Body)
  })
  countCommands(EventBridgeClient, (name, input) => {
    if (name.startsWith('PutEvents')) usage.busEvents += (input as { Entries: unknown[] }).Entries.length
  })
  const headers = { authorization: `Bearer ${local.environments[0]!.secretKey}`, 'content-type': 'application/json' }
  return {
    cloud,
    local,
    async usageOf(work) {
      await cloud.lambda.idle()
      usage = createUsage()
      await work()
      await cloud.lambda.idle()
      return usage
    },
    async call(method, path, body) {
      usage.httpRequests++
      const url = path.startsWith('/v2/') ? `${cloud.apiUrl}${path}` : `${local.baseUrl}/v1${path}`
      const response = await fetch(url, {
        ...{ method, headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
      const json = JSON.parse(text)
      return json.data ?? json
    },
  }
}

/** Otherwise a minute that begins during a measurement adds the runs of three functions. */
async function disableSchedules(): Promise<void> {
  const client = new EventBridgeClient()
  const { Rules = [] } = await client.send(new ListRulesCommand({}))
  for (const { Name, ScheduleExpression } of Rules)
    if (ScheduleExpression) await client.send(new DisableRuleCommand({ Name }))
  client.destroy()
}

const READS = /^(?:Get|BatchGet|Query|Scan)/

interface Capacity {
  CapacityUnits?: number
}

async function countTableUsage(count: (units: number, isRead: boolean) => void): Promise<void> {
  const { dynamo } = await import('../../lib/table/client.ts')
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' })
      const result = await next(args)
      const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Capacity | Capacity[] }
      const units = [ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)
      count(units, READS.test(String(context.commandName)))
      return result
    },
    { step: 'initialize', name: 'countTable' },
  )
}

type Client = typeof S3Client | typeof EventBridgeClient

function countCommands(client: Client, count: (name: string, input: unknown) => void): void {
  const { send } = client.prototype
  client.prototype.send = function (this: unknown, ...args: unknown[]) {
    const command = args[0] as { input: unknown }
    count(command.constructor.name, command.input)
    return Reflect.apply(send, this, args)
  } as typeof send
}
