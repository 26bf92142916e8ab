/** The files a bundle was made of, as its source map has them, under names that stay below one folder. Pure. */
import * as z from 'zod'

const SourceMap = z.looseObject({
  sources: z.array(z.string().nullable()).catch([]),
  sourcesContent: z.array(z.string().nullable()).catch([]),
  /** What the public command line puts in: the text of the project's package.json. */
  x_package: z.string().optional().catch(undefined),
})

/** What bundlers add (their own run-time code, modules that stay outside), and the public command line. */
const NOT_A_FILE = /^((\.\/)?\.flatfile\/|webpack\/|external |ignored |\(|\0)/

export interface Sources {
  /** The project's own files by name; what it has from packages, its package.json names. */
  files: Map<string, string>
  packageJson: string | undefined
}

export function sourcesIn(sourceMap: string | undefined): Sources {
  const { sources, sourcesContent, x_package: packageJson } = SourceMap.parse(parsed(sourceMap))
  const files = new Map<string, string>()
  for (const [index, source] of sources.entries()) {
    const content = sourcesContent[index]
    const name = source === null ? undefined : fileName(source)
    if (name === undefined || typeof content !== 'string') continue
    if (files.get(name) !== content) files.set(unused(name, files), content)
  }
  return { files, packageJson: packageJson && parsedObject(packageJson) ? packageJson : undefined }
}

const parsed = (text: string | undefined): unknown => (text === undefined ? {} : parsedObject(text)) ?? {}

function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A source as a path: without protocol and namespace (`../webpack://name/./src/x.ts`), never out of its folder. */
function fileName(source: string): string | undefined {
  const path = source.replace(/^(\.\.?\/)*[a-z-]+:\/\/[^/]*\//i, '').replaceAll('\\', '/')
  if (NOT_A_FILE.test(path)) return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names of files have none
  const parts = path.replace(/[\u0000-\u001f:*"<>|]/g, '_').split('/')
  const within = parts.filter((part) => part !== '' && part !== '.' && part !== '..')
  return within.length === 0 || within.includes('node_modules') ? undefined : within.join('/')
}

/** Two sources may come down to one name. */
function unused(name: string, files: ReadonlyMap<string, string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > name.lastIndexOf('/') + 1 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let count = 2, free = name; ; count++) {
    if (!files.has(free)) return free
    free = `${stem}-${count}${ending}`
  }
}
