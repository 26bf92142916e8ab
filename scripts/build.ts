/**
 * Bundles every function of serverless.yml for Lambda: dist/functions/<...>.mjs holds only what that handler imports (what it
 * imports on demand is beside it), and dist/packages/<function>.zip is the package to deploy. The zips of unchanged code are equal byte for byte.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'
import { zipSync } from 'fflate'
import { READ_PATHS } from '../lib/reference/files.ts'
import { readStack, type StackFunction } from '../localstack/cloud/stack.ts'

/** Some dependencies are CommonJS and call `require` for Node's own modules, which a bundled ES module does not have. */
export const REQUIRE =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"
/** Files functions read while they serve, by key; they stand in the package where they stand here. */
const READ_FILES: Record<string, readonly string[]> = { reference: READ_PATHS }
const BUILT_TOGETHER = 4
const FIXED_TIME = new Date('2000-01-01T00:00:00Z')

export interface Bundle {
  /** The function's key in serverless.yml. */
  key: string
  /** The module in the output directory. */
  entry: string
  /** What is read at a cold start: the module and the parts it always needs. */
  startBytes: number
  /** The same, compressed. */
  startPackedBytes: number
  /** The package, with the parts loaded on demand. */
  packageBytes: number
  /** The files of this project whose code it holds: what a function may do in AWS follows from them. */
  sources: string[]
}

/**
 * Builds all functions of `<root>/serverless.yml` into `outDir`, which is emptied first.
 * @throws Error when a module is missing or wrong
 */
export async function buildFunctions(root: string, outDir = resolve(root, 'dist')): Promise<Bundle[]> {
  const { functions } = readStack({ root })
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(resolve(outDir, 'packages'), { recursive: true })
  // All at once take gigabytes: each keeps what it read of the dependencies until it is done.
  const bundles: Bundle[] = []
  for (let at = 0; at < functions.length; at += BUILT_TOGETHER) {
    const some = functions.slice(at, at + BUILT_TOGETHER)
    bundles.push(...(await Promise.all(some.map((each) => buildFunction(root, outDir, each)))))
  }
  const sources = Object.fromEntries(bundles.map((bundle) => [bundle.key, bundle.sources]))
  writeFileSync(resolve(outDir, 'packages/sources.json'), JSON.stringify(sources))
  return bundles
}

/** ElectroDB's own client would bring every command of the SDK. */
const withoutClient: Plugin = {
  name: 'electrodb-without-client',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/client$/ }, ({ importer }) =>
      importer.includes('/electrodb/') ? { path: resolve(import.meta.dirname, 'no-client.cjs') } : undefined,
    ),
}

/** Each by itself, so that parts loaded on demand are its own; what it imports at once is one file. */
async function buildFunction(root: string, outDir: string, { key, modulePath }: StackFunction): Promise<Bundle> {
  const entry = relative(root, modulePath)
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [{ in: `./${entry}.ts`, out: entry }],
    outdir: outDir,
    outExtension: { '.js': '.mjs' },
    // Each name stands twice in a zip, of which a cold start reads all. Equal parts of two functions are one file.
    chunkNames: 'chunks/[hash]',
    splitting: true,
    metafile: true,
    write: false,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    alias: {
      jsonschema: resolve(import.meta.dirname, 'no-jsonschema.cjs'),
      electrodb: resolve(import.meta.dirname, 'only-entity.cjs'),
    },
    plugins: [withoutClient],
    banner: { js: REQUIRE },
    legalComments: 'external',
    logLevel: 'error',
  })
  const contents = new Map(outputFiles.map(({ path, contents }) => [path, needed(Buffer.from(contents))]))
  for (const [path, bytes] of contents) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  const read = (file: string) => contents.get(resolve(root, file)) ?? readFileSync(resolve(root, file))
  const zipped = (files: string[]) =>
    zipSync(Object.fromEntries(files.map((file) => [relative(outDir, resolve(root, file)), read(file)])), {
      level: 9,
      mtime: FIXED_TIME,
    })
  const start = loadedAtStart(metafile, relative(root, resolve(outDir, `${entry}.mjs`)))
  const files = (READ_FILES[key] ?? []).map((path) => copied(root, outDir, path))
  const zip = zipped([...Object.keys(metafile.outputs), ...files].sort())
  writeFileSync(resolve(outDir, `packages/${key}.zip`), zip)
  const startBytes = start.reduce((sum, file) => sum + read(file).length, 0)
  return {
    key,
    entry: `${entry}.mjs`,
    startBytes,
    startPackedBytes: zipped(start).length,
    packageBytes: zip.length,
    sources: sourcesOf(metafile),
  }
}

/** Most parts call no `require`: without the line that makes one they are that much smaller. */
const needed = (module: Buffer): Buffer =>
  module.indexOf(REQUIRE) === 0 && module.indexOf('require', REQUIRE.length) < 0
    ? module.subarray(REQUIRE.length + 1)
    : module

/** Of what a module imports only the parts it uses are bundled: a file without any is not there. */
function sourcesOf({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  const held = inputs.filter(([file, { bytesInOutput }]) => bytesInOutput > 0 && !file.includes('node_modules'))
  return [...new Set(held.map(([file]) => file))].sort()
}

/** The same path below `outDir`, from where the function finds it as here. */
function copied(root: string, outDir: string, path: string): string {
  const to = resolve(outDir, path)
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(resolve(root, path), to)
  return relative(root, to)
}

/** The entry and all it imports, but not what it imports on demand. */
function loadedAtStart({ outputs }: Metafile, entry: string, found: string[] = []): string[] {
  if (found.includes(entry)) return found
  found.push(entry)
  for (const { path, kind } of outputs[entry]?.imports ?? []) {
    if (kind === 'import-statement' && outputs[path]) loadedAtStart({ outputs, inputs: {} }, path, found)
  }
  return found
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = performance.now()
  const bundles = await buildFunctions(process.cwd())
  for (const { key, startBytes, packageBytes } of bundles) {
    console.log(
      `${key.padEnd(24)} ${kilobytes(startBytes).padStart(9)} at start ${kilobytes(packageBytes).padStart(9)} packed`,
    )
  }
  console.log(`${bundles.length} functions built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
