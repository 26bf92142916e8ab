import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('imports a real file, lets the agent correct it, shows the events, and exits', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'wharf-demo-'))
  const child = spawn(process.execPath, ['scripts/run-bundled.mjs', 'examples/airports/demo.ts'], {
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
    expect(output).toMatch(/7 of 7 fields mapped automatically/)
    expect(output).toMatch(/Errors before the agent\s+│ 2 in 2 records {2}\(country 2\)/)
    expect(output).toMatch(/Corrected by the agent\s+│ 26 cells/)
    expect(output).toMatch(/Cleared by the agent\s+│ 12 with the value NA {2}\(city 12\)/)
    expect(output).toMatch(/Errors after the agent\s+│ 12 in 12 records {2}\(city 12\)/)
    expect(output).toMatch(/Messy file, as written\s+│ 2616 of 3201 records with errors/)
    expect(output).toMatch(
      /Messy file, imported\s+│ 118 of 3201 records with errors {2}\(title 1, released 22, rating 96\)/,
    )
    expect(output).toMatch(/One group edited\s+│ 2\d of 3201 records with errors/)
    const lines = [...readFileSync('README.md', 'utf8').matchAll(/^(Messy file, .*?) {2,}(.*)$/gm)]
    expect(lines).toHaveLength(2)
    for (const [, label, text] of lines) expect(output).toMatch(new RegExp(`${label}\\s+│ ${text}`))
    expect(output).toMatch(/Agent runs\s+│ 2, 2 successful/)
    expect(output).toMatch(/curl -s "http:\/\/127\.0\.0\.1/)
    // Pasted commands contain no comment, which zsh would pass as arguments.
    expect(output.slice(output.indexOf('Try next'))).not.toContain('#')
    expect(existsSync(join(dataDir, 'lock.json'))).toBe(false)
    expect(readdirSync(join(dataDir, 'lambda/functions'))).toEqual([])
  } finally {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
}, 120_000)
