/** The embedded Lambda and EventBridge when killed (SIGKILL): acknowledged work happens, and no child survives. */
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
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RUN_BUNDLED } from '../../../test/support/bundle-agent.ts'
import { clientConfig } from '../../../test/support/conformance.ts'
import { functionInput, poll } from './lambda-kit.ts'

const HOST = fileURLToPath(new URL('lambda-process.ts', import.meta.url))

const agentSource = 'setInterval(() => {}, 1000); export const handler = async () => process.pid'

interface Host {
  process: ChildProcess
  firstLine: string
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

  async function startHost(mode: 'note' | 'hang' | 'die' | 'alone'): Promise<Host> {
    const env = { ...process.env, DATA_DIR: dataDir, NOTES: join(dataDir, 'notes'), MODE: mode }
    const child = spawn(process.execPath, [RUN_BUNDLED, HOST], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const firstLine = await readFirstLine(child)
    const config = clientConfig(`http://127.0.0.1:${firstLine}`)
    const host = {
      process: child,
      firstLine,
      events: new EventBridgeClient(config),
      functions: new LambdaClient(config),
    }
    hosts.push(host)
    return host
  }

  async function readFirstLine(child: ChildProcess): Promise<string> {
    for await (const line of createInterface({ input: child.stdout! })) return line
    return ''
  }

  const waitForExit = ({ process: child }: Host) =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
      else child.once('exit', resolve)
    })

  async function kill(host: Host): Promise<void> {
    host.process.kill('SIGKILL')
    await waitForExit(host)
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

  const readNotes = () =>
    existsSync(join(dataDir, 'notes')) ? readFileSync(join(dataDir, 'notes'), 'utf8').trim().split('\n') : []

  it('the next host delivers every acknowledged event without further setup', async () => {
    const first = await startHost('hang')
    await connectWorker(first)
    const acknowledged: string[] = []
    await Promise.all([0, 100, 200, 300].map((from) => publish(first, from, 25, acknowledged)))
    await kill(first)
    expect(acknowledged).toHaveLength(100)
    expect(readNotes()).toEqual([])
    await startHost('note')
    await poll(() => new Set(readNotes()).size).toBe(100)
    expect(readNotes().sort()).toEqual(acknowledged.sort())
  })

  it('every acknowledged event is delivered at least once, whenever the kill happens', async () => {
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) {
      const host = await startHost('note')
      if (round === 0) await connectWorker(host)
      const enough = acknowledged.length + 40 + round * 37
      const publishing = [0, 1, 2, 3].map((lane) => publish(host, (round * 4 + lane) * 1_000, 1_000, acknowledged))
      await poll(() => acknowledged.length).toBeGreaterThan(enough)
      host.process.kill('SIGKILL')
      await Promise.all(publishing)
    }
    await startHost('note')
    await poll(() => acknowledged.filter((key) => !readNotes().includes(key))).toEqual([])
  })

  it('an invocation that kills three hosts is dropped, and the others still run', async () => {
    const first = await startHost('hang')
    await connectWorker(first)
    await publish(first, 0, 5, [])
    await kill(first)
    for (const _ of [2, 3]) await waitForExit(await startHost('die'))
    const last = await startHost('die')
    await poll(() => readNotes().sort()).toEqual(['1', '2', '3', '4', 'RetriesExhausted'])
    expect(last.process.exitCode).toBeNull()
  })

  it('the function processes end', async () => {
    const host = await startHost('note')
    await createAgent(host)
    const { Payload } = await host.functions.send(new InvokeCommand({ FunctionName: 'agent' }))
    const pid = JSON.parse(Buffer.from(Payload!).toString()) as number
    expect(isAlive(pid)).toBe(true)
    await kill(host)
    await poll(() => isAlive(pid)).toBe(false)
  })

  it('idle function processes do not keep a host running (also without a kill)', async () => {
    const host = await startHost('note')
    await createAgent(host)
    await kill(host)
    const alone = await startHost('alone')
    expect(Number(alone.firstLine)).toBeGreaterThan(0)
    expect(await waitForExit(alone)).toBe(0)
  })

  async function createAgent({ functions }: Host): Promise<void> {
    await functions.send(new CreateFunctionCommand(functionInput('agent', agentSource)))
  }
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
