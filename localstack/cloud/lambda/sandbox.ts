/**
 * One process of one function, with read access to its code alone, its own environment and a memory cap. Answers one
 * call at a time and outlives calls that end well. Knows nothing of other processes, queues or HTTP.
 * Node's permission model is a seat belt, not a wall: it stops files, child processes, workers and addons, not the
 * network. In the cloud the boundary is Lambda.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { CallOutput } from './call-output.ts'
import { type Call, callLog, failure, type Outcome, timedOut, withinResponseLimit } from './invocation.ts'
import { sandboxEnvironment, sandboxFlags } from './sandbox-options.ts'

const RUNNER = fileURLToPath(new URL('./runner.mjs', import.meta.url))
/** Loaded by the runner where the function has no network. */
const NO_NETWORK = fileURLToPath(new URL('./no-network.mjs', import.meta.url))
/** Lambda's limit for loading the handler; it does not count against the function's own timeout. */
const INIT_TIMEOUT_SECONDS = 10

export interface SandboxSpec {
  functionName: string
  functionArn: string
  /** Absolute, without symbolic links. */
  codeDir: string
  handler: string
  environment: Record<string, string>
  timeoutSeconds: number
  memoryMegabytes: number
  network: boolean
}

/** What the runner says. `last` marks a result after which the process ends. */
type RunnerMessage =
  | { type: 'ready'; failure?: string }
  | { type: 'result'; requestId: string; payload: string; failed?: boolean; last?: boolean }

interface RunningCall {
  requestId: string
  settle(outcome: Outcome): void
}

export class Sandbox {
  readonly spec: SandboxSpec
  /** Resolves when the process has ended and all it wrote has been read. */
  readonly ended: Promise<void>
  /** False once the process must not be given another call. */
  usable = true

  readonly #child: ChildProcess
  readonly #output: CallOutput
  readonly #ready: Promise<Outcome | undefined>
  #settleReady: (failed?: Outcome) => void = () => {}
  #call: RunningCall | undefined
  /** The outcome of the start or call for which the process was killed. */
  #verdict: Outcome | undefined

  constructor(spec: SandboxSpec, onLog: (line: string) => void) {
    this.spec = spec
    const endMark = randomUUID()
    this.#child = startProcess(spec)
    this.#output = new CallOutput(this.#child, endMark, onLog)
    this.#ready = new Promise((resolve) => {
      this.#settleReady = resolve
    })
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        this.#onClose(code, signal)
        resolve()
      })
    })
    this.#child.on('exit', () => {
      this.usable = false
    })
    this.#child.on('message', (message: RunnerMessage) => void this.#onMessage(message))
    this.#child.on('error', (error) => this.#kill(failure('Runtime.ExitError', `The process failed: ${error.message}`)))
    const { codeDir, handler: handlerName, network } = spec
    this.#child.send({ type: 'init', codeDir, handlerName, endMark, network })
  }

  /** Runs one call; never rejects: whatever the process does is the call's outcome. */
  async invoke(call: Call): Promise<Outcome> {
    this.#keepHostAlive(true)
    const startedAt = performance.now()
    const failedStart = await this.#started()
    const outcome = failedStart ?? (await this.#run(call))
    const lines = this.#output.take()
    if (this.usable) this.#keepHostAlive(false)
    const log = callLog(call.requestId, lines, performance.now() - startedAt, this.spec.memoryMegabytes)
    return withinResponseLimit({ ...outcome, log })
  }

  /** Ends the process, and with it the call it may be answering. */
  stop(): Promise<void> {
    this.usable = false
    this.#keepHostAlive(true)
    this.#child.kill('SIGKILL')
    return this.ended
  }

  async #started(): Promise<Outcome | undefined> {
    const limit = failure(
      'Sandbox.Timedout',
      `INIT_REPORT Init Duration: ${INIT_TIMEOUT_SECONDS}000.00 ms Status: timeout`,
    )
    const timer = setTimeout(() => this.#kill(limit), INIT_TIMEOUT_SECONDS * 1000)
    const failed = await this.#ready
    clearTimeout(timer)
    return failed
  }

  #run(call: Call): Promise<Outcome> {
    const { functionArn, timeoutSeconds } = this.spec
    return new Promise((resolve) => {
      const expire = () => this.#kill(timedOut(call.requestId, timeoutSeconds))
      const timer = setTimeout(expire, timeoutSeconds * 1000)
      const settle = (outcome: Outcome) => {
        clearTimeout(timer)
        this.#call = undefined
        resolve(outcome)
      }
      this.#call = { requestId: call.requestId, settle }
      const deadline = Date.now() + timeoutSeconds * 1000
      if (this.#child.connected) this.#child.send({ type: 'call', ...call, functionArn, deadline }, () => {})
      else this.#kill(failure('Runtime.ExitError', `RequestId: ${call.requestId} Error: Runtime exited`))
    })
  }

  async #onMessage(message: RunnerMessage): Promise<void> {
    if (message.type === 'ready') {
      if (message.failure === undefined) return this.#settleReady()
      return this.#kill({ functionError: 'Unhandled', payload: message.failure, log: '' })
    }
    const call = this.#call
    if (call?.requestId !== message.requestId) return
    if (message.last) this.usable = false
    await this.#output.callEnded()
    call.settle({ payload: message.payload, functionError: message.failed ? 'Unhandled' : undefined, log: '' })
  }

  #kill(verdict: Outcome): void {
    this.usable = false
    this.#verdict ??= verdict
    this.#child.kill('SIGKILL')
  }

  #onClose(code: number | null, signal: NodeJS.Signals | null): void {
    this.usable = false
    const outcome = this.#verdict ?? exited(this.#call?.requestId, code, signal)
    this.#settleReady(outcome)
    this.#call?.settle(outcome)
  }

  /** An idle process and its pipes never keep the host from ending; a process at work does. */
  #keepHostAlive(alive: boolean): void {
    const handles = [this.#child, this.#child.channel, this.#child.stdout, this.#child.stderr] as (Referenced | null)[]
    for (const handle of handles) alive ? handle?.ref() : handle?.unref()
  }
}

/** What Node gives every handle of a child process, its pipes (sockets, though typed as plain streams) included. */
interface Referenced {
  ref(): void
  unref(): void
}

function startProcess(spec: SandboxSpec): ChildProcess {
  return fork(RUNNER, [], {
    cwd: spec.codeDir,
    env: sandboxEnvironment(spec),
    execArgv: sandboxFlags(spec, [RUNNER, NO_NETWORK]),
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

function exited(requestId: string | undefined, code: number | null, signal: NodeJS.Signals | null): Outcome {
  const how = signal ? `signal: ${signal}` : `exit status ${code}`
  const reason = code === 0 ? 'Runtime exited without providing a reason' : `Runtime exited with error: ${how}`
  return failure('Runtime.ExitError', `RequestId: ${requestId ?? 'none'} Error: ${reason}`)
}
