/**
 * The embedded Lambda and EventBridge when their process is killed (SIGKILL): what they acknowledged still happens, and
 * what they started does not outlive them. Each host is a process of its own, running the program below.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import {
  CreateEventBusCommand,
  EventBridgeClient,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge'
import { CreateFunctionCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { strToU8, zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientConfig } from '../support/conformance.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Serves both services and prints where, once what an earlier process left is started. Its platform function `worker`
 * notes the key of each event in a file, never ends (`hang`), or takes its time and meanwhile kills its process if the
 * key is `0` (`die`). With `alone` it serves nobody: it invokes the function `agent` once and has nothing left to do.
 */
const hostProgram = `
  import { appendFileSync } from 'node:fs'
  import { createServer } from 'node:http'
  import { eventbridge } from './localstack/cloud/eventbridge/index.ts'
  import { lambda } from './localstack/cloud/lambda/index.ts'
  const { DATA_DIR: dataDir, NOTES, MODE } = process.env
  const functions = await lambda({ dataDir, retryDelaySeconds: [0.05, 0.05] })
  const events = await eventbridge({ dataDir, lambda: functions })
  functions.platform('worker', async (event) => {
    if (MODE === 'hang') await new Promise(() => {})
    if (MODE === 'die') {
      await new Promise((resolve) => setTimeout(resolve, event.detail.key === '0' ? 50 : 100))
      if (event.detail.key === '0') process.kill(process.pid, 'SIGKILL')
    }
    appendFileSync(NOTES, event.detail.key + '\\n')
  })
  functions.platform('witness', async (record) => appendFileSync(NOTES, record.requestContext.condition + '\\n'))
  functions.start()
  if (MODE === 'alone') console.log((await functions.invoke('agent', {})).payload)
  else {
    const server = createServer((req, res) =>
      void (req.headers['x-amz-target'] ? events : functions).handle(req, res))
    server.listen(0, '127.0.0.1', () => console.log(server.address().port))
  }`

/** Has something left to do after its call, as a client with open connections has. */
const agentSource = 'setInterval(() => {}, 1000); export const handler = async () => process.pid'

interface Host {
  process: ChildProcess
  /** The first line it printed. */
  said: string
  events: EventBridgeClient
  functions: LambdaClient
}

const workerArn = 'arn:aws:lambda:us-east-1:000000000000:function:worker'

