import { rmSync } from 'node:fs'
import { build } from 'esbuild'

const here = import.meta.dirname
rmSync(`${here}/dist`, { recursive: true, force: true })
await build({
  absWorkingDir: here,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/main.mjs',
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
