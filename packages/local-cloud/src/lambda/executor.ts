/** Runs calls of functions, in this process (the platform's) or in a separate one, and counts the running calls. */
import { totalmem } from 'node:os'
import type { Functions } from './functions.ts'
import { type Call, type Outcome, toErrorOutcome } from './invocation.ts'
import { buildFunctionArn } from './names.ts'
import { runPlatformFunction } from './platform.ts'
import type { SandboxSpec } from './sandbox.ts'
import { SandboxPool } from './sandbox-pool.ts'

const MAX_PROCESSES_PER_FUNCTION = 4
const MAX_PLATFORM_CALLS_PER_FUNCTION = 16
/** Idle processes stay for the next call, up to a quarter of the machine's memory, but at least 32. */
const PROCESS_BYTES = 45 * 1024 * 1024
const MAX_PROCESSES = Math.max(32, Math.floor(totalmem() / 4 / PROCESS_BYTES))
const IDLE_SECONDS = 60

export interface ExecutorOptions {
  functions: Functions
  onLog(line: string): void
}

export class Executor {
  onCallEnd: (functionName: string) => void = () => {}

  readonly #functions: Functions
  readonly #pool: SandboxPool
  readonly #running = new Map<string, number>()

  constructor({ functions, onLog }: ExecutorOptions) {
    this.#functions = functions
    this.#pool = new SandboxPool({
      buildSpec: (name) => buildSandboxSpec(functions, name),
      onLog: (name, line) => onLog(`[${name}] ${line}`),
      maxProcessesPerFunction: MAX_PROCESSES_PER_FUNCTION,
      maxProcesses: MAX_PROCESSES,
      idleSeconds: IDLE_SECONDS,
    })
  }

  #countRunning(functionName: string): number {
    return this.#running.get(functionName) ?? 0
  }

  hasFreeSlot(functionName: string): boolean {
    const maxCalls = this.#functions.getPlatformHandler(functionName)
      ? MAX_PLATFORM_CALLS_PER_FUNCTION
      : MAX_PROCESSES_PER_FUNCTION
    return this.#countRunning(functionName) < maxCalls
  }

  async execute(functionName: string, call: Call): Promise<Outcome> {
    this.#running.set(functionName, this.#countRunning(functionName) + 1)
    try {
      return await this.#run(functionName, call)
    } catch (error) {
      return toErrorOutcome(error)
    } finally {
      this.#running.set(functionName, this.#countRunning(functionName) - 1)
      this.onCallEnd(functionName)
    }
  }

  retire(functionName: string): Promise<void> {
    return this.#pool.retire(functionName)
  }

  stop(functionName: string): Promise<void> {
    return this.#pool.stop(functionName)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #run(functionName: string, call: Call): Promise<Outcome> {
    const handler = this.#functions.getPlatformHandler(functionName)
    if (!handler) {
      await this.#functions.ensureUnpacked(functionName)
      return this.#pool.run(functionName, call)
    }
    const { timeoutSeconds, memoryMegabytes } = this.#functions.get(functionName).configuration
    return runPlatformFunction(handler, { ...call, functionName, timeoutSeconds, memoryMegabytes })
  }
}

function buildSandboxSpec(functions: Functions, name: string): SandboxSpec {
  const { configuration } = functions.get(name)
  const isolated = functions.isIsolated(name)
  return {
    functionName: name,
    functionArn: buildFunctionArn(name),
    codeDir: functions.getCodeDir(configuration),
    handler: configuration.handler,
    environment: isolated ? {} : configuration.environment,
    network: !isolated,
    timeoutSeconds: configuration.timeoutSeconds,
    memoryMegabytes: configuration.memoryMegabytes,
  }
}
