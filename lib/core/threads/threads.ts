/** Runs tasks on large inputs in worker threads, so that a job uses more than one core. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { processEnv } from '../env.ts'
import { lazy } from '../lazy.ts'
import type { Request, Response } from './serve.ts'
import type { Task } from './task.ts'

/** Lambda gives functions this much memory for each core, but shows them two cores with less. */
const MEGABYTES_PER_CORE = 1769

function countCores(): number {
  const { AWS_LAMBDA_FUNCTION_MEMORY_SIZE: megabytes } = processEnv()
  return megabytes === undefined ? availableParallelism() : Math.floor(megabytes / MEGABYTES_PER_CORE)
}

/** The main thread, which reads and writes, takes a core as well. */
const countThreads = (): number => Math.min(3, countCores() - 1)
const INPUTS_PER_THREAD = 2
/** Threads are reused, because a new one needs about 100 ms until its code is fast. */
const IDLE_MS = 10_000

const loadCode = lazy(() => import('./code.ts'))

export interface Runner<Input, Output> {
  capacity: number
  run(input: Input): Promise<Output>
  end(): void
}

/** Without threads, the task runs here. */
export async function startTask<Setup, Input, Output>(
  task: Task<Setup, Input, Output>,
  setup: Setup,
  { inThreads }: { inThreads: boolean },
): Promise<Runner<Input, Output>> {
  const { THREAD_CODE } = inThreads && countThreads() > 0 ? await loadCode() : { THREAD_CODE: undefined }
  if (THREAD_CODE !== undefined) return startInThreads(THREAD_CODE, task, setup)
  const run = await task.start(setup)
  return { capacity: 0, run: async (input) => run(input), end: () => {} }
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
}

const threads: Thread[] = []
let lastId = 0

function startInThreads<Setup, Input, Output>(
  code: string,
  task: Task<Setup, Input, Output>,
  setup: Setup,
): Runner<Input, Output> {
  while (threads.length < countThreads()) threads.push(createThread(code))
  const session = ++lastId
  const used = [...threads]
  for (const thread of used) {
    clearTimeout(thread.idleTimer)
    thread.sessions++
    thread.worker.ref()
    send(thread, { type: 'start', session, task: task.name, setup })
  }
  return {
    capacity: used.length * INPUTS_PER_THREAD,
    run(input) {
      const thread = used.reduce((best, next) => (next.calls.size < best.calls.size ? next : best))
      const call = ++lastId
      const output = new Promise<unknown>((resolve, reject) => thread.calls.set(call, { resolve, reject }))
      send(thread, { type: 'run', session, call, input })
      const restored = output.then((value) => task.restoreOutput(value as Output))
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

const send = ({ worker }: Thread, request: Request): void => worker.postMessage(request)

function setIdle(thread: Thread): void {
  // An idle thread must not keep the process running.
  thread.worker.unref()
  thread.idleTimer = setTimeout(() => {
    threads.splice(threads.indexOf(thread), 1)
    void thread.worker.terminate()
  }, IDLE_MS).unref()
}

function createThread(code: string): Thread {
  const worker = new Worker(code, { eval: true, execArgv: [] })
  const thread: Thread = { worker, calls: new Map(), sessions: 0 }
  worker.on('message', (response: Response) => {
    const call = thread.calls.get(response.call)!
    thread.calls.delete(response.call)
    if ('error' in response) call.reject(response.error)
    else call.resolve(response.output)
  })
  const failCalls = (error: Error): void => {
    if (threads.includes(thread)) threads.splice(threads.indexOf(thread), 1)
    for (const { reject } of thread.calls.values()) reject(error)
    thread.calls.clear()
  }
  worker.on('error', failCalls)
  worker.on('exit', (exitCode) => failCalls(new Error(`A thread ended with code ${exitCode}`)))
  return thread
}
