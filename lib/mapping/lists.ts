/** Detects and splits lists written into one cell. Pure. */

const LIST_TYPES = new Set(['string-list', 'enum-list', 'reference-list'])
const DELIMITERS = [';', '|', ',', '\n'] as const

export const isListField = (field: { type?: string | undefined; isArray?: unknown; multi?: unknown }): boolean =>
  LIST_TYPES.has(field.type ?? '') || field.isArray === true || field.multi === true

export function detectDelimiter(texts: readonly string[]): string | undefined {
  const counts = DELIMITERS.map((delimiter) => ({
    delimiter,
    count: texts.filter((text) => !parseJsonItems(text) && splitItems(text, delimiter).length > 1).length,
  }))
  const best = counts.reduce((most, next) => (next.count > most.count ? next : most))
  return best.count > 0 ? best.delimiter : undefined
}

/** Trims the items. JSON lists, the format of exported records, are parsed as they are. */
export const splitItems = (text: string, delimiter: string | undefined): string[] =>
  (
    parseJsonItems(text) ?? (delimiter === undefined ? [text] : text.split(delimiter)).map((item) => item.trim())
  ).filter((item) => item.trim() !== '')

function parseJsonItems(text: string): string[] | undefined {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return undefined
  try {
    const items: unknown[] = JSON.parse(text)
    return items.every((item) => item !== null && typeof item !== 'object') ? items.map(String) : undefined
  } catch {
    return undefined
  }
}
