/**
 * Runs a user's function over a batch of records in QuickJS compiled to WebAssembly: an engine that has the JavaScript
 * language and nothing else. The machine is given no function of this process. Each call has a new instance and a memory that
 * is all zeros, so that nothing of one call reaches another.
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
import type { Answer, Call, Failed } from './call.ts'
import { DRIVER } from './driver.ts'
import { MACHINE_MEGABYTES, SOURCE_NAME } from './limits.ts'

/** Of the 1 MB that the WebAssembly module has; deeper recursion is an error inside the machine. */
const STACK_BYTES = 256 * 1024
const JOBS_AT_ONCE = 1000
/** For reading how far a stopped function came. */
const POSITION_MS = 200

/** The package describes the types of its CommonJS form. */
const variant = packaged as unknown as QuickJSSyncVariant

/** Node has it, its types do not. */
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
/** What the engine starts with; it must have so much. */
const INITIAL_BYTES = 16 * MEGABYTE
/** The engine's own data on top of what the function may hold. WebAssembly gives no more than this. */
const MAXIMUM_BYTES = (MACHINE_MEGABYTES + 32) * MEGABYTE
/** A memory that grew larger is not used again. */
const REUSED_BYTES = 64 * MEGABYTE

/**
 * The one memory of this process. It is emptied and used again, because V8 frees the memory of a dropped instance only when
 * it collects garbage, which is much later.
 */
class MachineMemory {
  #memory = newMemory()

  /** All zeros. */
  next(): Memory {
    if (this.#memory.buffer.byteLength > REUSED_BYTES) {
      this.#memory = newMemory()
      collectGarbage()
    } else new Uint8Array(this.#memory.buffer).fill(0)
    return this.#memory
  }
}
const newMemory = (): Memory => new Memory({ initial: INITIAL_BYTES / PAGE_BYTES, maximum: MAXIMUM_BYTES / PAGE_BYTES })

/** Node offers it to contexts that are made while the flag is set. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  setFlagsFromString('--no-expose-gc')
}

/** Calls wait for each other, because they share the memory. @param wasm the bytes of the engine, at `ENGINE_PATH` */
export function evaluator(wasm: Uint8Array): (call: Call) => Promise<Answer> {
  const wasmModule = new Module(wasm)
  const memory = new MachineMemory()
  let last: Promise<unknown> = Promise.resolve()
  return (call) => {
    const answer = last.then(() => perform(call))
    last = answer.catch(() => {})
    return answer
  }

  async function perform(call: Call): Promise<Answer> {
    const wasmMemory = memory.next()
    const engine = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory }))
    const machine = new Machine(engine.newRuntime(), wasmMemory)
    try {
      return within(call.milliseconds, () => machine.perform(call))
    } catch (error) {
      const at = positionOf(machine)
      return { failed: { ...stopped(error), ...(at === undefined ? {} : { at }) } }
    }
  }
}

type Result = ReturnType<QuickJSContext['callFunction']>

/** A runtime with the driver in it. Errors of the user's function are answers; others are thrown by the engine. */
class Machine {
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #memory: Memory
  readonly #driver: Record<'run' | 'position' | 'finish' | 'describe', QuickJSHandle>

