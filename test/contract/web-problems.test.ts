import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const FOLDER = 'test/web'
const ROW = /^\| ([^|]+) \| ([a-z-]+) \| ([^|]+) \|$/gm
const [, ...problems] = [...readFileSync(`${FOLDER}/README.md`, 'utf8').matchAll(ROW)].map(
  ([, problem, file, title]): [string, string, string] => [problem!, file!, title!],
)

describe(`${FOLDER}/README.md`, () => {
  it('lists all problems', () => {
    expect(problems.length).toBeGreaterThanOrEqual(51)
  })

  it.each(problems)('names a test for: %s', (_problem, file, title) => {
    const source = readFileSync(`${FOLDER}/${file}.spec.ts`, 'utf8')
    expect(source).toMatch(new RegExp(`['"]${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:: %s)?['"]`))
  })
})
