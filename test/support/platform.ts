/** The platform on an embedded cloud in a process of its own: stopped, killed (-9) and started again on the same data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Local } from '../../localstack/seed.ts'
import { peakMegabytes } from './peak-memory.ts'

export interface Platform {
  local: Local
  /** The most memory it had since it started, or since it was last asked to begin anew; megabytes. */
  peak(): number
  /** Linux forgets the peak there was. */
  beginPeak(): void
  /** Seconds of processor time so far: what others do on the machine counts little. */
  busy(): number
  kill(): Promise<void>
  stop(): Promise<void>
}

/** @param loader how it reads TypeScript: tsx unless told */
export async function startPlatform(dataDir: string, loader = 'tsx'): Promise<Platform> {
  const child = spawn(process.execPath, ['--import', loader, 'localstack/start.ts'], {
    env: { ...process.env, PORT: '0', CLOUD_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await ready(child)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    local: JSON.parse(readFileSync(join(dataDir, 'local.json'), 'utf8')) as Local,
    peak: () => peakMegabytes(child.pid),
    beginPeak: () => {
      if (process.platform === 'linux') writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
    },
    busy: () => busySeconds(child.pid!),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
  }
}

/** A hundredth of a second, as Linux counts them for programs. */
const TICK = 0.01

/** In user and in system mode; 0 where there is no `/proc`. */
function busySeconds(pid: number): number {
  if (process.platform !== 'linux') return 0
  const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the cloud did not start')))
    child.stdout!.on('data', (chunk: Buffer) => /^ready$/m.test(chunk.toString()) && resolve())
  })
}
