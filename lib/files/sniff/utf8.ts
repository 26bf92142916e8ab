/** Where bytes stop being UTF-8. Pure. */
import { isUtf8 } from 'node:buffer'

/** Length without a character whose last bytes are still to come. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80 || byte > 0xf4) break
    if (byte < 0xc0) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return needed > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** The first byte that cannot stand where it stands, found by halving; -1 when there is none but a cut last character. */
export function firstInvalidUtf8(bytes: Uint8Array): number {
  const valid = (length: number): boolean => isUtf8(bytes.subarray(0, wholeCharacters(bytes.subarray(0, length))))
  if (valid(bytes.length)) return -1
  let good = 0
  let bad = bytes.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (valid(middle)) good = middle
    else bad = middle
  }
  return good
}
