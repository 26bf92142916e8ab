/**
 * The processes of all functions: gives each call a process of its own function, starts more for concurrent calls up to
 * a limit, stops idle ones, and retires those whose function changed. Knows nothing of where functions are kept.
 *
 * A process takes longer to start than most calls take: a free one goes to the next call of its own function before another
 * function may have its place, and a function gets a further one only for a call that waited for as long as a start takes.
 */
import type { Call, Outcome } from './invocation.ts'
import { Sandbox, type SandboxSpec } from './sandbox.ts'

export interface PoolOptions {
  /** What a new process of that function is to be; throws when there is no such function. */
  specOf(functionName: string): SandboxSpec
  onLog(functionName: string, line: string): void
  processesPerFunction: number
  processesInAll: number
  idleSeconds: number
}

/** What the start of a process takes, about. */
const START_MS = 100
/** A call that waited for so long is next, whoever else has calls for the processes there are. */
const PATIENCE_MS = 2000

interface Waiter {
  functionName: string
  /** Of `performance.now()`. */
  since: number
  resolve(sandbox: Sandbox): void
  reject(error: unknown): void
}

export class SandboxPool {
  readonly #options: PoolOptions
  /** Every living process that may still be given calls, with its timer while it is idle. */
  readonly #sandboxes = new Map<Sandbox, NodeJS.Timeout | 'busy'>()
  /** Living processes that finish their call and end. */
  readonly #retired = new Set<Sandbox>()
  /** Oldest first. */
  #waiters: Waiter[] = []
  #serveAgain: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Runs a call in a free process of the function, a new one, or the next that becomes free. */
  async run(functionName: string, call: Call): Promise<Outcome> {
    const sandbox = await this.#acquire(functionName)
    const outcome = await sandbox.invoke(call)
    this.#release(sandbox)
    return outcome
  }

  /**
   * Lets no process of the function take another call: idle ones end now, busy ones after their call. Resolves when
   * the last of them has ended, from when on nothing reads the code they were started with.
   */
  async retire(functionName: string): Promise<void> {
    const retired = this.#of(functionName)
    for (const sandbox of retired) {
      const idle = this.#sandboxes.get(sandbox) !== 'busy'
      this.#forget(sandbox)
      this.#retired.add(sandbox)
      if (idle) void sandbox.stop()
    }
    await Promise.all(retired.map((sandbox) => sandbox.ended))
  }

  /** Ends every process of the function, whatever it does, those of its earlier code too. */
  async stop(functionName: string): Promise<void> {
    const retired = [...this.#retired].filter(({ spec }) => spec.functionName === functionName)
    const all = [...this.#of(functionName), ...retired]
    for (const sandbox of all) this.#forget(sandbox)
    await Promise.all(all.map((sandbox) => sandbox.stop()))
  }

  /** Ends every process, whatever it does. */
  async close(): Promise<void> {
    this.#closed = true
    this.#serveWaiters()
    const all = [...this.#sandboxes.keys(), ...this.#retired]
    for (const sandbox of this.#sandboxes.keys()) this.#forget(sandbox)
    await Promise.all(all.map((sandbox) => sandbox.stop()))
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
    clearTimeout(this.#serveAgain)
    this.#serve((waiter) => this.#hasWaited(waiter, PATIENCE_MS) && (this.#idle(waiter) ?? this.#started(waiter)))
    this.#serve((waiter) => this.#idle(waiter))
    this.#serve((waiter) => this.#started(waiter))
    if (this.#waiters.length > 0) this.#serveAgain = setTimeout(() => this.#serveWaiters(), START_MS)
  }

  #serve(take: (waiter: Waiter) => Sandbox | false | undefined): void {
    this.#waiters = this.#waiters.filter((waiter) => {
      try {
        if (this.#closed) throw new Error('The embedded Lambda is closed')
        const sandbox = take(waiter)
        if (sandbox) waiter.resolve(sandbox)
        return !sandbox
      } catch (error) {
        waiter.reject(error)
        return false
      }
    })
  }

  #hasWaited = ({ since }: Waiter, ms: number): boolean => performance.now() - since >= ms

  #idle({ functionName }: Waiter): Sandbox | undefined {
    const isFree = (sandbox: Sandbox) => sandbox.usable && this.#sandboxes.get(sandbox) !== 'busy'
    const idle = this.#of(functionName).findLast(isFree)
    return idle && this.#markBusy(idle)
  }

  #started(waiter: Waiter): Sandbox | undefined {
    const own = this.#of(waiter.functionName)
    if (own.length >= this.#options.processesPerFunction) return undefined
    if (own.length > 0 && !this.#hasWaited(waiter, START_MS)) return undefined
    if (this.#sandboxes.size >= this.#options.processesInAll && !this.#evictIdle()) return undefined
    return this.#start(waiter.functionName)
  }

  #start(functionName: string): Sandbox {
    const sandbox = new Sandbox(this.#options.specOf(functionName), (line) => this.#options.onLog(functionName, line))
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

  /** Ends the process that has been idle longest (processes move to the end of the map whenever they are used). */
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

  #of(functionName: string): Sandbox[] {
    return [...this.#sandboxes.keys()].filter((sandbox) => sandbox.spec.functionName === functionName)
  }
}
