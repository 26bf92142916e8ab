/**
 * Bundles one function: one file for everything loaded at start, plus lazy chunks. By default esbuild would split the
 * start code into some forty files, each of which costs time at a cold start.
 */
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, type BuildResult, build, context, type Metafile, type Plugin } from 'esbuild'
import { threadCode } from './bundled/thread-code.mjs'
import { removableSchemas } from './tree-shakable-schemas.ts'

/** Some CommonJS dependencies call `require` for Node's own modules, which an ES module bundle does not have. */
export const REQUIRE =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

const ENTRY = 'entry'
// The garbage collector of esbuild, which is written in Go, takes a third of its time by default.
process.env.GOGC ??= '200'

const MCP_SERVER = import.meta.resolve('@modelcontextprotocol/server')

const COMMON_OPTIONS = {
  bundle: true,
  minify: true,
  metafile: true,
  write: false,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'error',
} as const satisfies BuildOptions

export interface BundleOutput {
  entry: string
  files: Map<string, Buffer>
  sources: string[]
  /** Also files of which the bundle contains nothing. */
  inputs: string[]
}

export interface Bundler {
  /** The path of the module is without `.ts`. Throws if a module is missing or wrong. */
  bundle(module: string): Promise<BundleOutput>
  close(): Promise<void>
}

/** Several functions have most sources in common, and a bundler parses each of them once. */
export async function createBundler(root: string, outDir: string): Promise<Bundler> {
  let module = ''
  const currentEntry: Plugin = {
    name: 'current-entry',
    setup: ({ onResolve }) => onResolve({ filter: /^entry$/ }, () => ({ path: resolve(root, `${module}.ts`) })),
  }
  const sources = await context({
    ...COMMON_OPTIONS,
    absWorkingDir: root,
    entryPoints: [ENTRY],
    outdir: outDir,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    mainFields: ['module', 'main'],
    // Its default validator, Ajv, is made for each request and never asked.
    alias: { '@modelcontextprotocol/server/_shims': fileURLToPath(new URL('shimsBrowser.mjs', MCP_SERVER)) },
    plugins: [currentEntry, threadCode, removableSchemas(root)],
    legalComments: 'external',
  })
  let last: Promise<unknown> = Promise.resolve()
  const split = (next: string) => {
    const result = last.then(() => {
      module = next
      return sources.rebuild()
    })
    last = result.catch(() => {})
    return result
  }
  return {
    bundle: async (next) => joinStart(root, outDir, next, await split(next)),
    close: () => sources.dispose(),
  }
}

type SplitResult = BuildResult<typeof COMMON_OPTIONS>

async function joinStart(root: string, outDir: string, module: string, { metafile, outputFiles }: SplitResult) {
  const entry = resolve(outDir, `${module}.mjs`)
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]))
  const splitEntry = resolve(outDir, `${ENTRY}.mjs`)
  const split: SplitBuild = { outDir, entry, splitEntry, texts, start: new Map<string, number>(), outputs: new Map() }
  for (const [path, output] of Object.entries(metafile.outputs)) split.outputs.set(resolve(root, path), output)
  addStartChunks(split, root, splitEntry)
  const lazyChunks = await bundleLazyChunks(split)
  const files = new Map<string, Buffer>([[entry, toLoadableFile(await bundleEntry(split, lazyChunks))]])
  for (const [path, text] of lazyChunks.files) files.set(path, toLoadableFile(text))
  const licences = [...texts].flatMap(([path, text]) => (path.endsWith('.LEGAL.txt') ? [text] : []))
  if (licences.length > 0) files.set(`${entry}.LEGAL.txt`, Buffer.from([...new Set(licences)].join('\n')))
  return { entry, files, sources: listSources(metafile), inputs: listInputs(metafile) }
}

interface SplitBuild {
  outDir: string
  entry: string
  splitEntry: string
  texts: Map<string, string>
  outputs: Map<string, Metafile['outputs'][string]>
  start: Map<string, number>
}

interface LazyChunks {
  files: Map<string, string>
  paths: Map<string, string>
  usedExports: Set<string>
}

function addStartChunks(split: SplitBuild, root: string, path: string): void {
  if (split.start.has(path)) return
  split.start.set(path, split.start.size)
  for (const { path: imported, kind } of split.outputs.get(path)?.imports ?? [])
    if (kind === 'import-statement' && split.outputs.has(resolve(root, imported)))
      addStartChunks(split, root, resolve(root, imported))
}

const buildExportName = ({ start }: SplitBuild, chunk: string, name: string): string => `p${start.get(chunk)}_${name}`

