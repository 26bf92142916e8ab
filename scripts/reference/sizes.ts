const UNITS = ['bytes', 'KB', 'MB', 'GB']

export function formatBytes(bytes: number, unit = 0): string {
  const isWhole = bytes % 1024 === 0 && unit < UNITS.length - 1
  return isWhole ? formatBytes(bytes / 1024, unit + 1) : `${bytes.toLocaleString('en')} ${UNITS[unit]}`
}
