/** Lists written into one cell: which fields hold lists, and what separates the items. Pure. */

const LIST_TYPES = new Set(['string-list', 'enum-list', 'reference-list'])
const DELIMITERS = [';', '|', ',', '\n'] as const

/** Does a cell of the field hold several values? */
export const isList = (field: { type?: string | undefined; isArray?: unknown; multi?: unknown }): boolean =>
  LIST_TYPES.has(field.type ?? '') || field.isArray === true || field.multi === true

/** What separates the items in most of the samples that have several; undefined when none has. */
export function delimiterOf(texts: readonly string[]): string | undefined {
  const counted = DELIMITERS.map((delimiter) => ({
    delimiter,
    count: texts.filter((text) => !jsonItems(text) && itemsOf(text, delimiter).length > 1).length,
  }))
  const best = counted.reduce((most, next) => (next.count > most.count ? next : most))
  return best.count > 0 ? best.delimiter : undefined
}

/**
 * The items of a list in one cell, without the spaces around them; one item where nothing separates them. A list as JSON,
 * which is how records are exported, is taken as it is.
 */
export const itemsOf = (text: string, delimiter: string | undefined): string[] =>
  (jsonItems(text) ?? (delimiter === undefined ? [text] : text.split(delimiter)).map((item) => item.trim())).filter(
    (item) => item.trim() !== '',
  )

/** Undefined for what is no list of values as JSON. */
function jsonItems(text: string): string[] | undefined {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return undefined
  try {
    const items: unknown[] = JSON.parse(text)
    return items.every((item) => item !== null && typeof item !== 'object') ? items.map(String) : undefined
  } catch {
    return undefined
  }
}
