/** An agent's deployment package: the runtime around it, its bundle and its source map. Pure. */
import { createHash } from 'node:crypto'
import { compileFunction } from 'node:vm'
import { strToU8, zipSync } from 'fflate'
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
const SOURCE_MAP_NOTE = '\n//# sourceMappingURL=bundle.cjs.map\n'

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
    'bundle.cjs': strToU8(sourceMap ? source + SOURCE_MAP_NOTE : source),
    ...(sourceMap ? { 'bundle.cjs.map': strToU8(sourceMap) } : {}),
  }
  const zip = zipSync(files, { level: 6, mtime: FILE_TIME })
  if (zip.length > PACKAGE_BYTES) {
    throw tooLarge(`The agent's package has ${zip.length} bytes compressed; a function takes at most ${PACKAGE_BYTES}.`)
  }
  return { zip, sha256: createHash('sha256').update(zip).digest('base64') }
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
