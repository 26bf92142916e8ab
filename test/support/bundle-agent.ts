import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { REQUIRE } from '../../scripts/bundle.ts'

/** Runs a TypeScript file, given as its first argument, in a third of the time of tsx. */
export const RUN_BUNDLED = resolve(import.meta.dirname, '../../scripts/run-bundled.mjs')

export interface BundledScript {
  script: string
  remove(): void
}

export async function bundleScript(path: string, parentFolder = tmpdir()): Promise<BundledScript> {
  const folder = mkdtempSync(join(parentFolder, 'wharf-bundled-'))
  const script = join(folder, 'process.mjs')
  await build({
    ...{ entryPoints: [path], outfile: script },
    ...{ bundle: true, platform: 'node', target: 'node20', format: 'esm', logLevel: 'error' },
    banner: { js: REQUIRE },
  })
  return { script, remove: () => rmSync(folder, { recursive: true }) }
}
