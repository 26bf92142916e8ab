/** Finds the end of valid UTF-8. Pure. */
import { isUtf8 } from 'node:buffer'

export function getCompleteLength(bytes: Uint8Array): number {
  for (let distance = 1; distance <= Math.min(3, bytes.length); distance++) {
    const byte = bytes[bytes.length - distance]!
    if (byte < 0x80 || byte > 0xf4) break
    if (byte < 0xc0) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return needed > distance ? bytes.length - distance : bytes.length
  }
  return bytes.length
}

/** Binary search; -1 if valid apart from an incomplete last character. */
export function findInvalidUtf8(bytes: Uint8Array): number {
  const isValid = (length: number): boolean => isUtf8(bytes.subarray(0, getCompleteLength(bytes.subarray(0, length))))
  if (isValid(bytes.length)) return -1
  let good = 0
  let bad = bytes.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isValid(middle)) good = middle
    else bad = middle
  }
  return good
}
