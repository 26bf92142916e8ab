/** `npm run demo`, as a newcomer runs it first. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('imports a real file, lets the agent correct it, shows what happened, and ends', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-demo-'))
  const child = spawn(process.execPath, ['--import', 'tsx', 'localstack/demo.ts'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', CLOUD_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  try {
    const code = await new Promise((resolve) => child.on('exit', resolve))
    expect(code, output).toBe(0)
    expect(output).toMatch(/Rows\s+│ 3376/)
    expect(output).toMatch(/7 of 7 fields found by themselves/)
    expect(output).toMatch(/Agent runs\s+│ 2, 2 successful/)
    expect(output).toMatch(/curl -s "http:\/\/127\.0\.0\.1/)
    expect(existsSync(join(dataDir, 'lock.json'))).toBe(false)
  } finally {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 120_000)
