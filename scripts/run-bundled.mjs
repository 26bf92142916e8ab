/** `node scripts/run-bundled.mjs <script> [argument ...]` runs a TypeScript file as one bundle, which starts faster. */
import { resolve } from 'node:path'
import { findBundle } from './bundled/cache.mjs'
import { runBundle } from './bundled/run.mjs'

process.argv.splice(1, 1)
const script = resolve(process.argv[1] ?? '')
process.argv[1] = script
const bundle =
  findBundle(script) ?? (await import('./bundled/build.mjs').then(({ buildBundle }) => buildBundle(script)))
process.setSourceMapsEnabled(true)
await runBundle(bundle)
