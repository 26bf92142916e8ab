/** The platform on an embedded cloud in a process of its own, for benches. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Local } from '../../localstack/seed.ts'

/** Starts it, and ends it when `work` is done. */
export async function withPlatform<T>(work: (local: Local) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
  const child = spawn(process.execPath, ['--import', 'tsx', 'localstack/start.ts'], {
    env: { ...process.env, PORT: '0', CLOUD_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.on('exit', () => reject(new Error('the cloud did not start')))
    child.stdout.on('data', (chunk: Buffer) => /^ready$/m.test(chunk.toString()) && resolve())
  })
  try {
    return await work(JSON.parse(readFileSync(join(dataDir, 'local.json'), 'utf8')) as Local)
  } finally {
    child.removeAllListeners('exit')
    child.kill('SIGINT')
    await new Promise((resolve) => child.on('exit', resolve))
    rmSync(dataDir, { recursive: true, force: true })
  }
}
