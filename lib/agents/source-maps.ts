/** Extracts the files a bundle was built from out of its source map, under names inside one folder. Pure. */
import * as z from 'zod'

const SourceMap = z.looseObject({
  sources: z.array(z.string().nullable()).catch([]),
  sourcesContent: z.array(z.string().nullable()).catch([]),
  x_package: z.string().optional().catch(undefined),
})

const NON_SOURCE_PATH = /^((\.\/)?\.flatfile\/|webpack\/|external |ignored |\(|\0)/

export interface Sources {
  files: Map<string, string>
  packageJson: string | undefined
}

export function extractSources(sourceMap: string | undefined): Sources {
  const { sources, sourcesContent, x_package: packageJson } = SourceMap.parse(parseObjectOrEmpty(sourceMap))
  const files = new Map<string, string>()
  for (const [index, source] of sources.entries()) {
    const content = sourcesContent[index]
    const name = source === null ? undefined : toFileName(source)
    if (name === undefined || typeof content !== 'string') continue
    if (files.get(name) !== content) files.set(makeUniqueName(name, files), content)
  }
  return { files, packageJson: packageJson && parseObject(packageJson) ? packageJson : undefined }
}

const parseObjectOrEmpty = (text: string | undefined): unknown => (text === undefined ? {} : parseObject(text)) ?? {}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Strips protocol and namespace (`../webpack://name/./src/x.ts`) and never leaves the folder. */
function toFileName(source: string): string | undefined {
  const path = source.replace(/^(\.\.?\/)*[a-z-]+:\/\/[^/]*\//i, '').replaceAll('\\', '/')
  if (NON_SOURCE_PATH.test(path)) return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names of files have none
  const parts = path.replace(/[\u0000-\u001f:*"<>|]/g, '_').split('/')
  const segments = parts.filter((part) => part !== '' && part !== '.' && part !== '..')
  return segments.length === 0 || segments.includes('node_modules') ? undefined : segments.join('/')
}

function makeUniqueName(name: string, files: ReadonlyMap<string, string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > name.lastIndexOf('/') + 1 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let count = 2, candidate = name; ; count++) {
    if (!files.has(candidate)) return candidate
    candidate = `${stem}-${count}${extension}`
  }
}
