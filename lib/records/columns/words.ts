/** Tests of four bytes at a time, read as an `Int32`. */

export const WORD_BYTES = 4

export const repeatByte = (byte: number): number => byte * 0x01010101

/** Not 0 if one of the four bytes is the repeated one. */
export function findByte(word: number, repeated: number): number {
  const difference = word ^ repeated
  return (difference - 0x01010101) & ~difference & 0x80808080
}
