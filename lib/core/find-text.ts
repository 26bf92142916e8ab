/** Finds a text in a text, in time linear in both whatever they are. Pure. */

/**
 * V8 prepares the last 250 characters of a longer needle only: `'b' + 'a'.repeat(m)` in n letters `a` takes it n times m
 * steps. Up to this length its own search is linear.
 */
const NATIVE_CHARACTERS = 250

/** @returns where the needle is next, in a text, at or after a position; -1 when it is not */
export function textFinder(needle: string): (text: string, from?: number) => number {
  if (needle.length <= NATIVE_CHARACTERS) return (text, from) => text.indexOf(needle, from)
  const borders = bordersOf(needle)
  return (text, from = 0) => {
    let matched = 0
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = borders[matched - 1]!
      if (needle.charCodeAt(matched) === unit && ++matched === needle.length) return at - needle.length + 1
    }
    return -1
  }
}

/** Of each beginning of the needle, how long a shorter beginning it ends with (Knuth, Morris and Pratt). */
function bordersOf(needle: string): Uint32Array {
  const borders = new Uint32Array(needle.length)
  let length = 0
  for (let at = 1; at < needle.length; at++) {
    const unit = needle.charCodeAt(at)
    while (length > 0 && needle.charCodeAt(length) !== unit) length = borders[length - 1]!
    if (needle.charCodeAt(length) === unit) length++
    borders[at] = length
  }
  return borders
}

/** Replaces every occurrence of `find`, as a regular expression with the flags `gi` does it. */
export function textReplacer(find: string, replacement: string): (text: string) => string {
  if (find.length <= NATIVE_CHARACTERS) {
    const pattern = new RegExp(find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
    return (text) => text.replace(pattern, () => replacement)
  }
  const next = textFinder(folded(find))
  return (text) => {
    const search = folded(text)
    const parts: string[] = []
    let from = 0
    for (let at = next(search, 0); at >= 0; at = next(search, from)) {
      parts.push(text.slice(from, at), replacement)
      from = at + find.length
    }
    return parts.length === 0 ? text : parts.join('') + text.slice(from)
  }
}

let folds: Uint16Array | undefined

/** The text with each UTF-16 unit as regular expressions compare it in any case: its length stays. */
function folded(text: string): string {
  folds ??= Uint16Array.from({ length: 0x10000 }, (_, unit) => foldOf(unit))
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) units[at] = folds[text.charCodeAt(at)]!
  return Buffer.from(units.buffer).toString('utf16le')
}

/** ECMAScript's Canonicalize without the flag `u`: the upper case, where it is one unit and no letter outside ASCII becomes one in it. */
function foldOf(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase()
  const code = upper.charCodeAt(0)
  return upper.length !== 1 || (unit >= 128 && code < 128) ? unit : code
}
