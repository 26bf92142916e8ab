/** Case-insensitive byte search that scans for the needle's rarest letter, much faster than searching for text. */

/** Below this size a sample is unreliable and copying is cheap. */
const SMALL_BYTES = 4096
const SAMPLES = 1024
/** Above this many hits, scanning for the letter costs more than decoding the bytes. */
const MAX_RARE_HITS = 16

const A = 97
const Z = 122
const isLetter = (byte: number): boolean => byte >= A && byte <= Z
const toLowerByte = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte)

/** Returns a function from ascending offsets to the next match at or after them (-1 when there are no more). */
export function createMatchFinder(raw: Buffer, needle: string): (from: number) => number {
  const at = raw.length < SMALL_BYTES ? -1 : findRarestLetter(raw, needle)
  return at < 0 ? createTextFinder(raw, needle) : createLetterFinder(raw, Buffer.from(needle), at)
}

/** In Latin-1 each byte is one character, so ASCII letters match without decoding UTF-8. */
function createTextFinder(raw: Buffer, needle: string): (from: number) => number {
  const text = raw.toString('latin1').toLowerCase()
  return (from) => text.indexOf(needle, from)
}

const sampleCounts = new Uint16Array(256)

function findRarestLetter(raw: Buffer, needle: string): number {
  sampleCounts.fill(0)
  const step = Math.floor(raw.length / SAMPLES)
  for (let i = 0; i < SAMPLES; i++) sampleCounts[toLowerByte(raw[i * step]!)]!++
  let best = -1
  let fewest = MAX_RARE_HITS + 1
  for (let i = 0; i < needle.length; i++) {
    const count = sampleCounts[needle.charCodeAt(i)]!
    if (count < fewest) [best, fewest] = [i, count]
  }
  return best
}

function createLetterFinder(raw: Buffer, needle: Buffer, at: number): (from: number) => number {
  const lower = createByteFinder(raw, needle[at]!)
  const upper = isLetter(needle[at]!) ? createByteFinder(raw, needle[at]! - 32) : () => raw.length
  return (from) => {
    for (let next = from + at; ; next++) {
      next = Math.min(lower(next), upper(next))
      if (next === raw.length) return -1
      if (matchesAt(raw, next - at, needle)) return next - at
    }
  }
}

function createByteFinder(raw: Buffer, byte: number): (from: number) => number {
  let lastFound = -1
  return (from) => {
    if (lastFound < from) {
      const found = raw.indexOf(byte, from)
      lastFound = found < 0 ? raw.length : found
    }
    return lastFound
  }
}

function matchesAt(raw: Buffer, start: number, needle: Buffer): boolean {
  for (let i = 0; i < needle.length; i++) if (toLowerByte(raw[start + i]!) !== needle[i]) return false
  return true
}
