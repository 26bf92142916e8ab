/**
 * A function as Lambda reads it: what it needs at once is one file, what it imports on demand stands beside it. esbuild by itself
 * cuts what is needed at once wherever a part on demand shares it, into some forty files, each of which a cold start looks up,
 * reads and links: so its parts are put together once more.
 */
import { dirname, relative, resolve } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { removableSchemas } from './removable.ts'

/** Some dependencies are CommonJS and call `require` for Node's own modules, which a bundled ES module does not have. */
export const REQUIRE =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

const COMMON = {
  bundle: true,
  minify: true,
  metafile: true,
  write: false,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'error',
} as const satisfies BuildOptions

export interface Bundled {
  /** Absolute path of the module with the handler, and all that is read at a cold start. */
  entry: string
  /** All files by absolute path: the entry, the parts it imports on demand, and the licences of what they hold. */
  files: Map<string, Buffer>
  /** The files of this project whose code it holds. */
  sources: string[]
}

/**
 * @param module without `.ts`, relative to `root`; the entry has this path below `outDir`
 * @throws Error when a module is missing or wrong
 */
export async function bundle(root: string, outDir: string, module: string): Promise<Bundled> {
  const { metafile, outputFiles } = await build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: [{ in: `./${module}.ts`, out: module }],
    outdir: outDir,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    mainFields: ['module', 'main'],
    alias: {
      jsonschema: resolve(import.meta.dirname, 'no-jsonschema.cjs'),
      electrodb: resolve(import.meta.dirname, 'only-entity.cjs'),
    },
    plugins: [withoutClient, removableSchemas(root)],
    legalComments: 'external',
  })
  const entry = resolve(outDir, `${module}.mjs`)
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]))
  const cut: Cut = { outDir, entry, texts, start: new Map<string, number>(), outputs: new Map() }
  for (const [path, output] of Object.entries(metafile.outputs)) cut.outputs.set(resolve(root, path), output)
  addLoadedAtStart(cut, root, entry)
  const onDemand = await partsOnDemand(cut)
  const files = new Map<string, Buffer>([[entry, loadable(await partsAtStart(cut, onDemand))]])
  for (const [path, text] of onDemand.files) files.set(path, loadable(text))
  const licences = [...texts].flatMap(([path, text]) => (path.endsWith('.LEGAL.txt') ? [text] : []))
  if (licences.length > 0) files.set(`${entry}.LEGAL.txt`, Buffer.from([...new Set(licences)].join('\n')))
  return { entry, files, sources: sourcesOf(metafile) }
}

/** ElectroDB's own client would bring every command of the SDK. */
const withoutClient: Plugin = {
  name: 'electrodb-without-client',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/client$/ }, ({ importer }) =>
      importer.includes('/electrodb/') ? { path: resolve(import.meta.dirname, 'no-client.cjs') } : undefined,
    ),
}

/** What esbuild made at first. */
interface Cut {
  outDir: string
  entry: string
  texts: Map<string, string>
  outputs: Map<string, Metafile['outputs'][string]>
  /** The entry and all it imports at once, each with its number. */
  start: Map<string, number>
}

interface OnDemand {
  files: Map<string, string>
  /** Where the part that was cut there stands now. */
  paths: Map<string, string>
  /** What they take of the entry. */
  taken: Set<string>
}

function addLoadedAtStart(cut: Cut, root: string, path: string): void {
  if (cut.start.has(path)) return
  cut.start.set(path, cut.start.size)
  for (const { path: imported, kind } of cut.outputs.get(path)?.imports ?? [])
    if (kind === 'import-statement' && cut.outputs.has(resolve(root, imported)))
      addLoadedAtStart(cut, root, resolve(root, imported))
}

/** What a part exports as `name`, the entry exports under one of its own. */
const exportedAs = ({ start }: Cut, part: string, name: string): string => `p${start.get(part)}_${name}`

