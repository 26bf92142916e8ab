/** A process of one function. Node's permissions are a seat belt, not a wall; in the cloud Lambda is the boundary. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { CallOutput } from './call-output.ts'
import {
  type Call,
  createFailure,
  createTimeoutOutcome,
  enforceResponseLimit,
  formatCallLog,
  type Outcome,
} from './invocation.ts'
import { buildSandboxEnvironment, buildSandboxFlags } from './sandbox-options.ts'

const RUNNER = fileURLToPath(new URL('./runner.mjs', import.meta.url))
const NO_NETWORK = fileURLToPath(new URL('./no-network.mjs', import.meta.url))
/** Lambda's limit for loading the handler; it does not count against the function's timeout. */
const INIT_TIMEOUT_SECONDS = 10

export interface SandboxSpec {
  functionName: string
  functionArn: string
  codeDir: string
  handler: string
  environment: Record<string, string>
  timeoutSeconds: number
  memoryMegabytes: number
  network: boolean
}

type RunnerMessage =
  | { type: 'ready'; failure?: string }
  | { type: 'result'; requestId: string; payload: string; failed?: boolean; last?: boolean }

interface RunningCall {
  requestId: string
  finish(outcome: Outcome): void
}

export class Sandbox {
  readonly spec: SandboxSpec
  readonly ended: Promise<void>
  usable = true

  readonly #child: ChildProcess
  readonly #output: CallOutput
  readonly #ready: Promise<Outcome | undefined>
  #resolveReady: (failed?: Outcome) => void = () => {}
  #call: RunningCall | undefined
  #killOutcome: Outcome | undefined

  constructor(spec: SandboxSpec, onLog: (line: string) => void) {
    this.spec = spec
    const endMark = randomUUID()
    this.#child = startProcess(spec)
    this.#output = new CallOutput(this.#child, endMark, onLog)
    this.#ready = new Promise((resolve) => {
      this.#resolveReady = resolve
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
    this.#child.on('error', (error) =>
      this.#kill(createFailure('Runtime.ExitError', `The process failed: ${error.message}`)),
    )
    const { codeDir, handler: handlerName, network } = spec
    this.#child.send({ type: 'init', codeDir, handlerName, endMark, network })
  }

  async invoke(call: Call): Promise<Outcome> {
    this.#keepHostAlive(true)
    const startedAt = performance.now()
    const failedStart = await this.#waitForStart()
    const outcome = failedStart ?? (await this.#run(call))
    const lines = this.#output.takeLines()
    if (this.usable) this.#keepHostAlive(false)
    const log = formatCallLog(call.requestId, lines, performance.now() - startedAt, this.spec.memoryMegabytes)
    return enforceResponseLimit({ ...outcome, log })
  }

  stop(): Promise<void> {
    this.usable = false
    this.#keepHostAlive(true)
    this.#child.kill('SIGKILL')
    return this.ended
  }

  async #waitForStart(): Promise<Outcome | undefined> {
    const timeoutOutcome = createFailure(
      'Sandbox.Timedout',
      `INIT_REPORT Init Duration: ${INIT_TIMEOUT_SECONDS}000.00 ms Status: timeout`,
    )
    const timer = setTimeout(() => this.#kill(timeoutOutcome), INIT_TIMEOUT_SECONDS * 1000)
    const failed = await this.#ready
    clearTimeout(timer)
    return failed
  }

  #run(call: Call): Promise<Outcome> {
    const { functionArn, timeoutSeconds } = this.spec
    return new Promise((resolve) => {
      const expire = () => this.#kill(createTimeoutOutcome(call.requestId, timeoutSeconds))
      const timer = setTimeout(expire, timeoutSeconds * 1000)
      const finish = (outcome: Outcome) => {
        clearTimeout(timer)
        this.#call = undefined
        resolve(outcome)
      }
      this.#call = { requestId: call.requestId, finish }
      const deadline = Date.now() + timeoutSeconds * 1000
      if (this.#child.connected) this.#child.send({ type: 'call', ...call, functionArn, deadline }, () => {})
      else this.#kill(createFailure('Runtime.ExitError', `RequestId: ${call.requestId} Error: Runtime exited`))
    })
  }

  async #onMessage(message: RunnerMessage): Promise<void> {
    if (message.type === 'ready') {
      if (message.failure === undefined) return this.#resolveReady()
      return this.#kill({ functionError: 'Unhandled', payload: message.failure, log: '' })
    }
    const call = this.#call
    if (call?.requestId !== message.requestId) return
    if (message.last) this.usable = false
    await this.#output.waitForCallEnd()
    call.finish({ payload: message.payload, functionError: message.failed ? 'Unhandled' : undefined, log: '' })
  }

  #kill(outcome: Outcome): void {
    this.usable = false
    this.#killOutcome ??= outcome
    this.#child.kill('SIGKILL')
  }

  #onClose(code: number | null, signal: NodeJS.Signals | null): void {
    this.usable = false
    const outcome = this.#killOutcome ?? buildExitOutcome(this.#call?.requestId, code, signal)
    this.#resolveReady(outcome)
    this.#call?.finish(outcome)
  }

  #keepHostAlive(alive: boolean): void {
    const handles = [this.#child, this.#child.channel, this.#child.stdout, this.#child.stderr] as (Referenced | null)[]
    for (const handle of handles) alive ? handle?.ref() : handle?.unref()
  }
}

interface Referenced {
  ref(): void
  unref(): void
}

function startProcess(spec: SandboxSpec): ChildProcess {
  return fork(RUNNER, [], {
    cwd: spec.codeDir,
    env: buildSandboxEnvironment(spec),
    execArgv: buildSandboxFlags(spec, [RUNNER, NO_NETWORK]),
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

function buildExitOutcome(requestId: string | undefined, code: number | null, signal: NodeJS.Signals | null): Outcome {
  const cause = signal ? `signal: ${signal}` : `exit status ${code}`
  const reason = code === 0 ? 'Runtime exited without providing a reason' : `Runtime exited with error: ${cause}`
  return createFailure('Runtime.ExitError', `RequestId: ${requestId ?? 'none'} Error: ${reason}`)
}
