/** Parses dates by several formats and writes them in one. */
import { DateTime, type TokenParser } from 'luxon'
import { message } from '../../../schemas/messages/index.ts'
import { type Cell, toText } from './cells.ts'

export const ISO_DATE = 'yyyy-MM-dd'
const DEFAULT_LOCALE = 'en-US'
const MAX_CACHED_TEXTS = 20_000

export interface DateParserOptions {
  formats: readonly string[]
  locale?: string | undefined
  output?: string | undefined
}

export function findFormatProblem(format: string): string | undefined {
  try {
    const { isValid, invalidReason } = DateTime.fromFormat('', format)
    return !isValid && invalidReason === 'conflicting specification'
      ? message('mappings.datePartTwice')
      : findMissingPart(format)
  } catch (error) {
    return message('mappings.invalidDateFormat', { reason: (error as Error).message })
  }
}

function findMissingPart(format: string): string | undefined {
  const text = format.replace(/'[^']*'/g, '')
  if (/[dDXxo]/.test(text) || (/W/.test(text) && /[Ecc]/.test(text))) return undefined
  return message('mappings.formatWithoutDay')
}

/** Uses the first matching format. Other values are returned unchanged, so that validation reports them. */
export function createDateParser({
  formats,
  locale = DEFAULT_LOCALE,
  output = ISO_DATE,
}: DateParserOptions): (value: Cell) => Cell {
  const parsers = formats.map((format) => DateTime.buildFormatParser(format, { locale }))
  const cache = new Map<string, string | undefined>()
  return (value) => {
    const text = toText(value).trim()
    if (text === '') return null
    if (!cache.has(text)) {
      if (cache.size >= MAX_CACHED_TEXTS) cache.clear()
      cache.set(text, parseDate(text, parsers, locale, output))
    }
    return cache.get(text) ?? value
  }
}

function parseDate(text: string, parsers: readonly TokenParser[], locale: string, output: string): string | undefined {
  for (const parser of parsers) {
    const date = DateTime.fromFormatParser(text, parser, { locale, zone: 'utc' })
    if (date.isValid) return date.toFormat(output)
  }
  return undefined
}
