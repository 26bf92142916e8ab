/** Suggests a conversion rule for a column's values when there is only one way to read them. Pure. */
import type { Edge } from '../../schemas/programs/plan.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import type { NewRule } from './edges.ts'
import { DERIVED_PREFIX, parseNumber } from './rules/cells.ts'
import { createDateParser, ISO_DATE } from './rules/dates.ts'
import { toSampleTexts } from './values.ts'

/** Formats on the same line can be confused for days up to 12. */
const DATE_FORMATS = [
  'yyyy/M/d',
  'yyyyMMdd',
  'd.M.yyyy',
  'd/M/yyyy',
  'M/d/yyyy',
  'd-M-yyyy',
  'M-d-yyyy',
  'd LLL yyyy',
  'LLL d, yyyy',
  'd LLLL yyyy',
]
const NUMBER_LOCALES = ['en-US', 'de', 'fr', 'de-CH']
const MIN_SAMPLES = 2

export function suggestConversion(edge: Edge, samples: readonly unknown[]): NewRule | undefined {
  const { key, type } = edge.destinationField as unknown as Field
  const texts = toSampleTexts(samples)
  if (texts.length < MIN_SAMPLES) return undefined
  const conversion =
    type === 'date' ? suggestDateConversion(texts) : type === 'number' ? suggestNumberConversion(texts) : undefined
  if (!conversion) return undefined
  const config = { sourceField: `${DERIVED_PREFIX}${key}`, destinationField: key, ...conversion.config }
  const { confidence, source } = edge.metadata ?? {}
  return { name: `${key} ${conversion.label}`, type: type!, config, confidence: confidence ?? 0, metadata: { source } }
}

interface Conversion {
  label: string
  config: object
}

const createFormatTest = (format: string) => {
  const parse = createDateParser({ formats: [format] })
  return (text: string) => parse(text) !== text
}

function suggestDateConversion(texts: readonly string[]): Conversion | undefined {
  if (texts.every((text) => /^\d{4}-\d{2}-\d{2}$/.test(text))) return undefined
  const format = singleOrUndefined(DATE_FORMATS.filter((candidate) => texts.every(createFormatTest(candidate))))
  return format === undefined ? undefined : { label: `from ${format} to ${ISO_DATE}`, config: { format } }
}

function suggestNumberConversion(texts: readonly string[]): Conversion | undefined {
  if (texts.every((text) => !Number.isNaN(Number(text)))) return undefined
  const matchingLocales = NUMBER_LOCALES.filter((locale) =>
    texts.every((text) => !Number.isNaN(parseNumber(text, locale))),
  )
  const readings = new Set(
    matchingLocales.map((locale) => JSON.stringify(texts.map((text) => parseNumber(text, locale)))),
  )
  if (readings.size !== 1) return undefined
  return { label: `from ${matchingLocales[0]} number format`, config: { locale: matchingLocales[0] } }
}

const singleOrUndefined = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined)
