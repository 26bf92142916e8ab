import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** Runs the check on a Node that says it is another. */
function checkedOn(version: string) {
  const script = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } }); require('./scripts/node-version.cjs')`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('a Node that is too old', () => {
  it.each(['8.17.0', '16.20.2', '18.20.8', '20.18.3'])('is told so in one sentence: %s', (version) => {
    const stderr = `Wharf needs Node 20.19 or newer; this is Node ${version}.\n`
    expect(checkedOn(version)).toEqual({ status: 1, stdout: '', stderr })
  })

  it.each(['20.19.0', '20.20.2', '22.0.0', '24.11.0'])('is not one of %s on', (version) => {
    expect(checkedOn(version)).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it('is met before each command a newcomer runs', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    for (const command of ['start', 'demo', 'test', 'offline', 'admin:create'])
      expect(scripts[`pre${command}`], command).toBe('node scripts/node-version.cjs')
  })
})
