/** Starts platforms from another program. The platform itself is a separate bundle, which this one loads or runs. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ParentMessage, ProcessMessage } from './messages.ts'
import type { Platform, PlatformInfo, PlatformOptions, ProcessOptions } from './types.ts'

export type { LocalEnvironment, Platform, PlatformInfo, PlatformOptions, ProcessOptions } from './types.ts'

/** Longer than the platform gives its requests and functions. */
const STOP_MS = 10_000

/**
 * Runs the platform in this process, which can run one at a time.
 * @throws Error with the name `CannotStartError` for a port or a folder that cannot be used
 */
export async function runPlatform(options: PlatformOptions): Promise<Platform> {
  const path = './platform.mjs'
  const module = (await import(path)) as { runPlatform(options: PlatformOptions): Promise<Platform> }
  return module.runPlatform(options)
}

/** Runs a platform in a process that ends with this one, even if this one is killed. */
export async function startPlatform({ onLog = console.error, ...options }: ProcessOptions = {}): Promise<Platform> {
  const program = fileURLToPath(new URL('./process.mjs', import.meta.url))
  const child = fork(program, [JSON.stringify({ port: 0, ...options })], {
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'json',
  })
  for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', onLog)
  const info = await waitForStart(child)
  let stopping: Promise<void> | undefined
  letParentEnd(child)
  return {
    ...info,
    waitUntilIdle: () => waitUntilIdle(child),
    stop: () => (stopping ??= stop(child)),
  }
}

function waitForStart(child: ChildProcess): Promise<PlatformInfo> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      reject(new Error(`The platform's process ended with ${signal ?? code} before it was ready.`)),
    )
    child.once('message', (message: ProcessMessage) => {
      if ('started' in message) resolve(message.started)
      else if ('failed' in message)
        reject(Object.assign(new Error(message.failed.message), { name: message.failed.name }))
    })
  })
}

/** A test that fails to stop its platform must not keep its runner from ending. */
function letParentEnd(child: ChildProcess): void {
  const handles = [child, child.channel, child.stdout, child.stderr] as (Unreferenced | null)[]
  for (const handle of handles) handle?.unref()
}

type Unreferenced = { unref(): void }

let calls = 0

function waitUntilIdle(child: ChildProcess): Promise<void> {
  const idle = ++calls
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      child.off('message', onMessage)
      child.off('exit', onExit)
      child.channel?.unref()
      if (error) reject(error)
      else resolve()
    }
    const onMessage = (message: ProcessMessage) => 'idle' in message && message.idle === idle && settle()
    const onExit = () => settle(new Error('The platform was stopped.'))
    if (!child.connected) return onExit()
    child.channel?.ref()
    child.on('message', onMessage).on('exit', onExit)
    child.send({ idle } satisfies ParentMessage)
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exited = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  if (child.connected) child.disconnect()
  await exited
  clearTimeout(timer)
  await Promise.all([child.stdout!, child.stderr!].map(waitForEnd))
}

const waitForEnd = (stream: Readable): Promise<unknown> =>
  stream.closed ? Promise.resolve() : once(stream, 'close', { signal: AbortSignal.timeout(1000) }).catch(() => {})
