/** `npm run build`: functions, web app and packages/react; `-- web`: only the app. Unchanged code yields byte-identical zips. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { zipFiles } from '../lib/agents/zip.ts'
import { readStack, type StackFunction } from '../packages/local-cloud/src/stack.ts'
import { bundle } from './bundle.ts'
import { listReadFiles } from './read-files.ts'

const MAX_CONCURRENT_BUILDS = 4

export interface Bundle {
  key: string
  entry: string
  startBytes: number
  startPackedBytes: number
  packageBytes: number
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
  // Building all functions in parallel takes gigabytes: each build holds the dependencies it read in memory.
  const bundles: Bundle[] = []
  for (let offset = 0; offset < functions.length; offset += MAX_CONCURRENT_BUILDS) {
    const batch = functions.slice(offset, offset + MAX_CONCURRENT_BUILDS)
    bundles.push(...(await Promise.all(batch.map((definition) => buildFunction(root, outDir, definition)))))
  }
  const sources = Object.fromEntries(bundles.map((bundle) => [bundle.key, bundle.sources]))
  writeFileSync(resolve(outDir, 'packages/sources.json'), JSON.stringify(sources))
  return bundles
}

async function buildFunction(root: string, outDir: string, { key, modulePath }: StackFunction): Promise<Bundle> {
  const { entry, files, sources } = await bundle(root, outDir, relative(root, modulePath))
  for (const [path, bytes] of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  for (const path of listReadFiles(key, sources)) files.set(resolve(outDir, path), copyToOutput(root, outDir, path))
  const zipPaths = (paths: string[]) =>
    zipFiles(Object.fromEntries(paths.map((path) => [relative(outDir, path), files.get(path)!]))).zip
  const zip = zipPaths([...files.keys()].sort())
  writeFileSync(resolve(outDir, `packages/${key}.zip`), zip)
  return {
    key,
    entry: relative(outDir, entry),
    startBytes: files.get(entry)!.length,
    startPackedBytes: zipPaths([entry]).length,
    packageBytes: zip.length,
    sources,
  }
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
