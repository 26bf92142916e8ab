/** A bundled function: one file at a cold start, lazy chunks that share its state, and reproducible bytes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BundleOutput, type Bundler, createBundler } from '../../../scripts/bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-bundle-'))
const SOURCES = {
  'functions/count.ts': `
    import { platform } from './old.cjs'
    import { used } from '../schemas/things.ts'
    import { add } from './shared.ts'
    export async function handler() {
      add()
      const { twice } = await import('./twice.ts')
      const { thrice } = await import('./thrice.ts')
      return [twice(), thrice(), platform, used]
    }`,
  'functions/shared.ts': `
    export let count = 0
    export const add = () => { count++; return count }
    export const never = () => 'nobody asks for this'`,
  'functions/other.ts': "export const handler = async () => (await import('./both.ts')).both()",
  'functions/both.ts': "export const both = () => 'both'",
  'functions/twice.ts': `
    import { both } from './both.ts'
    import { add, count } from './shared.ts'
    export const twice = () => { add(); return both() + count }`,
  'functions/thrice.ts': `
    import { both } from './both.ts'
    import { add, count } from './shared.ts'
    export const thrice = () => { add(); return both() + count }`,
  'schemas/declare.ts': 'export const declare = (name: string) => ({ name, at: new Date(0) })',
  'schemas/things.ts': `
    import { declare } from './declare.ts'
    const example = { params: declare('for an example'), ...{ more: 1 } }
    export const [first] = [declare('first')]
    export const used = declare('used').name as string
    export const unused = declare('left out') satisfies object
    export const listed = { of: declare('left out, too'), example }`,
  'functions/old.cjs': "module.exports = { platform: typeof require('node:os').platform() }",
}
let bundler: Bundler
let made: BundleOutput

beforeAll(async () => {
  for (const [path, text] of Object.entries(SOURCES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  bundler = await createBundler(folder, join(folder, 'out'))
  made = await bundler.bundle('functions/count')
  for (const [path, bytes] of made.files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
})
afterAll(async () => {
  await bundler.close()
  rmSync(folder, { recursive: true })
})

it('a bundle imports none of its chunks at startup', () => {
  expect(relative(folder, made.entry)).toBe('out/functions/count.mjs')
  const text = made.files.get(made.entry)!.toString()
  expect([...text.matchAll(/from"([^"]+)"/g)].map(([, from]) => from)).not.toContainEqual(expect.stringMatching(/^\./))
  expect(text).not.toContain('nobody asks')
  expect(made.files.size).toBe(4)
})

it('a bundle shares its state with the chunks it loads lazily', async () => {
  const { handler } = await import(made.entry)
  expect(await handler()).toEqual(['both2', 'both3', 'string', 'used'])
})

it('a bundle contains only the schemas in use', () => {
  const text = made.files.get(made.entry)!.toString()
  expect(text).toContain('"used"')
  expect(text).not.toContain('left out')
  expect(text).not.toContain('for an example')
})

it('a bundle lists its sources', () => {
  expect(made.sources).toEqual(
    Object.keys(SOURCES)
      .filter((path) => path !== 'functions/other.ts')
      .sort(),
  )
})

it('a bundle is reproducible, also by a bundler that made others at the same time', async () => {
  const [other, again] = await Promise.all(['functions/other', 'functions/count'].map(bundler.bundle))
  const fresh = await createBundler(folder, join(folder, 'out'))
  const [expectedOther, expected] = [await fresh.bundle('functions/other'), made]
  await fresh.close()
  expect(again).toEqual(expected)
  expect(other).toEqual(expectedOther)
  expect(other!.sources).toEqual(['functions/both.ts', 'functions/other.ts'])
})

it('a bundler reports a missing module, and bundles the next one', async () => {
  await expect(bundler.bundle('functions/nothing')).rejects.toThrow('functions/nothing.ts')
  expect(await bundler.bundle('functions/count')).toEqual(made)
})
