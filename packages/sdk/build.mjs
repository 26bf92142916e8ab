import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'

const here = import.meta.dirname
rmSync(`${here}/dist`, { recursive: true, force: true })
const shared = {
  absWorkingDir: here,
  entryPoints: ['src/index.ts', 'src/node.ts'],
  outdir: 'dist',
  bundle: true,
  target: 'es2022',
  external: ['node:*'],
  logLevel: 'error',
}
await Promise.all([
  build({ ...shared, format: 'esm', outExtension: { '.js': '.mjs' } }),
  build({ ...shared, format: 'cjs', platform: 'node', outExtension: { '.js': '.cjs' } }),
])
execFileSync(
  process.execPath,
  [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', here, '--noCheck'],
  {
    stdio: 'inherit',
  },
)
// TypeScript lets both kinds of modules import types of a CommonJS module.
writeFileSync(`${here}/dist/package.json`, '{ "type": "commonjs", "sideEffects": false }\n')
