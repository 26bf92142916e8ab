/** Bytes as people read them. */

const UNITS = ['bytes', 'KB', 'MB', 'GB']

/** `65536` as `64 KB`: the largest unit it is a whole number of. */
export function sized(bytes: number, unit = 0): string {
  const isWhole = bytes % 1024 === 0 && unit < UNITS.length - 1
  return isWhole ? sized(bytes / 1024, unit + 1) : `${bytes.toLocaleString('en')} ${UNITS[unit]}`
}
