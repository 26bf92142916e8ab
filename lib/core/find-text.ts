/** Finds and replaces text in time linear in both texts, whatever they contain. Pure. */

/** V8 is quadratic for longer needles in the worst case: it prepares only their last 250 characters. */
const NATIVE_CHARACTERS = 250

export function createTextFinder(needle: string): (text: string, from?: number) => number {
  if (needle.length <= NATIVE_CHARACTERS) return (text, from) => text.indexOf(needle, from)
  const borders = computeBorders(needle)
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

function computeBorders(needle: string): Uint32Array {
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

export function createTextReplacer(find: string, replacement: string): (text: string) => string {
  if (find.length <= NATIVE_CHARACTERS) {
    const pattern = new RegExp(find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
    return (text) => text.replace(pattern, () => replacement)
  }
  const next = createTextFinder(foldCase(find))
  return (text) => {
    const search = foldCase(text)
    const parts: string[] = []
    let from = 0
    for (let at = next(search, 0); at >= 0; at = next(search, from)) {
      parts.push(text.slice(from, at), replacement)
      from = at + find.length
    }
    return parts.length === 0 ? text : parts.join('') + text.slice(from)
  }
}

let foldTable: Uint16Array | undefined

/** Case-folds each UTF-16 unit like regular expressions do, which keeps the length. */
function foldCase(text: string): string {
  foldTable ??= Uint16Array.from({ length: 0x10000 }, (_, unit) => foldUnit(unit))
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) units[at] = foldTable[text.charCodeAt(at)]!
  return Buffer.from(units.buffer).toString('utf16le')
}

function foldUnit(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase()
  const code = upper.charCodeAt(0)
  return upper.length !== 1 || (unit >= 128 && code < 128) ? unit : code
}
