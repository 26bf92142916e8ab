import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'wharf-driver-'))
const folder = join(root, 'packages/listener-driver')

beforeAll(() => {
  cpSync('packages/listener-driver', folder, { recursive: true })
  cpSync('tsconfig.json', join(root, 'tsconfig.json'))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  execFileSync(process.execPath, ['build.mjs'], { cwd: folder, stdio: 'inherit' })
}, 120_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a program installs the driver', () => {
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps'], {
      cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      encoding: 'utf8',
      stdio: 'pipe',
    })
  function install(name: string, from: string): string {
    const program = join(root, name)
    mkdirSync(program)
    writeFileSync(join(program, 'package.json'), '{ "name": "program", "private": true }')
    npm(program, 'install', from)
    return program
  }
  const load = (program: string) => {
    const script = "console.log(typeof require('@wharf/listener-driver').Driver)"
    // A copied package resolves its peers from the program.
    const NODE_PATH = resolve('node_modules')
    return execFileSync(process.execPath, ['-e', script], { cwd: program, env: { NODE_PATH }, encoding: 'utf8' })
  }

  it('by the command its page and the guide name, from a checkout without a build', () => {
    const command = 'npm pack ./packages/listener-driver'
    for (const page of ['packages/listener-driver/README.md', 'docs/guides/listeners.md'])
      expect(readFileSync(page, 'utf8')).toContain(`\n${command}\n`)
    rmSync(join(folder, 'dist'), { recursive: true })
    npm(root, ...command.split(' ').slice(1))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = `wharf-listener-driver-${version}.tgz`
    expect(readFileSync('docs/guides/listeners.md', 'utf8')).toContain(file)
    expect(load(install('packed', join(root, file)))).toBe('function\n')
  }, 120_000)

  it('by the folder, which is built on install', () => {
    rmSync(join(folder, 'dist'), { recursive: true })
    expect(load(install('linked', folder))).toBe('function\n')
  }, 120_000)
})

it('contains every file its exports name', () => {
  const { exports, files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const named = [...Object.values<string>(exports['.']), exports['./pubnub-preload']]
  for (const file of named) {
    expect(existsSync(join(folder, file)), file).toBe(true)
    expect(files).toContain(file.split('/')[1])
  }
})

it('has types a program compiles against', () => {
  writeFileSync(
    join(folder, 'use.ts'),
    `import { Driver, type Status } from './dist/index.js'
    const states: Status['state'][] = []
    const driver: Driver = new Driver({ scope: 'us_env_x', onStatus: ({ state }) => void states.push(state) })
    export const position: string | undefined = driver.position
    // @ts-expect-error a scope is a text
    export const wrong = new Driver({ scope: 1 })`,
  )
  const flags = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
  ]
  execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...flags, 'use.ts'], {
    cwd: folder,
    stdio: 'inherit',
  })
}, 60_000)

it('loads by import and by require, and mounts', () => {
  const use = `const driver = new Driver({ scope: 'us_env_x', apiUrl: 'http://127.0.0.1:1/api', token: 'x' })
    Client.create(() => {}).mount(driver); driver.close().then(() => console.log('closed'))`
  writeFileSync(
    join(folder, 'use.cjs'),
    `const { Driver } = require('./dist/index.cjs'); const { Client } = require('@flatfile/listener'); ${use}`,
  )
  writeFileSync(
    join(folder, 'use.mjs'),
    `import { Driver } from './dist/index.js'; import { Client } from '@flatfile/listener'; ${use}`,
  )
  for (const file of ['use.cjs', 'use.mjs'])
    expect(execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })).toBe('closed\n')
})
