/** Suggests how the values of a column are brought into a field's form, where the values leave no doubt how they are written. Pure. */
import type { Field } from '../../schemas/fields.ts'
import type { Edge } from '../../schemas/mapping.ts'
import type { NewRule } from './edges.ts'
import { MADE, numberOf } from './rules/cells.ts'
import { dateReader, ISO_DATE } from './rules/dates.ts'
import { textsOf } from './values.ts'

/** How dates are commonly written; those of one line cannot be told apart by days up to the twelfth. */
const DATES = [
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
/** Locales for the ways in which numbers are commonly written. */
const LOCALES = ['en-US', 'de', 'fr', 'de-CH']
/** Fewer values say too little. */
const ENOUGH = 2

/** A rule that follows the arrow's own, or undefined where the values are in form already or could be read in several ways. */
export function conversionOf(edge: Edge, samples: readonly unknown[]): NewRule | undefined {
  // The end came from the destination's own fields.
  const { key, type } = edge.destinationField as unknown as Field
  const texts = textsOf(samples)
  if (texts.length < ENOUGH) return undefined
  const told = type === 'date' ? dateConversion(texts) : type === 'number' ? numberConversion(texts) : undefined
  if (!told) return undefined
  const config = { sourceField: `${MADE}${key}`, destinationField: key, ...told.config }
  const { confidence, source } = edge.metadata ?? {}
  return { name: `${key} ${told.as}`, type: type!, config, confidence: confidence ?? 0, metadata: { source } }
}

interface Conversion {
  as: string
  config: object
}

const reads = (format: string) => {
  const read = dateReader({ formats: [format] })
  return (text: string) => read(text) !== text
}

function dateConversion(texts: readonly string[]): Conversion | undefined {
  if (texts.every((text) => /^\d{4}-\d{2}-\d{2}$/.test(text))) return undefined
  const format = only(DATES.filter((one) => texts.every(reads(one))))
  return format === undefined ? undefined : { as: `from ${format} to ${ISO_DATE}`, config: { format } }
}

function numberConversion(texts: readonly string[]): Conversion | undefined {
  if (texts.every((text) => !Number.isNaN(Number(text)))) return undefined
  const fitting = LOCALES.filter((locale) => texts.every((text) => !Number.isNaN(numberOf(text, locale))))
  const meant = new Set(fitting.map((locale) => JSON.stringify(texts.map((text) => numberOf(text, locale)))))
  // Several ways to read them may come to the same numbers.
  if (meant.size !== 1) return undefined
  return { as: `as ${fitting[0]} writes numbers`, config: { locale: fitting[0] } }
}

const only = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined)
