/**
 * Builds dist/, or the folder that is given: the platform as one bundle, the files it reads below root/, and a small
 * module that starts it.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { createLazyBuild } from '../../localstack/web-build.ts'
import { BANNER, DEFINE, sourcePaths } from '../../scripts/bundled/source-paths.mjs'
import { threadCode } from '../../scripts/bundled/thread-code.mjs'
import { listAllReadFiles } from '../../scripts/read-files.ts'
import { bundleModule } from '../local-cloud/src/server/isolated-function.ts'
import { readStack } from '../local-cloud/src/stack.ts'

const here = import.meta.dirname
const root = resolve(here, '../..')
const dist = resolve(process.argv[2] ?? join(here, 'dist'))
const SANDBOX = ['runner.mjs', 'no-network.mjs'].map((name) => `packages/local-cloud/src/lambda/${name}`)

const shared = {
  absWorkingDir: here,
  outdir: dist,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  metafile: true,
  logLevel: 'error',
} as const satisfies BuildOptions

const toSlashes = (path: string): string => path.split(sep).join('/')

/** Sources find what they read as if dist/root were the repository. */
const expressSource = (path: string) => {
  const url = `new URL(${JSON.stringify(`root/${toSlashes(relative(root, path))}`)},globalThis.__sourceUrl)`
  return { url: `${url}.href`, folder: `__toPath(new URL('.',${url}))` }
}

async function buildPlatform(): Promise<Metafile> {
  const { metafile } = await build({
    ...shared,
    entryPoints: ['src/platform.ts'],
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    mainFields: ['module', 'main'],
    external: ['esbuild'],
    define: DEFINE,
    banner: { js: `import{fileURLToPath as __toPath}from'node:url';${BANNER}` },
    plugins: [threadCode, sourcePaths(expressSource)],
    legalComments: 'none',
  })
  return metafile
}

async function buildStarter(): Promise<void> {
  await build({
    ...shared,
    entryPoints: ['src/process.ts'],
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    plugins: [
      {
        name: 'platform',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\/platform\.ts$/ }, () => ({ path: './platform.mjs', external: true })),
      },
    ],
  })
  const index = { ...shared, entryPoints: ['src/index.ts'] }
  await build({ ...index, outExtension: { '.js': '.mjs' }, format: 'esm' })
  await build({
    ...index,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: { 'import.meta.url': '__url' },
    banner: { js: "const __url=require('node:url').pathToFileURL(__filename).href;" },
  })
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', here, '--noCheck', '--outDir', dist], { stdio: 'inherit' })
  // TypeScript lets both kinds of modules import types of a CommonJS module.
  writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs", "sideEffects": false }\n')
}

function copyToRoot(path: string): void {
  const target = join(dist, 'root', path)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(root, path), target, { recursive: true })
}

function listStackFiles(path = 'serverless.yml'): string[] {
  const included = readFileSync(join(root, path), 'utf8').matchAll(/\$\{file\(([^)]+)\)/g)
  return [path, ...[...included].flatMap(([, file]) => listStackFiles(file))]
}

async function bundleIsolatedFunctions(): Promise<void> {
  for (const { module, modulePath, isolated } of readStack({ root }).functions)
    if (isolated) await bundleModule(modulePath, join(dist, 'root', `${module}.mjs`))
}

/** The licences of bundled packages ask for their texts. */
function writeLicences({ inputs }: Metafile): void {
  const folders = new Set(Object.keys(inputs).flatMap((path) => findPackageFolder(path) ?? []))
  for (const path of listAllReadFiles()) folders.add(findPackageFolder(path) ?? '')
  folders.delete('')
  const texts = [...folders].sort().map((folder) => {
    const file = readdirSync(join(root, folder)).find((name) => /^licen[cs]e/i.test(name))
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : `Licence: ${license}`
    return `${name} ${version}\n\n${text}\n`
  })
  writeFileSync(join(dist, 'LICENCES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`))
}

const findPackageFolder = (path: string): string | undefined =>
  /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(toSlashes(path))?.[0]

rmSync(dist, { recursive: true, force: true })
const web = await createLazyBuild(root).ready()
const metafile = await buildPlatform()
await buildStarter()
for (const path of [...listStackFiles(), ...new Set(listAllReadFiles()), ...SANDBOX]) copyToRoot(path)
copyToRoot(toSlashes(relative(root, web)))
await bundleIsolatedFunctions()
writeLicences(metafile)
