/** Dates as people write them, read by formats and written by one. */
import { DateTime, type TokenParser } from 'luxon'
import { type Cell, textOf } from './cells.ts'

export const ISO_DATE = 'yyyy-MM-dd'
const LOCALE = 'en-US'
/** Columns repeat their dates: each text is read once, as long as no more than these are known. */
const REMEMBERED = 20_000

export interface DateReading {
  formats: readonly string[]
  locale?: string | undefined
  output?: string | undefined
}

/** What is wrong with a format; undefined when it can read dates. */
export function formatProblem(format: string): string | undefined {
  try {
    const { isValid, invalidReason } = DateTime.fromFormat('', format)
    return !isValid && invalidReason === 'conflicting specification'
      ? 'names one part of a date twice'
      : missing(format)
  } catch (error) {
    return (error as Error).message
  }
}

/** A day is told by year, month and day, or by a number of seconds. */
function missing(format: string): string | undefined {
  const text = format.replace(/'[^']*'/g, '')
  if (/[dDXxo]/.test(text) || (/W/.test(text) && /[Ecc]/.test(text))) return undefined
  return `has no day: write it as dd.MM.yyyy, M/d/yy or d LLLL yyyy`
}

/** Reads by the first format that fits; what fits none stays as it is, for validation to find. */
export function dateReader({ formats, locale = LOCALE, output = ISO_DATE }: DateReading): (value: Cell) => Cell {
  const parsers = formats.map((format) => DateTime.buildFormatParser(format, { locale }))
  const known = new Map<string, string | undefined>()
  return (value) => {
    const text = textOf(value).trim()
    if (text === '') return null
    if (!known.has(text)) {
      if (known.size >= REMEMBERED) known.clear()
      known.set(text, read(text, parsers, locale, output))
    }
    return known.get(text) ?? value
  }
}

function read(text: string, parsers: readonly TokenParser[], locale: string, output: string): string | undefined {
  for (const parser of parsers) {
    const date = DateTime.fromFormatParser(text, parser, { locale, zone: 'utc' })
    if (date.isValid) return date.toFormat(output)
  }
  return undefined
}
