import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractSources } from '../../../lib/agents/source-maps.ts'

const createSourceMap = (...sources: [string | null, string | null][]) =>
  JSON.stringify({
    version: 3,
    sources: sources.map(([name]) => name),
    sourcesContent: sources.map(([, text]) => text),
  })
const getNames = (...names: string[]) => [
  ...extractSources(createSourceMap(...names.map((n): [string, string] => [n, n]))).files.keys(),
]

describe('sources of a source map', () => {
  it('are listed without protocol, namespace and common path', () => {
    expect(
      getNames('../webpack://x/./src/a.ts', 'file:///home/ada/b.ts', '../../c.ts', './d/./e.ts', 'f\\g.ts'),
    ).toEqual(['src/a.ts', 'home/ada/b.ts', 'c.ts', 'd/e.ts', 'f/g.ts'])
  })
  it('exclude packages, bundler code and sources without text', () => {
    expect(
      getNames(
        'node_modules/a/b.js',
        'webpack://x/./.flatfile/_entry.js',
        'webpack://x/webpack/runtime/a',
        'external "fs"',
        '..',
      ),
    ).toEqual([])
    expect(extractSources(createSourceMap(['a.ts', null], [null, 'b'])).files.size).toBe(0)
  })
  it('with the same name are all listed, identical texts once', () => {
    const { files } = extractSources(
      createSourceMap(['a.ts', '1'], ['../a.ts', '2'], ['../../a.ts', '1'], ['x/.env', '3'], ['../x/.env', '4']),
    )
    expect([...files]).toEqual([
      ['a.ts', '1'],
      ['a-2.ts', '2'],
      ['x/.env', '3'],
      ['x/.env-2', '4'],
    ])
  })
  it('are empty for an invalid source map', () => {
    for (const text of [undefined, 'no json', '[]', '{"sources":1}', 'null'])
      expect(extractSources(text)).toEqual({ files: new Map(), packageJson: undefined })
    expect(extractSources(JSON.stringify({ x_package: 'no json' })).packageJson).toBeUndefined()
  })
  it('stay in their folder, whatever their name', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (parts) => {
        for (const name of getNames(parts.join('/'), parts.join('/../'), `C:\\${parts.join('\\')}`)) {
          expect(name.startsWith('/')).toBe(false)
          for (const part of name.split('/')) expect(['', '.', '..', 'node_modules']).not.toContain(part)
        }
      }),
    )
  })
})
