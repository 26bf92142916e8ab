/** An agent's deployment package: the runtime, the bundle and its source map. Pure. */

import { SourceMap } from 'node:module'
import { compileFunction } from 'node:vm'
import { strFromU8, unzipSync } from 'fflate'
import { PACKAGE_BYTES } from '../../schemas/kit/byte-limits.ts'
import { message } from '../../schemas/messages/index.ts'
import { invalidField, tooLarge } from '../core/errors.ts'
import { RUNTIME } from './runtime.generated.ts'
import { type Package, zipFiles } from './zip.ts'

export interface Bundle {
  source: string
  sourceMap?: string | undefined
}

const HASHBANG = /^#!.*/
const BUNDLE = 'bundle.cjs'
const SOURCE_MAP = `${BUNDLE}.map`
const SOURCE_MAP_NOTE = `\n//# sourceMappingURL=${SOURCE_MAP}\n`

/** @throws ApiError 400 when the bundle is not a CommonJS module, 413 when it exceeds Lambda's limit */
export function buildPackage({ source, sourceMap }: Bundle): Package {
  checkSyntax(source, sourceMap)
  const deploymentPackage = zipFiles({
    'index.mjs': RUNTIME,
    [BUNDLE]: sourceMap ? source + SOURCE_MAP_NOTE : source,
    ...(sourceMap ? { [SOURCE_MAP]: sourceMap } : {}),
  })
  const bytes = deploymentPackage.zip.length
  if (bytes > PACKAGE_BYTES) throw tooLarge(message('agents.packageTooLarge', { count: bytes, limit: PACKAGE_BYTES }))
  return deploymentPackage
}

export function unpackBundle(zip: Uint8Array): Bundle {
  const files = unzipSync(zip, { filter: ({ name }) => name === BUNDLE || name === SOURCE_MAP })
  const text = strFromU8(files[BUNDLE]!)
  const map = files[SOURCE_MAP]
  return map ? { source: text.slice(0, -SOURCE_MAP_NOTE.length), sourceMap: strFromU8(map) } : { source: text }
}

function checkSyntax(source: string, sourceMap: string | undefined): void {
  try {
    compileFunction(source.replace(HASHBANG, ''), ['exports', 'require', 'module', '__filename', '__dirname'], {
      filename: 'source',
    })
  } catch (error) {
    throw invalidField('source', describeSyntaxError(error as Error, sourceMap))
  }
}

/** V8's trace starts with the line number and shows the source line with a caret under the column. */
function describeSyntaxError({ message: reason, stack = '' }: Error, sourceMap: string | undefined): string {
  const [, number] = /^source:(\d+)\n/.exec(stack) ?? []
  if (number === undefined) return message('agents.notAModule', { reason })
  const [line, column] = [Number(number), (/\n( *)\^/.exec(stack)?.[1]?.length ?? 0) + 1]
  const original = sourceMap === undefined ? undefined : findOriginalPosition(sourceMap, line, column)
  return original
    ? message('agents.notAModuleAt', { reason, position: original })
    : message('agents.notAModuleAtLine', { reason, line: String(line), column: String(column) })
}

function findOriginalPosition(sourceMap: string, line: number, column: number): string | undefined {
  try {
    const entry = new SourceMap(JSON.parse(sourceMap)).findEntry(line - 1, column - 1)
    return 'originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}` : undefined
  } catch {
    return undefined
  }
}
