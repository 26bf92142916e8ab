import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

function runCheckOn(version: string) {
  const script = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } }); require('./scripts/node-version.cjs')`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('Node.js version check', () => {
  it.each(['8.17.0', '16.20.2', '18.20.8', '20.18.3'])('rejects an old version in one sentence: %s', (version) => {
    const stderr = `Wharf needs Node 20.19 or newer; this is Node ${version}.\n`
    expect(runCheckOn(version)).toEqual({ status: 1, stdout: '', stderr })
  })

  it.each(['20.19.0', '20.20.2', '22.0.0', '24.11.0'])('accepts %s and newer', (version) => {
    expect(runCheckOn(version)).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it('runs before each command for newcomers', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    for (const command of ['start', 'demo', 'test', 'offline', 'admin:create'])
      expect(scripts[`pre${command}`], command).toBe('node scripts/node-version.cjs')
  })
})
