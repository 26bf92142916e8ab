/**
 * Runs a user's function over a batch of records in QuickJS on WebAssembly. Every call has a new instance and zeroed
 * memory, and the machine gets no function of this process.
 */
import { setFlagsFromString } from 'node:v8'
import { createContext, runInNewContext, Script } from 'node:vm'
import packaged from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { message } from '../../../schemas/messages/index.ts'
import type { MutationCall, MutationFailure, MutationResult } from './call.ts'
import { DRIVER } from './driver.ts'
import { MAX_MACHINE_MEGABYTES, SOURCE_NAME } from './limits.ts'

const STACK_BYTES = 256 * 1024
const MAX_PENDING_JOBS_PER_RUN = 1000
const POSITION_TIMEOUT_MS = 200

/** The package only types its CommonJS build. */
const variant = packaged as unknown as QuickJSSyncVariant

const { Memory, Module } = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object
  Memory: new (pages: { initial: number; maximum: number }) => Memory
}
interface Memory {
  readonly buffer: ArrayBuffer
}

const PAGE_BYTES = 64 * 1024
const MEGABYTE = 1024 * 1024
const INITIAL_BYTES = 16 * MEGABYTE
const MAXIMUM_BYTES = (MAX_MACHINE_MEGABYTES + 32) * MEGABYTE
const MAX_REUSED_BYTES = 64 * MEGABYTE

/** Reused, because V8 frees the memory of a dropped instance only at a much later garbage collection. */
class MachineMemory {
  #memory = createMemory()

  reset(): Memory {
    if (this.#memory.buffer.byteLength > MAX_REUSED_BYTES) {
      this.#memory = createMemory()
      collectGarbage()
    } else new Uint8Array(this.#memory.buffer).fill(0)
    return this.#memory
  }
}
const createMemory = (): Memory =>
  new Memory({ initial: INITIAL_BYTES / PAGE_BYTES, maximum: MAXIMUM_BYTES / PAGE_BYTES })

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  setFlagsFromString('--no-expose-gc')
}

/** Calls run one after another because they share the memory. `wasm` is the content of `ENGINE_PATH`. */
export function createMutationEvaluator(wasm: Uint8Array): (call: MutationCall) => Promise<MutationResult> {
  const wasmModule = new Module(wasm)
  const memory = new MachineMemory()
  let last: Promise<unknown> = Promise.resolve()
  return (call) => {
    const result = last.then(() => runCall(call))
    last = result.catch(() => {})
    return result
  }

  async function runCall(call: MutationCall): Promise<MutationResult> {
    const wasmMemory = memory.reset()
    const engine = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory }))
    const machine = new Machine(engine.newRuntime(), wasmMemory)
    try {
      return runWithTimeout(call.milliseconds, () => machine.runCall(call))
    } catch (error) {
      const at = readPosition(machine)
      return { failed: { ...toInterruptFailure(error), ...(at === undefined ? {} : { at }) } }
    }
  }
}

type Result = ReturnType<QuickJSContext['callFunction']>

/** Errors of the user's function are returned; engine errors are thrown. */
class Machine {
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #memory: Memory
  readonly #driver: Record<'run' | 'position' | 'read' | 'finish' | 'describe', QuickJSHandle>

