import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../schemas/kit/byte-limits.ts'
import { message } from '../../schemas/messages/index.ts'
import { invalidField, tooLarge } from './errors.ts'

/** Checks size and depth on the bytes first: `[[],[],...]` takes a hundred times its size as objects. */
export function parseJson(bytes: Buffer): unknown {
  assertWithinLimits(bytes)
  const text = bytes.toString('utf8')
  const value = parseText(text)
  // Such a key cannot be stored safely everywhere. It is rare, so the value is seldom searched.
  const path = /__proto__|\\u/.test(text) ? findProtoPath(value) : undefined
  if (path) throw invalidField(path.join('.'), message('shape.protoKey'))
  return value
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidField('body', message('requests.notJsonBecause', { reason: (error as Error).message }))
  }
}

export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Allocates nothing. Malformed text is left to the parser. */
function assertWithinLimits(bytes: Buffer): void {
  let levels = 0
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = findStringEnd(bytes, at + 1)
    else if (byte === COMMA) values++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      if (++levels > MAX_JSON_DEPTH) throw invalidField('body', message('requests.tooDeep', { count: MAX_JSON_DEPTH }))
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) levels--
  }
  if (values > MAX_JSON_VALUES) throw tooLarge(message('requests.tooManyValues', { limit: MAX_JSON_VALUES, values }))
}

function findStringEnd(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at++
  }
  return bytes.length
}

function findProtoPath(value: unknown): string[] | undefined {
  if (value === null || typeof value !== 'object') return undefined
  if (Object.hasOwn(value, '__proto__')) return ['__proto__']
  for (const key in value) {
    const path = findProtoPath((value as Record<string, unknown>)[key])
    if (path) return [key, ...path]
  }
  return undefined
}
