/** An agent's deployment package: the runtime around it, its bundle and its source map. Pure. */

import { compileFunction } from 'node:vm'
import { strFromU8, unzipSync } from 'fflate'
import { PACKAGE_BYTES } from '../../schemas/sizes.ts'
import { invalidField, tooLarge } from '../core/errors.ts'
import { RUNTIME } from './runtime.generated.ts'
import { type Package, zipOf } from './zip.ts'

export interface Bundle {
  /** The text of a CommonJS module. */
  source: string
  /** A source map as JSON text. */
  sourceMap?: string | undefined
}

const HASHBANG = /^#!.*/
const BUNDLE = 'bundle.cjs'
const SOURCE_MAP = `${BUNDLE}.map`
const SOURCE_MAP_NOTE = `\n//# sourceMappingURL=${SOURCE_MAP}\n`

/** Packs the bundle. Throws 400 when it is not a CommonJS module, 413 when it is larger than Lambda takes. */
export function packageOf({ source, sourceMap }: Bundle): Package {
  checkSyntax(source)
  const packed = zipOf({
    'index.mjs': RUNTIME,
    [BUNDLE]: sourceMap ? source + SOURCE_MAP_NOTE : source,
    ...(sourceMap ? { [SOURCE_MAP]: sourceMap } : {}),
  })
  const bytes = packed.zip.length
  if (bytes > PACKAGE_BYTES)
    throw tooLarge(`The agent's package has ${bytes} bytes compressed; a function takes at most ${PACKAGE_BYTES}.`)
  return packed
}

/** What was packed: the bundle as it came, whatever runtime is around it. */
export function bundleIn(zip: Uint8Array): Bundle {
  const files = unzipSync(zip, { filter: ({ name }) => name === BUNDLE || name === SOURCE_MAP })
  const text = strFromU8(files[BUNDLE]!)
  const map = files[SOURCE_MAP]
  return map ? { source: text.slice(0, -SOURCE_MAP_NOTE.length), sourceMap: strFromU8(map) } : { source: text }
}

/** Compiles without running. */
function checkSyntax(source: string): void {
  try {
    compileFunction(source.replace(HASHBANG, ''), ['exports', 'require', 'module', '__filename', '__dirname'], {
      filename: 'source',
    })
  } catch (error) {
    throw invalidField('source', `must be a CommonJS module: ${(error as Error).message}`)
  }
}
