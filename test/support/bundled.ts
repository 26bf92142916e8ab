/** A script as functions are deployed: one file of its own, so that what it needs of memory is its own and no loader's. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

export interface Bundled {
  script: string
  remove(): void
}

/** @param path of the TypeScript module that is its beginning */
export async function bundled(path: string): Promise<Bundled> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-bundled-'))
  const script = join(folder, 'process.mjs')
  await build({
    ...{ entryPoints: [path], outfile: script },
    ...{ bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
  })
  return { script, remove: () => rmSync(folder, { recursive: true }) }
}
