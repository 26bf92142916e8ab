/** Runs tasks on large inputs in worker threads, so that a job uses more than one core. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { processEnv } from '../env.ts'
import { lazy } from '../lazy.ts'
import type { Request, Response } from './serve.ts'
import type { AnyTask, Task } from './task.ts'

/** Lambda gives functions this much memory for each core, but shows them two cores with less. */
const MEGABYTES_PER_CORE = 1769

function countCores(): number {
  const { AWS_LAMBDA_FUNCTION_MEMORY_SIZE: megabytes } = processEnv()
  return megabytes === undefined ? availableParallelism() : Math.floor(megabytes / MEGABYTES_PER_CORE)
}

const MAX_THREADS = 3

export function countThreads({ isMainBusy }: Pick<AnyTask, 'isMainBusy'>): number {
  const cores = countCores()
  return Math.min(MAX_THREADS, isMainBusy || cores === 1 ? cores - 1 : cores)
}

/** Starting threads costs more than they save below this number. */
export const MIN_RECORDS_FOR_THREADS = 300_000

const INPUTS_PER_THREAD = 2
/** Threads are reused, because a new one needs about 100 ms until its code is fast. */
const IDLE_MS = 10_000

const loadCode = lazy(() => import('./code.ts'))

export interface Runner<Input, Output> {
  threads: number
  capacity: number
  /** @param thread its index, for tasks that collect something; otherwise, the one with the fewest inputs runs it */
  run(input: Input, thread?: number): Promise<Output>
  end(): void
}

/** Without threads, the task runs here. */
export async function startTask<Setup, Input, Output>(
  task: Task<Setup, Input, Output>,
  setup: Setup,
  { inThreads }: { inThreads: boolean },
): Promise<Runner<Input, Output>> {
  const { THREAD_CODE } = inThreads && countThreads(task) > 0 ? await loadCode() : { THREAD_CODE: undefined }
  if (THREAD_CODE !== undefined) return startInThreads(THREAD_CODE, task, setup)
  const run = await task.start(setup)
  return { threads: 1, capacity: 0, run: async (input) => run(input), end: () => {} }
}

/** Yields the outputs in the order of the inputs. */
export async function* runTask<Setup, Input, Output>(
  task: Task<Setup, Input, Output>,
  setup: Setup,
  inputs: AsyncIterable<Input>,
  options: { inThreads: boolean },
): AsyncGenerator<Output> {
  const { capacity, run, end } = await startTask(task, setup, options)
  const running: Promise<Output>[] = []
  try {
    for await (const input of inputs) {
      running.push(run(input))
      if (running.length > capacity) yield await running.shift()!
    }
    while (running.length > 0) yield await running.shift()!
  } finally {
    end()
  }
}

interface Thread {
  worker: Worker
  calls: Map<number, { resolve(output: unknown): void; reject(error: Error): void }>
  sessions: number
  idleTimer?: NodeJS.Timeout
  failure?: Error
}

const threads: Thread[] = []
let lastId = 0

function startInThreads<Setup, Input, Output>(
  code: string,
  task: Task<Setup, Input, Output>,
  setup: Setup,
): Runner<Input, Output> {
  const count = countThreads(task)
  while (threads.length < count) threads.push(createThread(code))
  const session = ++lastId
  const used = threads.slice(0, count)
  for (const thread of used) {
    clearTimeout(thread.idleTimer)
    thread.sessions++
    thread.worker.ref()
    send(thread, { type: 'start', session, task: task.name, setup })
  }
  return {
    threads: used.length,
    capacity: used.length * INPUTS_PER_THREAD,
    run(input, index) {
      const thread = index === undefined ? findLeastBusy(used) : used[index]!
      const restored = call(thread, session, input).then((output) => task.restoreOutput(output as Output))
      // A failure surfaces when the output is awaited, not as an unhandled rejection.
      restored.catch(() => {})
      return restored
    },
    end() {
      for (const thread of used) {
        send(thread, { type: 'end', session })
        if (--thread.sessions === 0) setIdle(thread)
      }
    },
  }
}

const findLeastBusy = (used: readonly Thread[]): Thread =>
  used.reduce((best, next) => (next.calls.size < best.calls.size ? next : best))

function call(thread: Thread, session: number, input: unknown): Promise<unknown> {
  if (thread.failure) return Promise.reject(thread.failure)
  const id = ++lastId
  send(thread, { type: 'run', session, call: id, input })
  return new Promise((resolve, reject) => thread.calls.set(id, { resolve, reject }))
}

const send = ({ worker }: Thread, request: Request): void => worker.postMessage(request)

function setIdle(thread: Thread): void {
  // An idle thread must not keep the process running.
  thread.worker.unref()
  thread.idleTimer = setTimeout(() => {
    dropThread(thread)
    void thread.worker.terminate()
  }, IDLE_MS).unref()
}

function dropThread(thread: Thread): void {
  const at = threads.indexOf(thread)
  if (at >= 0) threads.splice(at, 1)
}

function createThread(code: string): Thread {
  const worker = new Worker(code, { eval: true, execArgv: [] })
  const thread: Thread = { worker, calls: new Map(), sessions: 0 }
  worker.on('message', (response: Response) => {
    const { resolve, reject } = thread.calls.get(response.call)!
    thread.calls.delete(response.call)
    if ('error' in response) reject(response.error)
    else resolve(response.output)
  })
  const fail = (error: Error): void => {
    dropThread(thread)
    thread.failure ??= error
    for (const { reject } of thread.calls.values()) reject(thread.failure)
    thread.calls.clear()
  }
  worker.on('error', fail)
  worker.on('exit', (exitCode) => fail(new Error(`A thread ended with code ${exitCode}`)))
  return thread
}