function chunksPlugin(
  split: SplitBuild,
  resolveChunk: (path: string, kind: string) => ReturnType<Parameters<ResolveHook>[1]>,
): Plugin {
  return {
    name: 'parts',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\.mjs$/ }, ({ path, resolveDir, kind }) => {
        const chunk = resolve(resolveDir, path)
        return split.texts.has(chunk) ? (resolveChunk(chunk, kind) ?? { path: chunk, namespace: 'part' }) : undefined
      })
      onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => ({
        contents: split.texts.get(path)!,
        resolveDir: dirname(path),
      }))
      onLoad({ filter: /.*/, namespace: 'start' }, ({ path }) => {
        const names = (split.outputs.get(path)?.exports ?? []).map(
          (name) => `${buildExportName(split, path, name)} as ${name}`,
        )
        return { contents: `export{${names.join()}}from${JSON.stringify(ENTRY)}` }
      })
    },
  }
}
type ResolveHook = Parameters<Plugin['setup']>[0]['onResolve']

/** Lazy chunks import from the entry what it has loaded, so each function has its own, with unique file names. */
async function bundleLazyChunks(split: SplitBuild): Promise<LazyChunks> {
  const entries = [...split.outputs].filter(
    ([path, { entryPoint }]) => entryPoint !== undefined && path !== split.splitEntry,
  )
  if (entries.length === 0) return { files: new Map(), paths: new Map(), usedExports: new Set() }
  const entryPath = relative(resolve(split.outDir, 'chunks'), split.entry)
  const externalEntry: Plugin = {
    name: 'entry',
    setup: ({ onResolve }) => onResolve({ filter: /^entry$/ }, () => ({ path: entryPath, external: true })),
  }
  const { metafile, outputFiles } = await build({
    ...COMMON_OPTIONS,
    absWorkingDir: split.outDir,
    entryPoints: entries.map(([path]) => path),
    outdir: split.outDir,
    outExtension: { '.js': '.mjs' },
    entryNames: 'chunks/[hash]',
    chunkNames: 'chunks/[hash]',
    splitting: true,
    plugins: [
      externalEntry,
      chunksPlugin(split, (path, kind) =>
        kind === 'import-statement' && split.start.has(path) ? { path, namespace: 'start' } : undefined,
      ),
    ],
  })
  const files = new Map(outputFiles.map(({ path, text }) => [path, text]))
  const paths = new Map<string, string>()
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs))
    if (entryPoint) paths.set(entryPoint.replace(/^part:/, ''), resolve(split.outDir, path))
  const usedExports = new Set<string>()
  for (const text of files.values())
    for (const [, names = ''] of text.matchAll(/(?:import|export)\{([^}]*)\}from"([^"]*)"/g))
      for (const [name] of names.matchAll(/\bp\d+_[\w$]+/g)) usedExports.add(name)
  return { files, paths, usedExports }
}

async function bundleEntry(split: SplitBuild, { paths, usedExports }: LazyChunks): Promise<string> {
  const reexports = [...split.start.keys()].flatMap((chunk) => {
    const names = (split.outputs.get(chunk)?.exports ?? []).filter((name) =>
      usedExports.has(buildExportName(split, chunk, name)),
    )
    const list = names.map((name) => `${name} as ${buildExportName(split, chunk, name)}`)
    return list.length > 0 ? [`export{${list.join()}}from${JSON.stringify(chunk)}`] : []
  })
  const { outputFiles } = await build({
    ...COMMON_OPTIONS,
    absWorkingDir: split.outDir,
    stdin: {
      contents: [`export*from${JSON.stringify(split.splitEntry)}`, ...reexports].join('\n'),
      resolveDir: split.outDir,
    },
    outfile: split.entry,
    plugins: [
      chunksPlugin(split, (path, kind) => {
        const lazyPath = kind === 'dynamic-import' && paths.get(path)
        return lazyPath ? { path: relative(dirname(split.entry), lazyPath), external: true } : undefined
      }),
    ],
  })
  return outputFiles[0]!.text
}

const toLoadableFile = (text: string): Buffer => Buffer.from(/\brequire\b/.test(text) ? REQUIRE + text : text)

/** A source file counts only if the bundle contains code from it. */
function listSources({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  const bundledInputs = inputs.filter(
    ([file, { bytesInOutput }]) => bytesInOutput > 0 && !file.includes('node_modules'),
  )
  return [...new Set(bundledInputs.map(([file]) => file))].sort()
}

const listInputs = ({ inputs }: Metafile): string[] =>
  Object.keys(inputs).filter((path) => !path.startsWith('node_modules/'))