  constructor(runtime: QuickJSRuntime, memory: Memory) {
    this.#memory = memory
    runtime.setMemoryLimit(MACHINE_MEGABYTES * MEGABYTE)
    runtime.setMaxStackSize(STACK_BYTES)
    this.#runtime = runtime
    this.#context = runtime.newContext()
    const driver = this.#context.unwrapResult(this.#context.evalCode(DRIVER, 'driver.js'))
    const member = (name: string): QuickJSHandle => this.#context.getProp(driver, name)
    this.#driver = {
      run: member('run'),
      position: member('position'),
      finish: member('finish'),
      describe: member('describe'),
    }
  }

  perform({ program, filename, ids, columns }: Call): Answer {
    const context = this.#context
    const loaded = context.evalCode(program, filename)
    if (loaded.error) return { failed: this.#failed('load', loaded.error) }
    const texts = context.newArray()
    for (const [place, [, values]] of columns.entries()) context.setProp(texts, place, context.newString(values))
    const fields = context.newString(JSON.stringify(columns.map(([field]) => field)))
    const ran = this.#call(this.#driver.run, loaded.value, context.newString(ids), fields, texts)
    if (ran.error) return { failed: this.#failed('threw', ran.error) }
    while (this.#runtime.hasPendingJob()) {
      const { error } = this.#runtime.executePendingJobs(JOBS_AT_ONCE)
      if (error) return { failed: this.#failed('threw', error) }
    }
    return this.#answer()
  }

  /** The place of the last record whose turn it was. */
  position(): number | undefined {
    const place = this.#call(this.#driver.position)
    return place.error ? undefined : this.#context.getNumber(place.value)
  }

  #call(made: QuickJSHandle, ...args: QuickJSHandle[]): Result {
    return this.#context.callFunction(made, this.#context.undefined, ...args)
  }

  #answer(): Answer {
    const finished = this.#call(this.#driver.finish)
    if (finished.error) return { failed: this.#failed('threw', finished.error) }
    const text = this.#context.getString(finished.value)
    if (text.startsWith(CHANGES)) return { changes: text.slice(CHANGES.length, -1) }
    const { at, error } = (JSON.parse(text) as { failed: { at: number; error: string } }).failed
    return { failed: { ...this.#described('threw', error), at } }
  }

  #failed(kind: Failed['kind'], error: QuickJSHandle): Failed {
    const text = this.#call(this.#driver.describe, error)
    return this.#described(kind, text.error ? JSON.stringify([UNDESCRIBED, '']) : this.#context.getString(text.value))
  }

  /** The engine throws `null` where it has no memory left for the error or its description. Its memory never shrinks. */
  #described(kind: Failed['kind'], text: string): Failed {
    const failed = described(kind, text)
    const isFull = this.#memory.buffer.byteLength >= MACHINE_MEGABYTES * MEGABYTE
    return isFull && ['null', UNDESCRIBED].includes(failed.message)
      ? { kind: 'memory', message: 'InternalError: out of memory' }
      : failed
  }
}

/** As the driver says it (DRIVER). */
const UNDESCRIBED = 'it threw something that has no description'
const CHANGES = '{"changes":'

/** @param text JSON: the message and the stack of what was thrown */
function described(kind: Failed['kind'], text: string): Failed {
  const [message, stack] = JSON.parse(text) as [message: string, stack: string]
  if (message.startsWith('InternalError: out of memory')) return { kind: 'memory', message }
  const line = LINE.exec(stack)?.[1]
  const known = HINTS.find(([pattern]) => pattern.test(message))
  return { kind, message: [message, known && ` (${known[1]})`, line && ` (line ${line})`].filter(Boolean).join('') }
}
const LINE = new RegExp(`${SOURCE_NAME.replace('.', '\\.')}:(\\d+)`)
/** Errors of the engine whose cause is that a mutation has the language alone. */
const HINTS: [pattern: RegExp, hint: string][] = [
  [/could not load module/, 'a mutation can import nothing'],
  [/'Intl' is not defined/, 'a mutation has the language without Intl and locales'],
]

/** What Node or WebAssembly ended, in the middle of the engine's work. */
function stopped(error: unknown): Failed {
  const { code, name, message } = error as Error & { code?: string }
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { kind: 'time', message }
  return { kind: 'threw', message: `${name}: ${message}` }
}

/** A machine that was stopped in its middle may not answer any more. */
function positionOf(machine: Machine): number | undefined {
  try {
    return within(POSITION_MS, () => machine.position())
  } catch {
    return undefined
  }
}

/**
 * Node ends a script that takes too long together with all it called: an endless loop in WebAssembly too. The script is the one
 * line below; `node:vm` keeps time here and is no border.
 */
const watched = createContext({ work: (): void => {} })
const WORK = new Script('work()')
function within<T>(milliseconds: number, work: () => T): T {
  const done: T[] = []
  watched.work = () => void done.push(work())
  try {
    WORK.runInContext(watched, { timeout: Math.max(1, milliseconds) })
  } finally {
    watched.work = () => {}
  }
  return done[0] as T
}
