/** Detects and splits lists written into one cell. Pure. */
import { cleanText } from '../values/texts.ts'

const LIST_TYPES = new Set(['string-list', 'enum-list', 'reference-list'])
const DELIMITERS = [';', '|', ',', '\n'] as const

export const isListField = (field: { type?: string | undefined; isArray?: unknown; multi?: unknown }): boolean =>
  LIST_TYPES.has(field.type ?? '') || field.isArray === true || field.multi === true

/** Several characters are delimiters of different cells. A comma can also be part of an item: `Hugo, V.; Zola, É.` */
export function detectDelimiter(texts: readonly string[]): string | undefined {
  const lists = texts.filter((text) => !parseJsonItems(text))
  const countLists = (delimiter: string) => lists.filter((text) => splitItems(text, delimiter).length > 1).length
  const found = DELIMITERS.filter((delimiter) => countLists(delimiter) > 0)
  const others = found.filter((delimiter) => delimiter !== ',')
  if (others.length === 0 || others.length === found.length) return found.join('') || undefined
  const isMain = others.every((delimiter) => countLists(',') > countLists(delimiter))
  const isInItems = lists.some((text) => text.includes(',') && others.some((delimiter) => text.includes(delimiter)))
  return (areKnownItems(lists, others.join('')) || (isMain && !isInItems) ? found : others).join('')
}

/** Most parts between commas are also items of cells without a comma. */
function areKnownItems(lists: readonly string[], others: string): boolean {
  const known = new Set(lists.filter((text) => !text.includes(',')).flatMap((text) => splitItems(text, others)))
  const parts = lists.filter((text) => text.includes(',')).flatMap((text) => splitItems(text, `,${others}`))
  return parts.filter((part) => known.has(part)).length * 2 > parts.length
}

const isAnyOf = (delimiter: string): boolean =>
  delimiter.length > 1 && [...delimiter].every((mark, at) => isDelimiter(mark) && delimiter.indexOf(mark) === at)

const isDelimiter = (mark: string): boolean => (DELIMITERS as readonly string[]).includes(mark)

function splitBy(text: string, delimiter: string): string[] {
  if (!isAnyOf(delimiter)) return text.split(delimiter)
  return [...delimiter].reduce((items, mark) => items.flatMap((item) => item.split(mark)), [text])
}

/** Trims the items. JSON lists, the format of exported records, are parsed as they are. */
export const splitItems = (text: string, delimiter: string | undefined): string[] =>
  (parseJsonItems(text) ?? (delimiter === undefined ? [text] : splitBy(text, delimiter)).map(cleanText)).filter(
    (item) => item.trim() !== '',
  )

function parseJsonItems(text: string): string[] | undefined {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return undefined
  try {
    const items: unknown[] = JSON.parse(text)
    return items.every((item) => item !== null && typeof item !== 'object') ? items.map(String) : undefined
  } catch {
    return undefined
  }
}
