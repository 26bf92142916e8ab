import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildFunctions } from '../../../scripts/build.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wharf-build-'))
  declareFunctions('one', 'two')
  write('lib/shared.ts', 'export const shared = 1\n')
  write('functions/one.ts', "import { shared } from '../lib/shared.ts'\nexport const handler = () => shared\n")
  write('functions/two.ts', "export const handler = async () => (await import('../lib/lazy.ts')).lazy\n")
  write('lib/lazy.ts', "export const lazy = 'lazy'\n")
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function declareFunctions(...names: string[]): void {
  const functions = names.map((name) => `  ${name}:\n    handler: functions/${name}.handler\n`)
  write('serverless.yml', `service: wharf\nprovider:\n  name: aws\nfunctions:\n${functions.join('')}`)
}

const getZipTime = (name: string): number => statSync(join(root, `dist/packages/${name}.zip`)).mtimeMs
const readZip = (name: string): string => readFileSync(join(root, `dist/packages/${name}.zip`), 'base64')
const listChunks = (): string[] => readdirSync(join(root, 'dist/chunks'))

describe('buildFunctions', () => {
  it('builds only functions whose sources have changed, and reports all', async () => {
    const first = await buildFunctions(root)
    const [one, two] = [getZipTime('one'), getZipTime('two')]
    expect(await buildFunctions(root)).toEqual(first)
    expect([getZipTime('one'), getZipTime('two')]).toEqual([one, two])
    write('lib/shared.ts', 'export const shared = 22\n')
    const changed = await buildFunctions(root)
    expect(changed.map(({ key }) => key)).toEqual(['one', 'two'])
    expect(getZipTime('one')).toBeGreaterThan(one)
    expect(getZipTime('two')).toBe(two)
  })

  it('replaces the chunks of a changed function, and makes the same zip of the same code', async () => {
    await buildFunctions(root)
    const [zip, chunks] = [readZip('two'), listChunks()]
    write('lib/lazy.ts', "export const lazy = 'other'\n")
    await buildFunctions(root)
    expect(readZip('two')).not.toBe(zip)
    expect(listChunks()).toHaveLength(chunks.length)
    write('lib/lazy.ts', "export const lazy = 'lazy'\n")
    await buildFunctions(root)
    expect([readZip('two'), listChunks()]).toEqual([zip, chunks])
  })

  it('keeps a chunk that an unchanged function shares with a changed one', async () => {
    write('functions/one.ts', "export const handler = async () => (await import('../lib/lazy.ts')).lazy\n")
    await buildFunctions(root)
    const [two, chunks] = [getZipTime('two'), listChunks()]
    expect(chunks).toHaveLength(1)
    write('functions/one.ts', 'export const handler = () => 1\n')
    await buildFunctions(root)
    expect([getZipTime('two'), listChunks()]).toEqual([two, chunks])
  })

  it('builds a function again whose package is missing, and removes those of functions that are gone', async () => {
    await buildFunctions(root)
    rmSync(join(root, 'dist/packages/one.zip'))
    declareFunctions('one')
    expect(await buildFunctions(root)).toHaveLength(1)
    expect(existsSync(join(root, 'dist/packages/one.zip'))).toBe(true)
    expect(existsSync(join(root, 'dist/packages/two.zip'))).toBe(false)
    expect(existsSync(join(root, 'dist/functions/two.mjs'))).toBe(false)
    expect(Object.keys(JSON.parse(readFileSync(join(root, 'dist/packages/sources.json'), 'utf8')))).toEqual(['one'])
  })

  it('builds everything again after a failed build', async () => {
    await buildFunctions(root)
    const two = getZipTime('two')
    write('functions/one.ts', 'export const handler = (\n')
    await expect(buildFunctions(root)).rejects.toThrow('functions/one.ts')
    write('functions/one.ts', 'export const handler = () => 1\n')
    expect(await buildFunctions(root)).toHaveLength(2)
    expect(getZipTime('two')).toBeGreaterThan(two)
  })
})
