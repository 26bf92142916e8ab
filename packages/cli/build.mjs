import { cpSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const here = import.meta.dirname
rmSync(`${here}/dist`, { recursive: true, force: true })
await build({
  absWorkingDir: here,
  entryPoints: { main: 'src/main.ts', 'listener-process': 'src/listener/process.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  external: ['esbuild'],
  bundle: true,
  minify: true,
  target: 'node20',
  platform: 'node',
  format: 'esm',
  banner: {
    js: "#!/usr/bin/env node\nimport{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  legalComments: 'linked',
  logLevel: 'error',
})
cpSync(`${here}/../create-wharf/template`, `${here}/dist/template`, { recursive: true })
