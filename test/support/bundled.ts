/** A script as functions are deployed: one file of its own, so that what it needs of memory is its own and no loader's. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { REQUIRE } from '../../scripts/bundle.ts'

export interface Bundled {
  script: string
  remove(): void
}

/**
 * @param path of the TypeScript module that is its beginning
 * @param below where its folder is to be
 */
export async function bundled(path: string, below = tmpdir()): Promise<Bundled> {
  const folder = mkdtempSync(join(below, 'wharf-bundled-'))
  const script = join(folder, 'process.mjs')
  await build({
    ...{ entryPoints: [path], outfile: script },
    ...{ bundle: true, platform: 'node', target: 'node20', format: 'esm', logLevel: 'error' },
    banner: { js: REQUIRE },
  })
  return { script, remove: () => rmSync(folder, { recursive: true }) }
}
