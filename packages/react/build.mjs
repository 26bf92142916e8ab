/** Builds dist/ as an ES module with types. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'

const here = import.meta.dirname
rmSync(`${here}/dist`, { recursive: true, force: true })
await build({
  absWorkingDir: here,
  entryPoints: ['src/index.ts'],
  outfile: 'dist/index.js',
  bundle: true,
  format: 'esm',
  target: 'es2022',
  external: ['react'],
  banner: { js: "'use client'" },
  logLevel: 'error',
})
execFileSync(
  process.execPath,
  [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-p', here, '--noCheck'],
  {
    stdio: 'inherit',
  },
)