describe.skipIf(process.env.CLOUD)('after a SIGKILL of the host', { timeout: 90_000 }, () => {
  let dataDir: string
  let hosts: Host[]

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'wharf-crash-'))
    hosts = []
  })

  afterEach(async () => {
    for (const host of hosts) await kill(host)
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function start(mode: 'note' | 'hang' | 'die' | 'alone'): Promise<Host> {
    const env = { ...process.env, DATA_DIR: dataDir, NOTES: join(dataDir, 'notes'), MODE: mode }
    const args = ['--import', 'tsx', '--input-type=module', '-e', hostProgram]
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
    const said = await firstLine(child)
    const config = clientConfig(`http://127.0.0.1:${said}`)
    const host = { process: child, said, events: new EventBridgeClient(config), functions: new LambdaClient(config) }
    hosts.push(host)
    return host
  }

  async function firstLine(child: ChildProcess): Promise<string> {
    for await (const line of createInterface({ input: child.stdout! })) return line
    return ''
  }

  const ended = ({ process: child }: Host) =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
      else child.once('exit', resolve)
    })

  async function kill(host: Host): Promise<void> {
    host.process.kill('SIGKILL')
    await ended(host)
    host.events.destroy()
    host.functions.destroy()
  }

  async function connectWorker({ events }: Host): Promise<void> {
    await events.send(new CreateEventBusCommand({ Name: 'wharf' }))
    const rule = { Name: 'all', EventBusName: 'wharf', EventPattern: '{"source":["test"]}' }
    await events.send(new PutRuleCommand(rule))
    const Targets = [
      { Id: 'worker', Arn: workerArn, DeadLetterConfig: { Arn: workerArn.replace('worker', 'witness') } },
    ]
    await events.send(new PutTargetsCommand({ Rule: 'all', EventBusName: 'wharf', Targets }))
  }

  /** Publishes events with keys `<from>`, `<from + 1>`, ... until the host is gone or `count` are acknowledged. */
  async function publish({ events }: Host, from: number, count: number, acknowledged: string[]): Promise<void> {
    for (let key = from; key < from + count; key++) {
      const entry = {
        EventBusName: 'wharf',
        Source: 'test',
        DetailType: 't',
        Detail: JSON.stringify({ key: `${key}` }),
      }
      try {
        await events.send(new PutEventsCommand({ Entries: [entry] }))
      } catch {
        return
      }
      acknowledged.push(`${key}`)
    }
  }

  const notes = () =>
    existsSync(join(dataDir, 'notes')) ? readFileSync(join(dataDir, 'notes'), 'utf8').trim().split('\n') : []

  const until = <T>(probe: () => T) => expect.poll(probe, { timeout: 20_000, interval: 50 })

  it('every acknowledged event is delivered by the next host, with nothing done before', async () => {
    const first = await start('hang')
    await connectWorker(first)
    const acknowledged: string[] = []
    await Promise.all([0, 100, 200, 300].map((from) => publish(first, from, 25, acknowledged)))
    await kill(first)
    expect(acknowledged).toHaveLength(100)
    expect(notes()).toEqual([])
    await start('note')
    await until(() => new Set(notes()).size).toBe(100)
    expect(notes().sort()).toEqual(acknowledged.sort())
  })

  it('every acknowledged event is delivered at least once, whenever the kill comes', async () => {
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) {
      const host = await start('note')
      if (round === 0) await connectWorker(host)
      const enough = acknowledged.length + 40 + round * 37
      const publishing = [0, 1, 2, 3].map((lane) => publish(host, (round * 4 + lane) * 1_000, 1_000, acknowledged))
      await until(() => acknowledged.length).toBeGreaterThan(enough)
      host.process.kill('SIGKILL')
      await Promise.all(publishing)
    }
    await start('note')
    await until(() => acknowledged.filter((key) => !notes().includes(key))).toEqual([])
  })

  it('an invocation that kills every host is given up after three of them, and none of those beside it', async () => {
    const first = await start('hang')
    await connectWorker(first)
    await publish(first, 0, 5, [])
    await kill(first)
    for (const _ of [2, 3]) await ended(await start('die'))
    const last = await start('die')
    await until(() => notes().sort()).toEqual(['1', '2', '3', '4', 'RetriesExhausted'])
    expect(last.process.exitCode).toBeNull()
  })

  it('the processes of functions end', async () => {
    const host = await start('note')
    await createAgent(host)
    const { Payload } = await host.functions.send(new InvokeCommand({ FunctionName: 'agent' }))
    const pid = JSON.parse(Buffer.from(Payload!).toString()) as number
    expect(isAlive(pid)).toBe(true)
    await kill(host)
    await until(() => isAlive(pid)).toBe(false)
  })

  it('(or without one) idle processes of functions do not keep a host from ending', async () => {
    const host = await start('note')
    await createAgent(host)
    await kill(host)
    const alone = await start('alone')
    expect(Number(alone.said)).toBeGreaterThan(0)
    expect(await ended(alone)).toBe(0)
  })

  async function createAgent({ functions }: Host): Promise<void> {
    await functions.send(
      new CreateFunctionCommand({
        FunctionName: 'agent',
        Runtime: 'nodejs24.x',
        Role: 'arn:aws:iam::000000000000:role/agent',
        Handler: 'index.handler',
        Code: { ZipFile: zipSync({ 'index.mjs': strToU8(agentSource) }) },
      }),
    )
  }
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
