/** The latest months, oldest first, as `2026-11`. */
export function listMonths(count: number): string[] {
  const now = new Date()
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - index), 1)).toISOString().slice(0, 7),
  )
}

export const formatMonth = (month: string, language: string, style: 'narrow' | 'short' | 'long' = 'short'): string =>
  new Intl.DateTimeFormat(language, {
    month: style,
    ...(style === 'long' ? { year: 'numeric' as const } : {}),
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`))
