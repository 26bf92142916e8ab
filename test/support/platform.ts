/** Runs the platform in its own process; it can be stopped, killed (-9) and restarted on the same data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Local } from '../../localstack/seed.ts'
import { readPeakMegabytes } from './peak-memory.ts'

export interface Platform {
  local: Local
  peak(): number
  resetPeak(): void
  cpuSeconds(): number
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function startPlatform(
  dataDir: string,
  env: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
): Promise<Platform> {
  const child = spawn(process.execPath, [...nodeOptions, 'scripts/run-bundled.mjs', 'localstack/start.ts'], {
    env: { ...process.env, PORT: '0', CLOUD_PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await waitUntilReady(child)
  const endProcess = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    local: JSON.parse(readFileSync(join(dataDir, 'local.json'), 'utf8')) as Local,
    peak: () => readPeakMegabytes(child.pid),
    resetPeak: () => {
      if (process.platform === 'linux') writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
    },
    cpuSeconds: () => readCpuSeconds(child.pid!),
    kill: () => endProcess('SIGKILL'),
    stop: () => endProcess('SIGINT'),
  }
}

const TICK = 0.01

function readCpuSeconds(pid: number): number {
  if (process.platform !== 'linux') return 0
  const [, statLine] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = statLine!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the cloud did not start')))
    child.stdout!.on('data', (chunk: Buffer) => /^ready$/m.test(chunk.toString()) && resolve())
  })
}
