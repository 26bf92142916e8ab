import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'wharf-sdk-'))
const folder = join(root, 'packages/sdk')
const program = join(root, 'program')
const COMMAND = 'npm pack ./packages/sdk'
const tsc = resolve('node_modules/typescript/bin/tsc')
const readme = readFileSync('packages/sdk/README.md', 'utf8')
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    encoding: 'utf8',
    stdio: 'pipe',
  })

beforeAll(() => {
  cpSync('packages/sdk', folder, { recursive: true, filter: (path) => !/\/(dist|test)$/.test(path) })
  cpSync('tsconfig.json', join(root, 'tsconfig.json'))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  npm(root, ...COMMAND.split(' ').slice(1))
  mkdirSync(program)
  writeFileSync(join(program, 'package.json'), '{ "name": "program", "private": true, "type": "module" }')
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  npm(program, 'install', join(root, `wharf-sdk-${version}.tgz`))
}, 120_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

function run(name: string, script: string): string {
  writeFileSync(join(program, name), script)
  return execFileSync(process.execPath, [name], { cwd: program, encoding: 'utf8' })
}

async function bundle(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: program },
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', logLevel: 'silent' },
  })
  return outputFiles[0]!.text
}

function compile(name: string, code: string, ...options: string[]): void {
  writeFileSync(join(program, name), code)
  const shared = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023']
  execFileSync(process.execPath, [tsc, ...shared, ...options, name], { cwd: program, stdio: 'inherit' })
}

const NAMES =
  "['Wharf', 'Client', 'Spaces', 'NotFound', 'ValidationFailed'].every((name) => typeof sdk[name] === 'function')"

describe('a program installs @wharf/sdk', () => {
  it('by the commands of the README, with every file its exports name', () => {
    const { version, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(readme).toContain(`\n${COMMAND}\n`)
    expect(readme).toContain(`wharf-sdk-${version}.tgz`)
    for (const entry of Object.values<Record<string, string>>(exports))
      for (const file of Object.values(entry))
        expect(existsSync(join(program, 'node_modules/@wharf/sdk', file)), file).toBe(true)
  })

  it('and imports it as an ES module', () => {
    expect(run('esm.js', `import * as sdk from '@wharf/sdk'; console.log(${NAMES})`)).toBe('true\n')
    expect(
      run('node.js', "import { openFile } from '@wharf/sdk/node'; console.log((await openFile('node.js')).name)"),
    ).toBe('node.js\n')
  })

  it('and requires it as a CommonJS module', () => {
    expect(run('cjs.cjs', `const sdk = require('@wharf/sdk'); console.log(${NAMES})`)).toBe('true\n')
  })

  it('and bundles it for browsers, without modules of Node and without unused domains', async () => {
    const whole = await bundle("import { Wharf } from '@wharf/sdk'\nexport default Wharf")
    expect(whole).not.toMatch(/node:|require\(/)
    expect(whole).toContain('/api/v1/webhooks')
    const one = await bundle("import { Client, Spaces } from '@wharf/sdk'\nexport default [Client, Spaces]")
    expect(one).toContain('/api/v1/spaces')
    expect(one).not.toContain('/api/v1/webhooks')
    expect(one.length).toBeLessThan(whole.length / 3)
  })

  it('with types for browsers that check every request', () => {
    const code = `import { Wharf } from '@wharf/sdk'
      const wharf = new Wharf({ token: 'sk', baseUrl: 'http://127.0.0.1:3000' })
      const { data, pagination } = await wharf.spaces.list({ archived: true, pageSize: 5 })
      export const names: string[] = data.map(({ name }) => name)
      export const count: number = pagination.totalCount
      for await (const space of wharf.spaces.listAll()) names.push(space.name)
      // @ts-expect-error a flag is a boolean
      await wharf.spaces.list({ archived: 'true' })
      // @ts-expect-error the workbook is required
      await wharf.sheets.list({})
      // @ts-expect-error a space has no color
      console.log((await wharf.spaces.get('us_sp_1')).color)`
    compile('browser.ts', code, '--lib', 'es2023,dom,dom.iterable')
  }, 60_000)

  it('with types for CommonJS modules', () => {
    const code = "import { Wharf } from '@wharf/sdk'\nexport const wharf = new Wharf({ token: 'sk', baseUrl: 'x' })"
    compile('required.cts', code, '--module', 'node16', '--types', 'node')
  }, 60_000)

  it('with types that the examples of the README compile against', () => {
    expect(examples.length).toBeGreaterThan(0)
    compile('example.ts', examples.join('\n'), '--types', 'node')
  }, 60_000)
})
