/**
 * Where a text stands in bytes, in any case. Looking for one byte is many times quicker than looking for a text, so the
 * rarest letter of it is looked for, and what is around it compared. Pure.
 */

/** Below this a sample says little, and copying costs little. */
const SMALL_BYTES = 4096
const SAMPLES = 1024
/** Of the samples: a letter found more often costs more than copying the bytes into a text. */
const RARE = 16

const A = 97
const Z = 122
const isLetter = (byte: number): boolean => byte >= A && byte <= Z
const lowerOf = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte)

/**
 * @param needle printable ASCII in lower case, not empty
 * @returns asked for ascending places: where it next stands at or after one of them, -1 when nowhere
 */
export function occurrences(raw: Buffer, needle: string): (from: number) => number {
  const at = raw.length < SMALL_BYTES ? -1 : rarest(raw, needle)
  return at < 0 ? inText(raw, needle) : byLetter(raw, Buffer.from(needle), at)
}

/** As Latin-1 a byte is a character, and letters of ASCII are found in any case without decoding. */
function inText(raw: Buffer, needle: string): (from: number) => number {
  const text = raw.toString('latin1').toLowerCase()
  return (from) => text.indexOf(needle, from)
}

const counts = new Uint16Array(256)

/** The place in the needle of the letter that is rarest in a sample of the bytes; -1 when none is rare. */
function rarest(raw: Buffer, needle: string): number {
  counts.fill(0)
  const step = Math.floor(raw.length / SAMPLES)
  for (let i = 0; i < SAMPLES; i++) counts[lowerOf(raw[i * step]!)]!++
  let best = -1
  let fewest = RARE + 1
  for (let i = 0; i < needle.length; i++) {
    const count = counts[needle.charCodeAt(i)]!
    if (count < fewest) [best, fewest] = [i, count]
  }
  return best
}

function byLetter(raw: Buffer, needle: Buffer, at: number): (from: number) => number {
  const lower = nextOf(raw, needle[at]!)
  const upper = isLetter(needle[at]!) ? nextOf(raw, needle[at]! - 32) : () => raw.length
  return (from) => {
    for (let next = from + at; ; next++) {
      next = Math.min(lower(next), upper(next))
      if (next === raw.length) return -1
      if (standsAt(raw, next - at, needle)) return next - at
    }
  }
}

/** The next place of a byte, for ascending places; the length of the bytes when there is none. */
function nextOf(raw: Buffer, byte: number): (from: number) => number {
  let known = -1
  return (from) => {
    if (known < from) {
      const found = raw.indexOf(byte, from)
      known = found < 0 ? raw.length : found
    }
    return known
  }
}

function standsAt(raw: Buffer, start: number, needle: Buffer): boolean {
  for (let i = 0; i < needle.length; i++) if (lowerOf(raw[start + i]!) !== needle[i]) return false
  return true
}
