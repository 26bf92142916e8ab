/** An agent's deployment package: the runtime around it, its bundle and its source map. Pure. */
import { createHash } from 'node:crypto'
import { compileFunction } from 'node:vm'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { invalidField, tooLarge } from '../core/errors.ts'
import { RUNTIME } from './runtime.generated.ts'

export interface Bundle {
  /** The text of a CommonJS module. */
  source: string
  /** A source map as JSON text. */
  sourceMap?: string | undefined
}

/** Lambda takes packages of at most this many bytes in a request. */
const PACKAGE_BYTES = 50 * 1024 * 1024
/** One time for every file: equal bundles make equal packages. */
const FILE_TIME = new Date('2000-01-01T00:00:00Z')
const HASHBANG = /^#!.*/
const BUNDLE = 'bundle.cjs'
const SOURCE_MAP = `${BUNDLE}.map`
const SOURCE_MAP_NOTE = `\n//# sourceMappingURL=${SOURCE_MAP}\n`

export interface Package {
  zip: Uint8Array
  /** SHA-256 in base64, as Lambda tells it of the code it runs. */
  sha256: string
}

/** Packs the bundle. Throws 400 when it is not a CommonJS module, 413 when it is larger than Lambda takes. */
export function packageOf({ source, sourceMap }: Bundle): Package {
  checkSyntax(source)
  const files = {
    'index.mjs': strToU8(RUNTIME),
    [BUNDLE]: strToU8(sourceMap ? source + SOURCE_MAP_NOTE : source),
    ...(sourceMap ? { [SOURCE_MAP]: strToU8(sourceMap) } : {}),
  }
  const zip = zipSync(files, { level: 6, mtime: FILE_TIME })
  if (zip.length > PACKAGE_BYTES) {
    throw tooLarge(`The agent's package has ${zip.length} bytes compressed; a function takes at most ${PACKAGE_BYTES}.`)
  }
  return { zip, sha256: createHash('sha256').update(zip).digest('base64') }
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
