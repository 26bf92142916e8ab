import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'wharf-react-'))
const folder = join(root, 'packages/react')
const program = join(root, 'program')
const COMMAND = 'npm pack ./packages/react'
const tsc = resolve('node_modules/typescript/bin/tsc')
const readme = readFileSync('packages/react/README.md', 'utf8')

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    encoding: 'utf8',
    stdio: 'pipe',
  })

beforeAll(() => {
  cpSync('packages/react', folder, { recursive: true, filter: (path) => !path.endsWith('/dist') })
  cpSync('tsconfig.json', join(root, 'tsconfig.json'))
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  npm(root, ...COMMAND.split(' ').slice(1))
  mkdirSync(program)
  writeFileSync(join(program, 'package.json'), '{ "name": "program", "private": true, "type": "module" }')
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  npm(program, 'install', join(root, `wharf-react-${version}.tgz`))
}, 120_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('an application installs @wharf/react', () => {
  it('by the commands of the README, with every file its exports name', () => {
    const { version, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(readme).toContain(`\n${COMMAND}\n`)
    expect(readme).toContain(`wharf-react-${version}.tgz`)
    for (const file of Object.values<string>(exports['.']))
      expect(existsSync(join(program, 'node_modules/@wharf/react', file)), file).toBe(true)
  })

  it('and imports it in Node, for rendering on a server', () => {
    const script = "import('@wharf/react').then((names) => console.log(Object.keys(names).sort().join()))"
    expect(execFileSync(process.execPath, ['-e', script], { cwd: program, encoding: 'utf8' })).toBe(
      'WharfImporter,loadImporter,useWharfImporter\n',
    )
  })

  it('with types that the examples of the README compile against', () => {
    const examples = [...readme.matchAll(/```tsx\n([\s\S]*?)```/g)].map(([, code]) => code!)
    examples.push(`import { WharfImporter } from '@wharf/react'
      // @ts-expect-error the address of the platform is missing
      export const wrong = <WharfImporter open publishableKey="pk_..." />`)
    const files = examples.map((code, index) => {
      writeFileSync(join(program, `example-${index}.tsx`), code)
      return `example-${index}.tsx`
    })
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--jsx', 'react-jsx', '--module', 'nodenext']
    execFileSync(process.execPath, [tsc, ...options, '--target', 'es2023', '--types', 'react', ...files], {
      cwd: program,
      stdio: 'inherit',
    })
  }, 60_000)
})
