/** `npm run build`: functions, web app and packages/react; `-- web`: only the app. Unchanged code yields byte-identical zips. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readStack, type StackFunction } from '../packages/local-cloud/src/stack.ts'
import { type Bundler, createBundler } from './bundle.ts'
import { areCurrent, readStamps } from './bundled/cache.mjs'
import { THREAD_SOURCES } from './bundled/thread-code.mjs'
import { listReadFiles } from './read-files.ts'
import { zipFiles } from './zip.ts'

const MAX_CONCURRENT_BUILDS = 4
const BUILD_SOURCES = [
  'node_modules/.package-lock.json',
  'package.json',
  'scripts/build.ts',
  'scripts/bundle.ts',
  'scripts/read-files.ts',
  'scripts/tree-shakable-schemas.ts',
  'scripts/zip.ts',
  ...THREAD_SOURCES,
]

export interface Bundle {
  key: string
  entry: string
  startBytes: number
  startPackedBytes: number
  packageBytes: number
  sources: string[]
}

interface Build {
  bundle: Bundle
  files: string[]
  stamps: Record<string, string>
}

/**
 * Builds the functions of `<root>/serverless.yml` whose sources have changed into `outDir`, and removes other files.
 * @throws Error when a module is missing or wrong
 */
export async function buildFunctions(root: string, outDir = resolve(root, 'dist')): Promise<Bundle[]> {
  const { functions } = readStack({ root })
  const packages = resolve(outDir, 'packages')
  const earlier = takeBuilds(outDir, resolve(packages, 'builds.json'))
  const builds = new Map<string, Build>()
  for (const definition of functions) {
    const build = earlier.get(definition.key)
    if (build && isCurrent(build, root, definition)) builds.set(definition.key, build)
  }
  removeUnused(earlier, builds)
  mkdirSync(packages, { recursive: true })
  await buildMissing(
    root,
    outDir,
    functions.filter(({ key }) => !builds.has(key)),
    builds,
  )
  const bundles = functions.map(({ key }) => builds.get(key)!.bundle)
  const sources = Object.fromEntries(bundles.map((bundle) => [bundle.key, bundle.sources]))
  writeFileSync(resolve(packages, 'sources.json'), JSON.stringify(sources))
  writeFileSync(resolve(packages, 'builds.json'), JSON.stringify([...builds]))
  return bundles
}

async function buildMissing(
  root: string,
  outDir: string,
  missing: readonly StackFunction[],
  builds: Map<string, Build>,
): Promise<void> {
  if (missing.length === 0) return
  const bundler = await createBundler(root, outDir)
  try {
    // Building all functions in parallel takes gigabytes: each build holds its outputs in memory.
    for (let offset = 0; offset < missing.length; offset += MAX_CONCURRENT_BUILDS) {
      const batch = missing.slice(offset, offset + MAX_CONCURRENT_BUILDS)
      const built = await Promise.all(batch.map((definition) => buildFunction(root, outDir, definition, bundler)))
      for (const build of built) builds.set(build.bundle.key, build)
    }
  } finally {
    await bundler.close()
  }
}

/** Removes the list until the new one is written, so that a build that was killed is not taken for a complete one. */
function takeBuilds(outDir: string, path: string): Map<string, Build> {
  if (!existsSync(path)) {
    rmSync(outDir, { recursive: true, force: true })
    return new Map()
  }
  const builds = new Map(JSON.parse(readFileSync(path, 'utf8')) as [string, Build][])
  rmSync(path)
  return builds
}

/** Functions with the same lazy chunk share its file. */
function removeUnused(earlier: Map<string, Build>, current: Map<string, Build>): void {
  const used = new Set([...current.values()].flatMap(({ files }) => files))
  for (const { files } of earlier.values()) for (const path of files) if (!used.has(path)) rmSync(path, { force: true })
}

const isCurrent = ({ bundle, files, stamps }: Build, root: string, { modulePath }: StackFunction): boolean =>
  bundle.entry === `${relative(root, modulePath)}.mjs` && files.every((file) => existsSync(file)) && areCurrent(stamps)

async function buildFunction(
  root: string,
  outDir: string,
  { key, modulePath }: StackFunction,
  bundler: Bundler,
): Promise<Build> {
  const startedAt = Date.now()
  const { entry, files, sources, inputs } = await bundler.bundle(relative(root, modulePath))
  for (const [path, bytes] of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  const readPaths = listReadFiles(key, sources)
  for (const path of readPaths) files.set(resolve(outDir, path), copyToOutput(root, outDir, path))
  const zipPaths = (paths: string[]) =>
    zipFiles(new Map(paths.map((path) => [relative(outDir, path), files.get(path)!])))
  const zip = await zipPaths([...files.keys()].sort())
  const zipPath = resolve(outDir, `packages/${key}.zip`)
  writeFileSync(zipPath, zip)
  const built: Bundle = {
    key,
    entry: relative(outDir, entry),
    startBytes: files.get(entry)!.length,
    startPackedBytes: (await zipPaths([entry])).length,
    packageBytes: zip.length,
    sources,
  }
  const stampedPaths = [...inputs, ...readPaths, ...BUILD_SOURCES].map((path) => resolve(root, path))
  return { bundle: built, files: [...files.keys(), zipPath], stamps: readStamps(stampedPaths, startedAt) }
}

function copyToOutput(root: string, outDir: string, path: string): Buffer {
  const target = resolve(outDir, path)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(resolve(root, path), target)
  return readFileSync(target)
}

const formatKilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`

async function buildAndReport(root: string): Promise<void> {
  const startedAt = performance.now()
  const bundles = await buildFunctions(root)
  for (const { key, startBytes, packageBytes } of bundles) {
    console.log(
      `${key.padEnd(24)} ${formatKilobytes(startBytes).padStart(9)} at start ${formatKilobytes(packageBytes).padStart(9)} packed`,
    )
  }
  console.log(`${bundles.length} functions built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function buildReactPackage(root: string): void {
  execFileSync(process.execPath, [resolve(root, 'packages/react/build.mjs')], { stdio: 'inherit' })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = process.cwd()
  if (process.argv[2] !== 'web') {
    await buildAndReport(root)
    buildReactPackage(root)
  }
  const { build } = await import('vite')
  await build({ configFile: resolve(root, 'web/vite.config.ts') })
}
