/** Compares two ranges of bytes. Cells are short, so a loop beats a call. */
export function equalsBytes(
  a: Uint8Array,
  start: number,
  end: number,
  b: Uint8Array,
  from: number,
  to: number,
): boolean {
  const length = end - start
  if (to - from !== length) return false
  for (let i = 0; i < length; i++) if (a[start + i] !== b[from + i]) return false
  return true
}
