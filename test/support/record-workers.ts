/** Processes that write records and can be killed (-9). Bundled, so that one starts in a fifth of a second. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { StoreOptions } from '../../lib/records/log/store.ts'
import { RUN_BUNDLED } from './bundle-agent.ts'
import type { Command, Done } from './record-writes.ts'

export interface RecordWorker {
  write(command: Command): Promise<Done | undefined>
  kill(): void
  exited: Promise<unknown>
}

export interface RecordWorkers {
  take(): Promise<RecordWorker>
  close(): Promise<void>
}

export async function startRecordWorkers(spare: number, options: Partial<StoreOptions>): Promise<RecordWorkers> {
  const script = resolve(import.meta.dirname, 'records-worker.ts')
  const waiting: RecordWorker[] = []
  const ready: Promise<void>[] = []
  const startProcess = (): void => {
    const child = fork(RUN_BUNDLED, [script, JSON.stringify(options)], { execArgv: [] })
    waiting.push(createWorker(child))
    ready.push(once(child, 'message').then(() => {}))
  }
  for (let i = 0; i < spare; i++) startProcess()
  return {
    take: async () => {
      startProcess()
      await ready.shift()
      return waiting.shift()!
    },
    close: async () => {
      for (const worker of waiting) worker.kill()
      await Promise.all(waiting.map(({ exited }) => exited))
    },
  }
}

function createWorker(child: ChildProcess): RecordWorker {
  const exited = Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  return {
    exited,
    kill: () => child.kill('SIGKILL'),
    write: async (command) => {
      const reply = once(child, 'message').then(([done]) => done as Done)
      if (child.connected) child.send(command, () => {})
      return Promise.race([reply, exited.then(() => undefined)])
    },
  }
}
