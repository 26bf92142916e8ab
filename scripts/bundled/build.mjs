import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { buildManifestPath, buildName, FOLDER, readStamps } from './cache.mjs'
import { BANNER, DEFINE, sourcePaths } from './source-paths.mjs'
import { THREAD_SOURCES, threadCode } from './thread-code.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OTHER_SOURCES = [
  'package.json',
  'node_modules/.package-lock.json',
  'scripts/bundled/build.mjs',
  'scripts/bundled/source-paths.mjs',
  ...THREAD_SOURCES,
]
/** A running process reads the source map of its bundle when it first reports an error. */
const MAX_BUNDLES = 3
const expressSource = (path) => ({
  url: JSON.stringify(pathToFileURL(path).href),
  folder: JSON.stringify(dirname(path)),
})

/** Returns the path of the bundle. Prints the errors of sources and exits. */
export async function buildBundle(script) {
  const startedAt = Date.now()
  const name = buildName(script)
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [script],
    outdir: FOLDER,
    entryNames: `${name}-[hash]`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minifyWhitespace: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    external: ['esbuild'],
    define: DEFINE,
    banner: { js: BANNER },
    plugins: [threadCode, sourcePaths(expressSource)],
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
  }).catch(() => process.exit(1))
  mkdirSync(FOLDER, { recursive: true })
  for (const { path, contents } of outputFiles) if (!existsSync(path)) writeAtomically(path, contents)
  const bundle = outputFiles.find(({ path }) => path.endsWith('.mjs')).path
  writeAtomically(
    buildManifestPath(script),
    JSON.stringify({ bundle, stamps: readStamps(listSources(metafile), startedAt) }),
  )
  removeOldBundles(name)
  return bundle
}

function listSources({ inputs }) {
  const sources = Object.keys(inputs).filter((path) => !path.startsWith('node_modules/'))
  return [...new Set([...sources, ...sources.map(dirname), ...OTHER_SOURCES])].map((path) => resolve(ROOT, path))
}

/** Other processes may be reading or writing the same file. */
function writeAtomically(path, contents) {
  const part = `${path}.${process.pid}`
  writeFileSync(part, contents)
  renameSync(part, path)
}

function removeOldBundles(name) {
  const bundles = readdirSync(FOLDER)
    .filter((file) => file.startsWith(`${name}-`) && file.endsWith('.mjs'))
    .map((file) => join(FOLDER, file))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const path of bundles.slice(MAX_BUNDLES)) for (const file of [path, `${path}.map`]) rmSync(file, { force: true })
}
