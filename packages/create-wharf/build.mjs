import { cpSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const here = import.meta.dirname
rmSync(`${here}/dist`, { recursive: true, force: true })
await build({
  absWorkingDir: here,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/main.mjs',
  bundle: true,
  target: 'node20',
  platform: 'node',
  format: 'esm',
  banner: { js: '#!/usr/bin/env node' },
  logLevel: 'error',
})
cpSync(`${here}/template`, `${here}/dist/template`, { recursive: true })
