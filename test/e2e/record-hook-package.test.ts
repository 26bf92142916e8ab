import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'wharf-record-hook-'))
const folder = join(root, 'packages/record-hook')
const program = join(root, 'program')
const COMMAND = 'npm pack ./packages/record-hook'
const tsc = resolve('node_modules/typescript/bin/tsc')
const readme = readFileSync('packages/record-hook/README.md', 'utf8')

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    encoding: 'utf8',
    stdio: 'pipe',
  })

beforeAll(() => {
  cpSync('packages/record-hook', folder, { recursive: true, filter: (path) => !path.endsWith('/dist') })
  cpSync('tsconfig.json', join(root, 'tsconfig.json'))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  npm(root, ...COMMAND.split(' ').slice(1))
  mkdirSync(program)
  writeFileSync(join(program, 'package.json'), '{ "name": "program", "private": true, "type": "module" }')
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  npm(program, 'install', join(root, `wharf-record-hook-${version}.tgz`))
}, 120_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

const NAMES = 'BulkRecordHook,RecordHook,bulkRecordHook,bulkRecordHookPlugin,recordHook,recordHookPlugin\n'
const run = (script: string) => execFileSync(process.execPath, ['-e', script], { cwd: program, encoding: 'utf8' })

describe('a program installs @wharf/record-hook', () => {
  it('by the commands of the README, with every file its exports name', () => {
    const { version, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(readme).toContain(`\n${COMMAND}\n`)
    expect(readme).toContain(`wharf-record-hook-${version}.tgz`)
    for (const file of Object.values<string>(exports['.']))
      expect(existsSync(join(program, 'node_modules/@wharf/record-hook', file)), file).toBe(true)
  })

  it('and imports or requires the names of the public plugin', () => {
    expect(run("import('@wharf/record-hook').then((names) => console.log(Object.keys(names).sort().join()))")).toBe(
      NAMES,
    )
    writeFileSync(
      join(program, 'required.cjs'),
      "console.log(Object.keys(require('@wharf/record-hook')).sort().join())",
    )
    expect(execFileSync(process.execPath, ['required.cjs'], { cwd: program, encoding: 'utf8' })).toBe(NAMES)
  })

  it('with types that the examples of the README compile against', () => {
    const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)
    examples.push(`import { recordHook } from '@wharf/record-hook'
      // @ts-expect-error a record is not a number
      recordHook('people', (record: number) => record)`)
    const files = examples.map((code, index) => {
      writeFileSync(join(program, `example-${index}.ts`), code)
      return `example-${index}.ts`
    })
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck']
    execFileSync(process.execPath, [tsc, ...options, '--target', 'es2023', '--types', 'node', ...files], {
      cwd: program,
      stdio: 'inherit',
    })
  }, 60_000)
})
