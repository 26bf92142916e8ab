/** Processes that write records, to be killed (-9) at any moment. Bundled first: one is up in a third of a second. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { StoreOptions } from '../../lib/records/log/store.ts'
import { bundled } from './bundled.ts'
import type { Command, Done } from './record-writes.ts'

export interface RecordWorker {
  /** Undefined when the process died before it told of the write. */
  write(command: Command): Promise<Done | undefined>
  kill(): void
  /** Resolves once it is gone and all it told has arrived. */
  dead: Promise<unknown>
}

export interface RecordWorkers {
  /** A process of its own that waits for its first command. */
  take(): Promise<RecordWorker>
  close(): Promise<void>
}

/** @param spare how many to keep started ahead. Call it once the cloud's environment is set. */
export async function recordWorkers(spare: number, options: Partial<StoreOptions>): Promise<RecordWorkers> {
  const { script, remove } = await bundled(resolve(import.meta.dirname, 'records-worker.ts'))
  const waiting: RecordWorker[] = []
  const ready: Promise<void>[] = []
  const start = (): void => {
    const child = fork(script, [JSON.stringify(options)], { execArgv: [] })
    waiting.push(workerOf(child))
    ready.push(once(child, 'message').then(() => {}))
  }
  for (let i = 0; i < spare; i++) start()
  return {
    take: async () => {
      start()
      await ready.shift()
      return waiting.shift()!
    },
    close: async () => {
      for (const worker of waiting) worker.kill()
      await Promise.all(waiting.map(({ dead }) => dead))
      remove()
    },
  }
}

function workerOf(child: ChildProcess): RecordWorker {
  const dead = Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  return {
    dead,
    kill: () => child.kill('SIGKILL'),
    write: async (command) => {
      const told = once(child, 'message').then(([done]) => done as Done)
      if (child.connected) child.send(command, () => {})
      return Promise.race([told, dead.then(() => undefined)])
    },
  }
}
