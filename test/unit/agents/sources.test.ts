import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sourcesIn } from '../../../lib/agents/sources.ts'

const mapOf = (...sources: [string | null, string | null][]) =>
  JSON.stringify({
    version: 3,
    sources: sources.map(([name]) => name),
    sourcesContent: sources.map(([, text]) => text),
  })
const namesIn = (...names: string[]) => [
  ...sourcesIn(mapOf(...names.map((n): [string, string] => [n, n]))).files.keys(),
]

describe('the sources of a map', () => {
  it('lose protocol, namespace and the way to them', () => {
    expect(
      namesIn('../webpack://x/./src/a.ts', 'file:///home/ada/b.ts', '../../c.ts', './d/./e.ts', 'f\\g.ts'),
    ).toEqual(['src/a.ts', 'home/ada/b.ts', 'c.ts', 'd/e.ts', 'f/g.ts'])
  })
  it('are left out where they are packages, of the bundler, or without text', () => {
    expect(
      namesIn(
        'node_modules/a/b.js',
        'webpack://x/./.flatfile/_entry.js',
        'webpack://x/webpack/runtime/a',
        'external "fs"',
        '..',
      ),
    ).toEqual([])
    expect(sourcesIn(mapOf(['a.ts', null], [null, 'b'])).files.size).toBe(0)
  })
  it('of one name stand beside each other, the same text once', () => {
    const { files } = sourcesIn(
      mapOf(['a.ts', '1'], ['../a.ts', '2'], ['../../a.ts', '1'], ['x/.env', '3'], ['../x/.env', '4']),
    )
    expect([...files]).toEqual([
      ['a.ts', '1'],
      ['a-2.ts', '2'],
      ['x/.env', '3'],
      ['x/.env-2', '4'],
    ])
  })
  it('are none in what is no map', () => {
    for (const text of [undefined, 'no json', '[]', '{"sources":1}', 'null'])
      expect(sourcesIn(text)).toEqual({ files: new Map(), packageJson: undefined })
    expect(sourcesIn(JSON.stringify({ x_package: 'no json' })).packageJson).toBeUndefined()
  })
  it('never leave their folder, whatever they are called', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (parts) => {
        for (const name of namesIn(parts.join('/'), parts.join('/../'), `C:\\${parts.join('\\')}`)) {
          expect(name.startsWith('/')).toBe(false)
          for (const part of name.split('/')) expect(['', '.', '..', 'node_modules']).not.toContain(part)
        }
      }),
    )
  })
})