/** Parts stand in memory alone. */
function parts(cut: Cut, found: (path: string, kind: string) => ReturnType<Parameters<ResolveHook>[1]>): Plugin {
  return {
    name: 'parts',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\.mjs$/ }, ({ path, resolveDir, kind }) => {
        const part = resolve(resolveDir, path)
        return cut.texts.has(part) ? (found(part, kind) ?? { path: part, namespace: 'part' }) : undefined
      })
      onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => ({
        contents: cut.texts.get(path)!,
        resolveDir: dirname(path),
      }))
      onLoad({ filter: /.*/, namespace: 'start' }, ({ path }) => {
        const names = (cut.outputs.get(path)?.exports ?? []).map((name) => `${exportedAs(cut, path, name)} as ${name}`)
        return { contents: `export{${names.join()}}from${JSON.stringify(ENTRY)}` }
      })
    },
  }
}
type ResolveHook = Parameters<Plugin['setup']>[0]['onResolve']

const ENTRY = 'entry'

/** They take from the entry what is loaded already. Each has a name of its own: equal parts of two functions take it from two entries. */
async function partsOnDemand(cut: Cut): Promise<OnDemand> {
  const entries = [...cut.outputs].filter(([path, { entryPoint }]) => entryPoint !== undefined && path !== cut.entry)
  if (entries.length === 0) return { files: new Map(), paths: new Map(), taken: new Set() }
  const fromPart = relative(resolve(cut.outDir, 'chunks'), cut.entry)
  const entryOutside: Plugin = {
    name: 'entry',
    setup: ({ onResolve }) => onResolve({ filter: /^entry$/ }, () => ({ path: fromPart, external: true })),
  }
  const { metafile, outputFiles } = await build({
    ...COMMON,
    absWorkingDir: cut.outDir,
    entryPoints: entries.map(([path]) => path),
    outdir: cut.outDir,
    outExtension: { '.js': '.mjs' },
    // Each name stands twice in a zip, of which a cold start reads all.
    entryNames: 'chunks/[hash]',
    chunkNames: 'chunks/[hash]',
    splitting: true,
    plugins: [
      entryOutside,
      parts(cut, (path, kind) =>
        kind === 'import-statement' && cut.start.has(path) ? { path, namespace: 'start' } : undefined,
      ),
    ],
  })
  const files = new Map(outputFiles.map(({ path, text }) => [path, text]))
  const paths = new Map<string, string>()
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs))
    if (entryPoint) paths.set(entryPoint.replace(/^part:/, ''), resolve(cut.outDir, path))
  const taken = new Set<string>()
  for (const text of files.values())
    for (const [, names = ''] of text.matchAll(/(?:import|export)\{([^}]*)\}from"([^"]*)"/g))
      for (const [name] of names.matchAll(/\bp\d+_[\w$]+/g)) taken.add(name)
  return { files, paths, taken }
}

/** One module with the handler, and with what parts on demand take of it. */
async function partsAtStart(cut: Cut, { paths, taken }: OnDemand): Promise<string> {
  const given = [...cut.start.keys()].flatMap((part) => {
    const names = (cut.outputs.get(part)?.exports ?? []).filter((name) => taken.has(exportedAs(cut, part, name)))
    const list = names.map((name) => `${name} as ${exportedAs(cut, part, name)}`)
    return list.length > 0 ? [`export{${list.join()}}from${JSON.stringify(part)}`] : []
  })
  const { outputFiles } = await build({
    ...COMMON,
    absWorkingDir: cut.outDir,
    stdin: { contents: [`export*from${JSON.stringify(cut.entry)}`, ...given].join('\n'), resolveDir: cut.outDir },
    outfile: cut.entry,
    plugins: [
      parts(cut, (path, kind) => {
        const now = kind === 'dynamic-import' && paths.get(path)
        return now ? { path: relative(dirname(cut.entry), now), external: true } : undefined
      }),
    ],
  })
  return outputFiles[0]!.text
}

/** Most parts call no `require`: without the line that makes one they are that much smaller. */
const loadable = (text: string): Buffer => Buffer.from(/\brequire\b/.test(text) ? REQUIRE + text : text)

/** Of what a module imports only the parts it uses are bundled: a file without any is not there. */
function sourcesOf({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  const held = inputs.filter(([file, { bytesInOutput }]) => bytesInOutput > 0 && !file.includes('node_modules'))
  return [...new Set(held.map(([file]) => file))].sort()
}
