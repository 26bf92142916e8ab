import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { buildManifestPath, buildName, FOLDER, readStamps, writeAtomically } from './cache.mjs'
import { DEFINE, sourcePaths } from './source-paths.mjs'
import { THREAD_SOURCES, threadCode } from './thread-code.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OTHER_SOURCES = [
  'package.json',
  'node_modules/.package-lock.json',
  'scripts/bundled/build.mjs',
  'scripts/bundled/run.mjs',
  'scripts/bundled/source-paths.mjs',
  ...THREAD_SOURCES,
]
/** A running process reads the source map of its bundle when it first reports an error. */
const MAX_BUNDLES = 3
const expressSource = (path) => ({
  url: JSON.stringify(pathToFileURL(path).href),
  folder: JSON.stringify(dirname(path)),
})

/** The bundle is a script with one function, because V8 caches the code of scripts, but not of modules. */
const HEAD = '(async(require,__sourceUrl,__sourceFolder)=>{"use strict";'
const TAIL = '})'

const requireOthers = {
  name: 'require-others',
  setup({ onResolve, onLoad }) {
    const names = [...builtinModules, 'esbuild'].join('|')
    onResolve({ filter: new RegExp(`^(node:.+|${names})$`) }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'required' },
    )
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports=require(${JSON.stringify(path)})`,
    }))
  },
}

/** Returns the path of the bundle. Prints the errors of sources and exits. */
export async function buildBundle(script) {
  const startedAt = Date.now()
  const name = buildName(script)
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: { contents: `await import(${JSON.stringify(script)})`, resolveDir: ROOT },
    outdir: FOLDER,
    entryNames: `${name}-[hash]`,
    bundle: true,
    minifyWhitespace: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    supported: { 'dynamic-import': false },
    mainFields: ['module', 'main'],
    define: DEFINE,
    banner: { js: HEAD },
    footer: { js: TAIL },
    plugins: [requireOthers, threadCode, sourcePaths(expressSource)],
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
  }).catch(() => process.exit(1))
  mkdirSync(FOLDER, { recursive: true })
  for (const { path, contents } of outputFiles) if (!existsSync(path)) writeAtomically(path, contents)
  const bundle = outputFiles.find(({ path }) => path.endsWith('.js')).path
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

function removeOldBundles(name) {
  const bundles = readdirSync(FOLDER)
    .filter((file) => file.startsWith(`${name}-`) && file.endsWith('.js'))
    .map((file) => join(FOLDER, file))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const path of bundles.slice(MAX_BUNDLES))
    for (const file of [path, `${path}.map`, `${path}.code`]) rmSync(file, { force: true })
}
