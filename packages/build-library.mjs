import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { build } from 'esbuild'

/** Imported from their sources here, and as packages when they are published. */
const DEPENDENCIES = new Map([
  ['../../sdk/src/index.ts', '@wharf/sdk'],
  ['../../sdk/src/node.ts', '@wharf/sdk/node'],
  ['../../platform/src/index.ts', '@wharf/platform'],
])

const asDependencies = {
  name: 'dependencies',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.\/\.\.\// }, ({ path }) =>
      DEPENDENCIES.has(path) ? { path: DEPENDENCIES.get(path), external: true } : undefined,
    ),
}

export async function buildLibrary(folder) {
  rmSync(`${folder}/dist`, { recursive: true, force: true })
  const shared = {
    absWorkingDir: folder,
    entryPoints: ['src/index.ts'],
    bundle: true,
    target: 'es2022',
    external: ['ws', 'node:*'],
    plugins: [asDependencies],
    logLevel: 'error',
  }
  await Promise.all([
    build({ ...shared, format: 'esm', outfile: 'dist/index.mjs' }),
    build({ ...shared, format: 'cjs', outfile: 'dist/index.cjs', platform: 'node' }),
  ])
  writeTypes(folder)
}

function writeTypes(folder) {
  execFileSync(
    process.execPath,
    [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', folder, '--noCheck'],
    {
      stdio: 'inherit',
    },
  )
  const types = `${folder}/dist/types/${basename(folder)}/src`
  for (const name of readdirSync(types)) {
    let text = readFileSync(`${types}/${name}`, 'utf8')
    for (const [path, dependency] of DEPENDENCIES) text = text.replaceAll(path, dependency)
    writeFileSync(`${folder}/dist/${name}`, text)
  }
  rmSync(`${folder}/dist/types`, { recursive: true, force: true })
  // TypeScript lets both kinds of modules import types of a CommonJS module.
  writeFileSync(`${folder}/dist/package.json`, '{ "type": "commonjs", "sideEffects": false }\n')
}
