/** The thread's side of threads.ts: starts tasks and runs them on each input. */
import { parentPort } from 'node:worker_threads'
import type { AnyTask } from './task.ts'

export type Request =
  | { type: 'start'; session: number; task: string; setup: unknown }
  | { type: 'run'; session: number; call: number; input: unknown }
  | { type: 'end'; session: number }

export type Response = { call: number; output: unknown } | { call: number; error: Error }

type Run = (input: unknown) => unknown

export function serveTasks(tasks: readonly AnyTask[]): void {
  const port = parentPort!
  const sessions = new Map<number, { task: AnyTask; run: Promise<Run> }>()

  function startSession(session: number, name: string, setup: unknown): void {
    const task = tasks.find((one) => one.name === name)
    if (!task) throw new Error(`There is no task ${name}`)
    const run = task.start(setup)
    // A failure surfaces at the first input.
    run.catch(() => {})
    sessions.set(session, { task, run })
  }

  async function runTask(session: number, call: number, input: unknown): Promise<void> {
    try {
      const { task, run } = sessions.get(session)!
      const output = await (await run)(task.restoreInput(input))
      // Moving memory instead would slow the thread down: code that reads arrays then checks for moved ones.
      port.postMessage({ call, output } satisfies Response)
    } catch (error) {
      port.postMessage({ call, error: error as Error } satisfies Response)
    }
  }

  port.on('message', (request: Request) => {
    if (request.type === 'start') startSession(request.session, request.task, request.setup)
    else if (request.type === 'run') void runTask(request.session, request.call, request.input)
    else sessions.delete(request.session)
  })
}
