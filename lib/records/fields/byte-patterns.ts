/** Accepts most texts by their bytes, without decoding them. What is not accepted is matched as text. */

export type AcceptBytes = (bytes: Uint8Array, from: number, to: number) => boolean

interface Item {
  accepts: Uint8Array
  min: number
  max: number
}

const CLASSES: Readonly<Record<string, string>> = { '\\d': '0-9', '\\w': '0-9A-Za-z_' }
const ITEM = /(\\[dw]|\[[\w -]+\]|[\w @#%&:;,/~-])(?:\{(\d{1,3})(,)?(\d{1,3})?\}|([+*?]))?/y

/** For patterns `^...$` of ASCII characters, classes and repetitions; undefined for others. */
export function compileBytePattern(pattern: string): AcceptBytes | undefined {
  if (!pattern.startsWith('^') || !pattern.endsWith('$')) return undefined
  const items: Item[] = []
  ITEM.lastIndex = 1
  while (ITEM.lastIndex < pattern.length - 1) {
    const match = ITEM.exec(pattern)
    const item = match && toItem(match)
    if (!item) return undefined
    items.push(item)
  }
  return (bytes, from, to) => matchesGreedily(items, bytes, from, to)
}

function toItem([, unit = '', least, comma, most, mark]: RegExpExecArray): Item | undefined {
  const accepts = compileClass(CLASSES[unit] ?? (unit.startsWith('[') ? unit.slice(1, -1) : unit))
  if (!accepts || (least === undefined && most !== undefined)) return undefined
  const unlimited = Number.POSITIVE_INFINITY
  if (mark !== undefined) return { accepts, min: mark === '+' ? 1 : 0, max: mark === '?' ? 1 : unlimited }
  if (least === undefined) return { accepts, min: 1, max: 1 }
  const min = Number(least)
  return { accepts, min, max: most === undefined ? (comma ? unlimited : min) : Number(most) }
}

/** A dash at the start or the end stands for itself. */
function compileClass(members: string): Uint8Array | undefined {
  const accepts = new Uint8Array(256)
  for (let i = 0; i < members.length; i++) {
    const first = members.charCodeAt(i)
    const isRange = members[i + 1] === '-' && i + 2 < members.length
    const last = isRange ? members.charCodeAt(i + 2) : first
    if (last < first || (isRange && members[i] === '-')) return undefined
    accepts.fill(1, first, last + 1)
    if (isRange) i += 2
  }
  return accepts
}

/** Takes as much as each item can, so it runs once over the bytes; a match that needs less is left to the text. */
function matchesGreedily(items: readonly Item[], bytes: Uint8Array, from: number, to: number): boolean {
  let at = from
  for (const { accepts, min, max } of items) {
    const start = at
    const end = Math.min(to, start + max)
    while (at < end && accepts[bytes[at]!] === 1) at++
    if (at - start < min) return false
  }
  return at === to
}

const DOT = 46
const AT = 64
const DASH = 45
const IN_LOCAL_PART = compileClass("0-9A-Za-z_!#$%&'*+/=?^`{|}~-")!
const IN_LABEL = compileClass('0-9A-Za-z-')!
const MAX_LABEL_BYTES = 63
const MAX_LOCAL_BYTES = 64
const MAX_EMAIL_BYTES = 320

/** The ASCII addresses of `isEmail`. */
export function isAsciiEmail(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > MAX_EMAIL_BYTES) return false
  let at = from
  let part = from
  for (; at < to && bytes[at] !== AT; at++) {
    if (bytes[at] === DOT) {
      if (at === part) return false
      part = at + 1
    } else if (IN_LOCAL_PART[bytes[at]!] === 0) return false
  }
  if (at === part || at === to || at - from > MAX_LOCAL_BYTES) return false
  let labels = 0
  for (let label = ++at; ; at++) {
    if (at < to && bytes[at] !== DOT) {
      if (IN_LABEL[bytes[at]!] === 0) return false
      continue
    }
    if (at === label || at - label > MAX_LABEL_BYTES || bytes[label] === DASH || bytes[at - 1] === DASH) return false
    labels++
    if (at >= to) return labels > 1
    label = at + 1
  }
}
