import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Local } from '../../localstack/seed.ts'

const MEGABYTE = 1024 * 1024
const ROOT = resolve(import.meta.dirname, '../..')

export interface Sample {
  minute: number
  heap: number
  external: number
  rss: number
}

export interface Subject {
  local: Local
  memory(): Promise<Omit<Sample, 'minute'>>
  stop(): Promise<void>
}

export async function startSubject(dataDir: string): Promise<Subject> {
  const node = ['--expose-gc', '--import', join(import.meta.dirname, 'probe.mjs'), 'scripts/run-bundled.mjs']
  const child = spawn(process.execPath, [...node, 'localstack/start.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', CLOUD_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  await new Promise<void>((ready, fail) => {
    child.once('exit', () => fail(new Error('The platform did not start.')))
    child.stdout!.on('data', (chunk: Buffer) => /^ready$/m.test(chunk.toString()) && ready())
  })
  return {
    local: JSON.parse(readFileSync(join(dataDir, 'local.json'), 'utf8')) as Local,
    async memory() {
      child.send('memory')
      const [used] = (await once(child, 'message')) as [{ heapUsed: number; external: number; rss: number }]
      return { heap: used.heapUsed / MEGABYTE, external: used.external / MEGABYTE, rss: used.rss / MEGABYTE }
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    },
  }
}

export function computeSlope(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const computeMean = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
  const [x, y] = [computeMean(samples.map(({ minute }) => minute)), computeMean(samples.map(of))]
  const above = samples.reduce((sum, one) => sum + (one.minute - x) * (of(one) - y), 0)
  return above / samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
}
