import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'

const CACHE = 'node_modules/.cache/wharf'
const folder = mkdtempSync(join(tmpdir(), 'wharf-bundled-'))
/** Unique, so that its bundles can be found and removed. */
const scriptName = `script-of-${process.pid}`
const script = join(folder, `${scriptName}.ts`)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  for (const name of listBundleFiles()) rmSync(join(CACHE, name))
})

const listBundleFiles = (): string[] => readdirSync(CACHE).filter((name) => name.startsWith(scriptName))
const listBundles = (): string[] => listBundleFiles().filter((name) => name.endsWith('.js'))

const listTimesOfCode = () =>
  listBundleFiles()
    .filter((name) => name.endsWith('.code'))
    .map((name) => [name, statSync(join(CACHE, name)).mtimeMs])

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

const run = (...args: string[]): Promise<{ stdout: string; stderr: string; code?: number }> =>
  promisify(execFile)(process.execPath, ['scripts/run-bundled.mjs', script, ...args]).catch((error) => error)

describe('run-bundled', () => {
  it('runs a script with its arguments, path and location', async () => {
    write('word.ts', "export const word: string = 'first'\n")
    write(
      `${scriptName}.ts`,
      "import { word } from './word.ts'\nconsole.log(word, process.argv.slice(1).join(), import.meta.url, import.meta.dirname)\n",
    )
    expect((await run('one', 'two')).stdout.trim()).toBe(
      ['first', [script, 'one', 'two'].join(), `file://${script}`, folder].join(' '),
    )
  })

  it('uses the same bundle again until a source changes', async () => {
    const before = listBundles()
    expect(before).toHaveLength(1)
    const code = listTimesOfCode()
    expect(code).toHaveLength(1)
    await run()
    expect([listBundles(), listTimesOfCode()]).toEqual([before, code])
    write('word.ts', "export const word: string = 'other'\n")
    expect((await run()).stdout).toMatch(/^other /)
    expect(listBundles()).toHaveLength(2)
  })

  it('includes files that were added to a folder matched by an import pattern', async () => {
    mkdirSync(join(folder, 'words'))
    write('words/a.ts', "export const word = 'a'\n")
    write(
      `${scriptName}.ts`,
      "const { word } = await import('./words/' + process.argv[2] + '.ts')\nconsole.log(word satisfies string)\n",
    )
    expect((await run('a')).stdout).toBe('a\n')
    expect((await run('b')).stderr).toContain('./words/b.ts')
    write('words/b.ts', "export const word = 'b'\n")
    expect((await run('b')).stdout).toBe('b\n')
  })

  it('reports errors at their place in the source', async () => {
    write(
      'word.ts',
      "interface Unused {\n  name: string\n}\nexport function fail(): void {\n  throw new Error('broken')\n}\n",
    )
    write(`${scriptName}.ts`, "import { fail } from './word.ts'\n\nfail()\n")
    const { stderr, code } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain('Error: broken')
    expect(stderr).toContain(`${join(folder, 'word.ts')}:5:9`)
    expect(stderr).toContain(`${script}:3:1`)
  })

  it('runs from its sources when the stored code is invalid, and stores it again', async () => {
    write(`${scriptName}.ts`, "const { join } = await import('node:path')\nconsole.log(join('a', 'b'))\n")
    expect((await run()).stdout).toBe('a/b\n')
    for (const [name] of listTimesOfCode()) writeFileSync(join(CACHE, String(name)), 'invalid')
    expect((await run()).stdout).toBe('a/b\n')
    expect((await run()).stdout).toBe('a/b\n')
    expect(listTimesOfCode().some(([name]) => statSync(join(CACHE, String(name))).size > 100)).toBe(true)
  })

  it('reports a syntax error with its file and line, and runs the script once it is fixed', async () => {
    write(`${scriptName}.ts`, 'console.log(\n')
    const { stderr, stdout, code } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain(`${scriptName}.ts:2:0`)
    expect(stderr).not.toContain('build.mjs')
    expect(stdout).toBe('')
    write(`${scriptName}.ts`, "console.log('fixed')\n")
    expect((await run()).stdout).toBe('fixed\n')
  })

  it('keeps at most three bundles of a script', async () => {
    for (const word of ['1', '2', '3', '4']) {
      write(`${scriptName}.ts`, `console.log('${word}')\n`)
      expect((await run()).stdout).toBe(`${word}\n`)
    }
    expect(listBundles()).toHaveLength(3)
    expect(listTimesOfCode()).toHaveLength(3)
  })
})
