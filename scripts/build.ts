/**
 * Bundles every function of serverless.yml for Lambda: dist/functions/<...>.mjs holds only what that handler imports (what it
 * imports on demand is beside it), and dist/packages/<function>.zip is the package to deploy. The zips of unchanged code are equal byte for byte.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { zipSync } from 'fflate'
import { readStack, type StackFunction } from '../localstack/cloud/stack.ts'
import { bundle } from './bundle.ts'
import { READ_FILES } from './read-files.ts'

const BUILT_TOGETHER = 4
const FIXED_TIME = new Date('2000-01-01T00:00:00Z')

export interface Bundle {
  /** The function's key in serverless.yml. */
  key: string
  /** The module in the output directory. */
  entry: string
  /** What is read at a cold start: the module. */
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

/** Each by itself, so that parts loaded on demand are its own. */
async function buildFunction(root: string, outDir: string, { key, modulePath }: StackFunction): Promise<Bundle> {
  const { entry, files, sources } = await bundle(root, outDir, relative(root, modulePath))
  for (const [path, bytes] of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  for (const path of READ_FILES[key] ?? []) files.set(resolve(outDir, path), copied(root, outDir, path))
  const zipped = (paths: string[]) =>
    zipSync(Object.fromEntries(paths.map((path) => [relative(outDir, path), files.get(path)!])), {
      level: 9,
      mtime: FIXED_TIME,
    })
  const zip = zipped([...files.keys()].sort())
  writeFileSync(resolve(outDir, `packages/${key}.zip`), zip)
  return {
    key,
    entry: relative(outDir, entry),
    startBytes: files.get(entry)!.length,
    startPackedBytes: zipped([entry]).length,
    packageBytes: zip.length,
    sources,
  }
}

/** The same path below `outDir`, from where the function finds it as here. */
function copied(root: string, outDir: string, path: string): Buffer {
  const to = resolve(outDir, path)
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(resolve(root, path), to)
  return readFileSync(to)
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
