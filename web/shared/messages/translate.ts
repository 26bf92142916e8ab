/**
 * Shows the API's English messages in the reader's language: finds the text of the catalogue that produced a message,
 * reads its values back, and writes its translation. An unknown message, such as a customer's own, stays as it is.
 */
import { formatText, numberFormat, type Text, type Values } from '../../../schemas/messages/format.ts'
import { MESSAGES, type MessageKey } from '../../../schemas/messages/index.ts'
import { isRightToLeft } from '../texts/direction.ts'

export type Translations = Record<MessageKey, Text>

interface Template {
  key: MessageKey
  names: string[]
  /** The texts before, between and after the placeholders: one more than names. */
  literals: string[]
  /** If two templates match, the one with more literal characters is the source. */
  literalLength: number
}

/** Customers' data can produce any number of different messages. */
const MAX_CACHED_MESSAGES = 5000
/** Messages within messages; a limit for texts that are not messages, such as "a: b: c: d". */
const MAX_NESTING = 3
const PLACEHOLDER = /\{(\w+)\}/
const [RIGHT_TO_LEFT_MARK, FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u200f', '\u2068', '\u2069']
const QUOTES = /["'`“”‘’«»]/

export function createTranslator(translations: Translations, language: string): (message: string) => string {
  const templates = buildTemplates()
  const cache = new Map<string, string>()
  const format = isRightToLeft(language) ? formatRightToLeft : formatText
  const translate = (message: string, depth: number): string => {
    if (depth > MAX_NESTING) return message
    for (const template of templates) {
      const parts = matchTemplate(template, message)
      const values = parts && parseValues(template, parts, (value) => translate(value, depth + 1))
      if (values) return format(translations[template.key], values, language)
    }
    return message
  }
  return (message) => {
    const cached = cache.get(message)
    if (cached !== undefined) return cached
    if (cache.size >= MAX_CACHED_MESSAGES) cache.clear()
    const translated = translate(message, 0)
    cache.set(message, translated)
    return translated
  }
}

const buildTemplates = (): Template[] =>
  (Object.entries(MESSAGES) as [MessageKey, Text][])
    .flatMap(([key, text]) => {
      const forms = typeof text === 'string' ? [text] : Object.values(text)
      return [...new Set(forms)].map((form) => parseTemplate(key, form))
    })
    .filter(({ literalLength }) => literalLength > 0)
    .sort((a, b) => b.literalLength - a.literalLength || a.names.length - b.names.length)

function parseTemplate(key: MessageKey, text: string): Template {
  const parts = text.split(PLACEHOLDER)
  const literals = parts.filter((_, index) => index % 2 === 0)
  return {
    key,
    names: parts.filter((_, index) => index % 2 === 1),
    literals,
    literalLength: literals.join('').length,
  }
}

/**
 * The texts in place of the placeholders, each as short as possible. A regular expression does the same, but its time
 * grows too fast with the length of the message.
 */
function matchTemplate({ literals, names }: Template, message: string): string[] | undefined {
  const first = literals[0]!
  const last = literals.at(-1)!
  if (names.length === 0) return message === first ? [] : undefined
  const end = message.length - last.length
  if (end < first.length || !message.startsWith(first) || !message.endsWith(last)) return undefined
  const parts: string[] = []
  let start = first.length
  for (const literal of literals.slice(1, -1)) {
    const at = message.indexOf(literal, start)
    if (at < 0 || at + literal.length > end) return undefined
    parts.push(message.slice(start, at))
    start = at + literal.length
  }
  return [...parts, message.slice(start, end)]
}

/**
 * A value may itself be a message, such as the reason in "{name}: {reason}"; a quoted value is data and stays as it is.
 * Undefined if a count is not a number or the same placeholder has two values: another template is the source.
 */
function parseValues(
  { names, literals }: Template,
  parts: readonly string[],
  translate: (message: string) => string,
): Values | undefined {
  const values: Values = { count: 1 }
  const texts = new Map<string, string>()
  for (const [index, part] of parts.entries()) {
    const name = names[index]!
    if ((texts.get(name) ?? part) !== part) return undefined
    texts.set(name, part)
    const isQuoted = QUOTES.test(literals[index]!.slice(-1)) && QUOTES.test(literals[index + 1]!.slice(0, 1))
    const number = isQuoted ? undefined : parseNumber(part)
    if (name === 'count' && number === undefined) return undefined
    values[name] = number ?? (isQuoted ? part : translate(part))
  }
  return values
}

/** In a right-to-left text, a Latin value such as a file name neither moves the words around it nor turns the text. */
function formatRightToLeft(text: Text, values: Values, language: string): string {
  const isolated = Object.entries(values).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'number' ? value : `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}`,
  ])
  const formatted = formatText(text, Object.fromEntries(isolated), language)
  return formatted.startsWith(FIRST_STRONG_ISOLATE) ? `${RIGHT_TO_LEFT_MARK}${formatted}` : formatted
}

/** Undefined unless the API would write the number the same way: "2024", "2.0" and "007" are names. */
function parseNumber(text: string): number | undefined {
  if (!/^-?\d[\d,]*(\.\d+)?$/.test(text)) return undefined
  const number = Number(text.replaceAll(',', ''))
  return numberFormat('en').format(number) === text ? number : undefined
}
