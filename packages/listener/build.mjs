import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'

const here = import.meta.dirname
const SDK_SOURCE = '../../sdk/src/index.ts'
const SDK = '@wharf/sdk'

const sdkAsDependency = {
  name: 'sdk-as-dependency',
  setup: ({ onResolve }) => onResolve({ filter: /sdk\/src\/index\.ts$/ }, () => ({ path: SDK, external: true })),
}

rmSync(`${here}/dist`, { recursive: true, force: true })
const shared = {
  absWorkingDir: here,
  entryPoints: ['src/index.ts'],
  bundle: true,
  target: 'es2022',
  plugins: [sdkAsDependency],
  logLevel: 'error',
}
await Promise.all([
  build({ ...shared, format: 'esm', outfile: 'dist/index.mjs' }),
  build({ ...shared, format: 'cjs', outfile: 'dist/index.cjs', platform: 'node' }),
])
execFileSync(process.execPath, [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', here], {
  stdio: 'inherit',
})
const types = `${here}/dist/types/listener/src`
mkdirSync(`${here}/dist`, { recursive: true })
for (const name of readdirSync(types))
  writeFileSync(`${here}/dist/${name}`, readFileSync(`${types}/${name}`, 'utf8').replaceAll(SDK_SOURCE, SDK))
rmSync(`${here}/dist/types`, { recursive: true })
// TypeScript lets both kinds of modules import types of a CommonJS module.
writeFileSync(`${here}/dist/package.json`, '{ "type": "commonjs", "sideEffects": false }\n')
