import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'

const here = import.meta.dirname
rmSync(`${here}/dist`, { recursive: true, force: true })
const shared = {
  absWorkingDir: here,
  entryPoints: ['src/index.ts'],
  bundle: true,
  target: 'es2022',
  external: ['@flatfile/listener', 'ws'],
  logLevel: 'error',
}
await Promise.all([
  build({ ...shared, format: 'esm', outfile: 'dist/index.js' }),
  build({ ...shared, format: 'cjs', outfile: 'dist/index.cjs', platform: 'node' }),
])
execFileSync(
  process.execPath,
  [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', here, '--noCheck'],
  {
    stdio: 'inherit',
  },
)
