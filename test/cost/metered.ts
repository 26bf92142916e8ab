/** The platform on an embedded cloud in this process, everything it asks of AWS counted. */
import { EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { S3Client } from '@aws-sdk/client-s3'
import { bodyLimit } from '../../localstack/body-limits.ts'
import { type Cloud, startCloud } from '../../localstack/cloud/server.ts'
import { type Local, seed } from '../../localstack/seed.ts'

/** Everything AWS would count. */
export interface Usage {
  httpRequests: number
  /** Capacity units of DynamoDB, and requests to it. */
  written: number
  read: number
  tableRequests: number
  puts: number
  gets: number
  /** Bytes put into the bucket. */
  putBytes: number
  busEvents: number
  /** Runs of the platform's functions; agents' come beside. */
  runs: number
  gigabyteSeconds: number
}

export interface Metered {
  cloud: Cloud
  local: Local
  /** What `work` caused, also after its answers: until nothing runs any more. */
  usageOf(work: () => Promise<unknown>): Promise<Usage>
  /** A request to the API by the seeded environment's key. */
  // biome-ignore lint/suspicious/noExplicitAny: replies are read as they come
  call(method: string, path: string, body?: unknown): Promise<any>
}

const nothing = (): Usage => ({
  ...{ httpRequests: 0, written: 0, read: 0, tableRequests: 0, puts: 0, gets: 0, putBytes: 0 },
  ...{ busEvents: 0, runs: 0, gigabyteSeconds: 0 },
})

export async function metered(dataDir: string): Promise<Metered> {
  let usage = nothing()
  const onRun = ({ memoryMegabytes, milliseconds }: { memoryMegabytes: number; milliseconds: number }): void => {
    usage.runs++
    usage.gigabyteSeconds += (memoryMegabytes / 1024) * (milliseconds / 1000)
  }
  const cloud = await startCloud({ dataDir, cloudPort: 0, apiPort: 0, bodyLimit, onRun })
  await cloud.loaded
  const local = await seed(dataDir, { baseUrl: `${cloud.apiUrl}/api`, cloud })
  await countTable((units, isRead) => {
    usage.tableRequests++
    if (isRead) usage.read += units
    else usage.written += units
  })
  countSent(S3Client, (name, input) => {
    if (/^(Get|Head)/.test(name)) usage.gets++
    else if (!/^Delete/.test(name)) usage.puts++
    const { Body } = input as { Body?: string | Uint8Array }
    if (name.startsWith('Put') && Body) usage.putBytes += Buffer.byteLength(Body)
  })
  countSent(EventBridgeClient, (name, input) => {
    if (name.startsWith('PutEvents')) usage.busEvents += (input as { Entries: unknown[] }).Entries.length
  })
  const headers = { authorization: `Bearer ${local.environments[0]!.secretKey}`, 'content-type': 'application/json' }
  return {
    cloud,
    local,
    async usageOf(work) {
      await cloud.lambda.idle()
      usage = nothing()
      await work()
      await cloud.lambda.idle()
      return usage
    },
    async call(method, path, body) {
      usage.httpRequests++
      const url = path.startsWith('/v2/') ? `${cloud.apiUrl}${path}` : `${local.baseUrl}/v1${path}`
      const answer = await fetch(url, {
        ...{ method, headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
      const json = JSON.parse(text)
      return json.data ?? json
    },
  }
}

const READS = /^(?:Get|BatchGet|Query|Scan)/

interface Capacity {
  CapacityUnits?: number
}

/** Has each request answer what it cost. */
async function countTable(count: (units: number, isRead: boolean) => void): Promise<void> {
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

/** Clients are made where they are needed, and kept there: every one sends by its class. */
function countSent(client: Client, count: (name: string, input: unknown) => void): void {
  const { send } = client.prototype
  client.prototype.send = function (this: unknown, ...args: unknown[]) {
    const command = args[0] as { input: unknown }
    count(command.constructor.name, command.input)
    return Reflect.apply(send, this, args)
  } as typeof send
}
