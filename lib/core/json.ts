/** JSON from outside. */
import { JSON_LEVELS, JSON_VALUES } from '../../schemas/sizes.ts'
import { invalidField, tooLarge } from './errors.ts'

/**
 * The value of a JSON text. Its shape is checked on the bytes first: `[[],[],...]` takes a hundred times its size as objects.
 * @throws ApiError invalid for what is not JSON, nests too deep or has a key `__proto__`; too-large for too many values
 */
export function parseJson(bytes: Buffer): unknown {
  refuseCostly(bytes)
  const text = bytes.toString('utf8')
  const value = parse(text)
  // `__proto__` as a key is data in JSON and a trap in JavaScript: it cannot be stored faithfully everywhere, so it is refused.
  // Seldom in a text: only then is the value searched.
  const path = /__proto__|\\u/.test(text) ? pathOfProto(value) : undefined
  if (path) throw invalidField(path.join('.'), 'is not a key that can be used')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidField('body', `is not JSON: ${(error as Error).message}`)
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Counts values and levels without making any of them. Text that is not JSON is left to the parser. */
function refuseCostly(bytes: Buffer): void {
  let levels = 0
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === COMMA) values++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      if (++levels > JSON_LEVELS) throw invalidField('body', `nests more than ${JSON_LEVELS} levels deep`)
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) levels--
  }
  if (values > JSON_VALUES)
    throw tooLarge(`A JSON body may have at most ${JSON_VALUES} objects, lists and members, this one has ${values}.`)
}

function endOfString(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at++
  }
  return bytes.length
}

/** Where a value has a key `__proto__`; it nests at most {@link JSON_LEVELS} deep. */
function pathOfProto(value: unknown): string[] | undefined {
  if (value === null || typeof value !== 'object') return undefined
  if (Object.hasOwn(value, '__proto__')) return ['__proto__']
  for (const key in value) {
    const path = pathOfProto((value as Record<string, unknown>)[key])
    if (path) return [key, ...path]
  }
  return undefined
}