  constructor(runtime: QuickJSRuntime, memory: Memory) {
    this.#memory = memory
    runtime.setMemoryLimit(MAX_MACHINE_MEGABYTES * MEGABYTE)
    runtime.setMaxStackSize(STACK_BYTES)
    this.#runtime = runtime
    this.#context = runtime.newContext()
    const driver = this.#context.unwrapResult(this.#context.evalCode(DRIVER, 'driver.js'))
    const getProperty = (name: string): QuickJSHandle => this.#context.getProp(driver, name)
    this.#driver = {
      run: getProperty('run'),
      position: getProperty('position'),
      read: getProperty('read'),
      finish: getProperty('finish'),
      describe: getProperty('describe'),
    }
  }

  runCall({ program, filename, idRanges, columns }: MutationCall): MutationResult {
    const context = this.#context
    const loadedFunction = context.evalCode(program, filename)
    if (loadedFunction.error) return { failed: this.#describeFailure('load', loadedFunction.error) }
    const texts = context.newArray()
    for (const [index, [, values]] of columns.entries())
      context.setProp(texts, index, values === null ? context.null : context.newString(values))
    const fields = context.newString(JSON.stringify(columns.map(([field]) => field)))
    const outcome = this.#call(this.#driver.run, loadedFunction.value, context.newString(idRanges), fields, texts)
    if (outcome.error) return { failed: this.#describeFailure('threw', outcome.error) }
    while (this.#runtime.hasPendingJob()) {
      const { error } = this.#runtime.executePendingJobs(MAX_PENDING_JOBS_PER_RUN)
      if (error) return { failed: this.#describeFailure('threw', error) }
    }
    return this.#readResult()
  }

  position(): number | undefined {
    const index = this.#call(this.#driver.position)
    return index.error ? undefined : this.#context.getNumber(index.value)
  }

  #call(handle: QuickJSHandle, ...args: QuickJSHandle[]): Result {
    return this.#context.callFunction(handle, this.#context.undefined, ...args)
  }

  #readResult(): MutationResult {
    const output = this.#call(this.#driver.finish)
    if (output.error) return { failed: this.#describeFailure('threw', output.error) }
    const text = this.#context.getString(output.value)
    if (text.startsWith(CHANGES)) return { changes: text.slice(CHANGES.length, -1), read: this.#readFields() }
    const { at, error } = (JSON.parse(text) as { failed: { at: number; error: string } }).failed
    return { failed: { ...this.#toFailure('threw', error), at } }
  }

  #readFields(): string[] {
    return JSON.parse(this.#context.getString(this.#context.unwrapResult(this.#call(this.#driver.read)))) as string[]
  }

  #describeFailure(kind: MutationFailure['kind'], error: QuickJSHandle): MutationFailure {
    const text = this.#call(this.#driver.describe, error)
    return this.#toFailure(
      kind,
      text.error ? JSON.stringify([UNDESCRIBED_ERROR, '']) : this.#context.getString(text.value),
    )
  }

  /** The engine throws `null` when it has no memory left to describe the error. Its memory never shrinks. */
  #toFailure(kind: MutationFailure['kind'], text: string): MutationFailure {
    const failed = toFailure(kind, text)
    const isFull = this.#memory.buffer.byteLength >= MAX_MACHINE_MEGABYTES * MEGABYTE
    return isFull && ['null', UNDESCRIBED_ERROR].includes(failed.message)
      ? { kind: 'memory', message: 'InternalError: out of memory' }
      : failed
  }
}

const UNDESCRIBED_ERROR = message('mutations.undescribedError')
const CHANGES = '{"changes":'

function toFailure(kind: MutationFailure['kind'], text: string): MutationFailure {
  const [error, stack] = JSON.parse(text) as [error: string, stack: string]
  if (error.startsWith('InternalError: out of memory')) return { kind: 'memory', message: error }
  const line = LINE.exec(stack)?.[1]
  const hint = HINTS.find(([pattern]) => pattern.test(error))
  const hinted = hint ? message(hint[1], { error }) : error
  return { kind, message: line === undefined ? hinted : message('mutations.errorAtLine', { error: hinted, line }) }
}
const LINE = new RegExp(`${SOURCE_NAME.replace('.', '\\.')}:(\\d+)`)
const HINTS: [pattern: RegExp, key: 'mutations.noImports' | 'mutations.noIntl'][] = [
  [/could not load module/, 'mutations.noImports'],
  [/'Intl' is not defined/, 'mutations.noIntl'],
]

function toInterruptFailure(error: unknown): MutationFailure {
  const { code, name, message: reason } = error as Error & { code?: string }
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { kind: 'time', message: reason }
  return { kind: 'threw', message: `${name}: ${reason}` }
}

function readPosition(machine: Machine): number | undefined {
  try {
    return runWithTimeout(POSITION_TIMEOUT_MS, () => machine.position())
  } catch {
    return undefined
  }
}

/** Node's script timeout also stops endless loops in WebAssembly. `node:vm` is only a timer here, not a sandbox. */
const timeoutContext = createContext({ work: (): void => {} })
const TIMEOUT_SCRIPT = new Script('work()')
function runWithTimeout<T>(milliseconds: number, work: () => T): T {
  const results: T[] = []
  timeoutContext.work = () => void results.push(work())
  try {
    TIMEOUT_SCRIPT.runInContext(timeoutContext, { timeout: Math.max(1, milliseconds) })
  } finally {
    timeoutContext.work = () => {}
  }
  return results[0] as T
}
