/** The processes of all functions. Starting one takes longer than most calls, so calls first wait for an idle one. */
import type { Call, Outcome } from './invocation.ts'
import { Sandbox, type SandboxSpec } from './sandbox.ts'

export interface PoolOptions {
  buildSpec(functionName: string): SandboxSpec
  onLog(functionName: string, line: string): void
  maxProcessesPerFunction: number
  maxProcesses: number
  idleSeconds: number
}

const START_MS = 100
const MAX_WAIT_MS = 2000

interface Waiter {
  functionName: string
  since: number
  resolve(sandbox: Sandbox): void
  reject(error: unknown): void
}

export class SandboxPool {
  readonly #options: PoolOptions
  readonly #sandboxes = new Map<Sandbox, NodeJS.Timeout | 'busy'>()
  readonly #retired = new Set<Sandbox>()
  #waiters: Waiter[] = []
  #serveTimer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  async run(functionName: string, call: Call): Promise<Outcome> {
    const sandbox = await this.#acquire(functionName)
    const outcome = await sandbox.invoke(call)
    this.#release(sandbox)
    return outcome
  }

  /** Idle processes end now, busy ones after their call. Resolves when no process uses the old code. */
  async retire(functionName: string): Promise<void> {
    const retired = this.#getSandboxes(functionName)
    for (const sandbox of retired) {
      const idle = this.#sandboxes.get(sandbox) !== 'busy'
      this.#forget(sandbox)
      this.#retired.add(sandbox)
      if (idle) void sandbox.stop()
    }
    await Promise.all(retired.map((sandbox) => sandbox.ended))
  }

  async stop(functionName: string): Promise<void> {
    const retired = [...this.#retired].filter(({ spec }) => spec.functionName === functionName)
    const sandboxes = [...this.#getSandboxes(functionName), ...retired]
    for (const sandbox of sandboxes) this.#forget(sandbox)
    await Promise.all(sandboxes.map((sandbox) => sandbox.stop()))
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#serveWaiters()
    const sandboxes = [...this.#sandboxes.keys(), ...this.#retired]
    for (const sandbox of this.#sandboxes.keys()) this.#forget(sandbox)
    await Promise.all(sandboxes.map((sandbox) => sandbox.stop()))
  }

  #acquire(functionName: string): Promise<Sandbox> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ functionName, since: performance.now(), resolve, reject })
      this.#serveWaiters()
    })
  }

  #release(sandbox: Sandbox): void {
    if (this.#retired.has(sandbox)) void sandbox.stop()
    else if (!sandbox.usable) this.#forget(sandbox)
    else this.#sandboxes.set(sandbox, this.#stopWhenIdle(sandbox))
    this.#serveWaiters()
  }

  #serveWaiters(): void {
    clearTimeout(this.#serveTimer)
    this.#serve(
      (waiter) => this.#hasWaited(waiter, MAX_WAIT_MS) && (this.#takeIdle(waiter) ?? this.#startIfAllowed(waiter)),
    )
    this.#serve((waiter) => this.#takeIdle(waiter))
    this.#serve((waiter) => this.#startIfAllowed(waiter))
    if (this.#waiters.length > 0) this.#serveTimer = setTimeout(() => this.#serveWaiters(), START_MS)
  }

  #serve(findSandbox: (waiter: Waiter) => Sandbox | false | undefined): void {
    this.#waiters = this.#waiters.filter((waiter) => {
      try {
        if (this.#closed) throw new Error('The embedded Lambda is closed')
        const sandbox = findSandbox(waiter)
        if (sandbox) waiter.resolve(sandbox)
        return !sandbox
      } catch (error) {
        waiter.reject(error)
        return false
      }
    })
  }

  #hasWaited = ({ since }: Waiter, ms: number): boolean => performance.now() - since >= ms

  #takeIdle({ functionName }: Waiter): Sandbox | undefined {
    const isFree = (sandbox: Sandbox) => sandbox.usable && this.#sandboxes.get(sandbox) !== 'busy'
    const idle = this.#getSandboxes(functionName).findLast(isFree)
    return idle && this.#markBusy(idle)
  }

  #startIfAllowed(waiter: Waiter): Sandbox | undefined {
    const functionSandboxes = this.#getSandboxes(waiter.functionName)
    if (functionSandboxes.length >= this.#options.maxProcessesPerFunction) return undefined
    if (functionSandboxes.length > 0 && !this.#hasWaited(waiter, START_MS)) return undefined
    if (this.#sandboxes.size >= this.#options.maxProcesses && !this.#evictIdle()) return undefined
    return this.#start(waiter.functionName)
  }

  #start(functionName: string): Sandbox {
    const sandbox = new Sandbox(this.#options.buildSpec(functionName), (line) =>
      this.#options.onLog(functionName, line),
    )
    void sandbox.ended.then(() => {
      this.#forget(sandbox)
      this.#retired.delete(sandbox)
      this.#serveWaiters()
    })
    return this.#markBusy(sandbox)
  }

  #markBusy(sandbox: Sandbox): Sandbox {
    this.#forget(sandbox)
    this.#sandboxes.set(sandbox, 'busy')
    return sandbox
  }

  #stopWhenIdle(sandbox: Sandbox): NodeJS.Timeout {
    const stop = () => {
      this.#forget(sandbox)
      void sandbox.stop()
    }
    return setTimeout(stop, this.#options.idleSeconds * 1000).unref()
  }

  /** The map is in order of last use, so the first idle process is the oldest. */
  #evictIdle(): boolean {
    const idle = [...this.#sandboxes].find(([, state]) => state !== 'busy')?.[0]
    if (!idle) return false
    this.#forget(idle)
    void idle.stop()
    return true
  }

  #forget(sandbox: Sandbox): void {
    const state = this.#sandboxes.get(sandbox)
    if (state !== 'busy') clearTimeout(state)
    this.#sandboxes.delete(sandbox)
  }

  #getSandboxes(functionName: string): Sandbox[] {
    return [...this.#sandboxes.keys()].filter((sandbox) => sandbox.spec.functionName === functionName)
  }
}
