/**
 * Runs one call of one function, in this process (the platform's) or in a process of its own, and knows how many calls
 * of each function are running. Knows nothing of retries, queues or HTTP.
 */
import { totalmem } from 'node:os'
import type { Functions } from './functions.ts'
import { type Call, type Outcome, thrown } from './invocation.ts'
import { functionArn } from './names.ts'
import { runPlatformFunction } from './platform.ts'
import type { SandboxSpec } from './sandbox.ts'
import { SandboxPool } from './sandbox-pool.ts'

/** What the queue may run of one function at a time, unless less is reserved for it. */
const PROCESSES_PER_FUNCTION = 4
const PLATFORM_CALLS_PER_FUNCTION = 16
/** Idle processes stay for the next call as long as all together take a quarter of the machine's memory, or no more than 32. */
const PROCESS_BYTES = 45 * 1024 * 1024
const PROCESSES_IN_ALL = Math.max(32, Math.floor(totalmem() / 4 / PROCESS_BYTES))
const IDLE_SECONDS = 60

export interface ExecutorOptions {
  functions: Functions
  /** Variables that every run-time function gets besides its own. */
  agentEnvironment: Record<string, string>
  onLog(line: string): void
}

export class Executor {
  /** Told whenever a call of a function ends. */
  onFree: (functionName: string) => void = () => {}

  readonly #functions: Functions
  readonly #pool: SandboxPool
  readonly #running = new Map<string, number>()

  constructor({ functions, agentEnvironment, onLog }: ExecutorOptions) {
    this.#functions = functions
    this.#pool = new SandboxPool({
      specOf: (name) => sandboxSpec(functions, name, agentEnvironment),
      onLog: (name, line) => onLog(`[${name}] ${line}`),
      processesPerFunction: PROCESSES_PER_FUNCTION,
      processesInAll: PROCESSES_IN_ALL,
      idleSeconds: IDLE_SECONDS,
    })
  }

  running(functionName: string): number {
    return this.#running.get(functionName) ?? 0
  }

  /** Whether the queue may start one more call of the function now. */
  hasFreeSlot(functionName: string): boolean {
    const own = this.#functions.platformHandler(functionName) ? PLATFORM_CALLS_PER_FUNCTION : PROCESSES_PER_FUNCTION
    const reserved = this.#functions.find(functionName)?.reservedConcurrency || own
    return this.running(functionName) < Math.min(own, reserved)
  }

  /** Runs a call; never rejects: a function that is gone by now is an outcome too. */
  async execute(functionName: string, call: Call): Promise<Outcome> {
    this.#running.set(functionName, this.running(functionName) + 1)
    try {
      return await this.#run(functionName, call)
    } catch (error) {
      return thrown(error)
    } finally {
      this.#running.set(functionName, this.running(functionName) - 1)
      this.onFree(functionName)
    }
  }

  /** Lets running calls of a changed or deleted function end with the code they have; resolves when they did. */
  retire(functionName: string): Promise<void> {
    return this.#pool.retire(functionName)
  }

  /** Ends the processes of a function, whatever they do. */
  stop(functionName: string): Promise<void> {
    return this.#pool.stop(functionName)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #run(functionName: string, call: Call): Promise<Outcome> {
    const handler = this.#functions.platformHandler(functionName)
    if (!handler) {
      await this.#functions.unpacked(functionName)
      return this.#pool.run(functionName, call)
    }
    const { timeoutSeconds, memoryMegabytes } = this.#functions.get(functionName).configuration
    return runPlatformFunction(handler, { ...call, functionName, timeoutSeconds, memoryMegabytes })
  }
}

function sandboxSpec(functions: Functions, name: string, agentEnvironment: Record<string, string>): SandboxSpec {
  const { configuration } = functions.get(name)
  const isolated = functions.isIsolated(name)
  return {
    functionName: name,
    functionArn: functionArn(name),
    codeDir: functions.codeDir(configuration),
    handler: configuration.handler,
    environment: isolated ? {} : { ...agentEnvironment, ...configuration.environment },
    network: !isolated,
    timeoutSeconds: configuration.timeoutSeconds,
    memoryMegabytes: configuration.memoryMegabytes,
  }
}
