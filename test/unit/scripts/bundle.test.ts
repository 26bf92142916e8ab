/** A bundled function: one file at a cold start, parts on demand that share its state, and the same bytes each time. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bundled, bundle } from '../../../scripts/bundle.ts'

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
let made: Bundled

beforeAll(async () => {
  for (const [path, text] of Object.entries(SOURCES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  made = await bundle(folder, join(folder, 'out'), 'functions/count')
  for (const [path, bytes] of made.files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

it('imports nothing of its own at once', () => {
  expect(relative(folder, made.entry)).toBe('out/functions/count.mjs')
  const text = made.files.get(made.entry)!.toString()
  expect([...text.matchAll(/from"([^"]+)"/g)].map(([, from]) => from)).not.toContainEqual(expect.stringMatching(/^\./))
  expect(text).not.toContain('nobody asks')
  // Two parts on demand, and what both of them alone need.
  expect(made.files.size).toBe(4)
})

it('shares its state with the parts it loads on demand', async () => {
  const { handler } = await import(made.entry)
  expect(await handler()).toEqual(['both2', 'both3', 'string', 'used'])
})

it('holds of schemas what is used', () => {
  const text = made.files.get(made.entry)!.toString()
  expect(text).toContain('"used"')
  expect(text).not.toContain('left out')
  expect(text).not.toContain('for an example')
})

it('names the sources it holds', () => {
  expect(made.sources).toEqual(Object.keys(SOURCES).sort())
})

it('is made alike each time', async () => {
  const again = await bundle(folder, join(folder, 'out'), 'functions/count')
  expect([...again.files].map(([path, bytes]) => [path, bytes.toString()])).toEqual(
    [...made.files].map(([path, bytes]) => [path, bytes.toString()]),
  )
})

it('tells of a module that is missing', async () => {
  await expect(bundle(folder, join(folder, 'out'), 'functions/nothing')).rejects.toThrow('functions/nothing.ts')
})
