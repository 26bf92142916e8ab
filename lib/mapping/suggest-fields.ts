import { message } from '../../schemas/messages/index.ts'
import type { Constraint, Field } from '../../schemas/sheets/fields.ts'
import type { SuggestedField } from '../../schemas/values/shape.ts'
import { type Format, readEmail, readPhone, readTime, readUrl } from '../values/formats.ts'
import { isMissingWord, isUnknownWord } from '../values/missing.ts'
import { readValue } from '../values/read-column.ts'
import { cleanText } from '../values/texts.ts'
import { findFieldUnit } from '../values/unit-names.ts'
import { decideReading } from './conversions.ts'
import { areDates, areNumbers, detectShapes } from './evidence.ts'
import { isBooleanText } from './values.ts'

export interface SampleColumn {
  key: string
  label: string
  records: number
  values: Iterable<{ value: unknown; count: number }>
}

interface CountedText {
  text: string
  count: number
}

type Suggestion = Pick<Field, 'type'> & {
  config?: unknown
  metadata?: { format: Format }
  constraints?: Constraint[]
  unit?: string | undefined
  reason: string
}

interface Column {
  label: string
  records: number
  texts: readonly CountedText[]
  total: number
}

const MAX_EVALUATED_TEXTS = 20_000
const MIN_SHARE = 0.9

export function suggestFields(columns: readonly SampleColumn[], thisYear: number): SuggestedField[] {
  const usedKeys = new Set<string>()
  return columns.map((column) => {
    const { field, reasons } = suggestField(column, thisYear)
    const key = findFreeKey(field.key, usedKeys)
    usedKeys.add(key)
    return { column: column.key, field: { ...field, key }, reasons }
  })
}

function findFreeKey(key: string, usedKeys: ReadonlySet<string>): string {
  for (let number = 2, free = key; ; number++) {
    if (!usedKeys.has(free)) return free
    free = `${key}_${number}`
  }
}

function suggestField(
  { label: columnName, records, values }: SampleColumn,
  thisYear: number,
): { field: Field; reasons: string[] } {
  const texts = readTexts(values)
  const column = { label: columnName, records, texts, total: sumCounts(texts) }
  const { unit, reason, constraints = [], ...suggested } = detectType(column, thisYear)
  const label = toLabel(columnName)
  const limits = detectLimits(READ_TYPES.has(suggested.type) ? withoutUnknown(column) : column, suggested.type)
  const field = {
    key: toKey(columnName),
    label: unit === undefined ? label : `${label} (${unit})`,
    ...suggested,
    ...(label === columnName && unit === undefined ? {} : { alternativeNames: [columnName] }),
    constraints: [...limits.constraints, ...constraints],
  } as Field
  const isPlainText = suggested.type === 'string' && !suggested.metadata
  return { field, reasons: isPlainText ? [...limits.reasons, reason] : [reason, ...limits.reasons] }
}

const READ_TYPES = new Set(['number', 'date', 'boolean'])

function withoutUnknown(column: Column): Column {
  const texts = column.texts.filter(({ text }) => !isUnknownWord(text))
  return { ...column, texts, total: sumCounts(texts) }
}

function readTexts(values: SampleColumn['values']): CountedText[] {
  const counts = new Map<string, number>()
  for (const { value, count } of values) {
    const text = value === null ? '' : cleanText(String(value))
    if (text !== '' && !isMissingWord(text)) counts.set(text, (counts.get(text) ?? 0) + count)
  }
  return [...counts].map(([text, count]) => ({ text, count }))
}

const sumCounts = (texts: readonly CountedText[]): number => texts.reduce((sum, { count }) => sum + count, 0)

const countMatching = (texts: readonly CountedText[], matches: (text: string) => boolean): number =>
  sumCounts(texts.filter(({ text }) => matches(text)))

function detectType(column: Column, thisYear: number): Suggestion {
  const { texts, records, total } = column
  if (total === 0) return { type: 'string', reason: message('values.whyEmpty', { count: records }) }
  const evaluated = { ...column, texts: texts.slice(0, MAX_EVALUATED_TEXTS) }
  return (
    detectBoolean(evaluated) ??
    detectFormat(evaluated) ??
    detectDate(evaluated) ??
    detectNumber(evaluated, thisYear) ??
    detectOptions(column) ?? { type: 'string', reason: describeTexts(texts) }
  )
}

const MAX_BOOLEAN_SPELLINGS = 6
const STATE = /^(in|des?|un|nie)?a[ck]ti|able|ticked|checked|^(on|off|ein|aus)$/i

function detectBoolean({ texts, total }: Column): Suggestion | undefined {
  const spellings = new Set(texts.map(({ text }) => text.toLowerCase()))
  const isBoolean =
    spellings.size > 1 &&
    spellings.size <= MAX_BOOLEAN_SPELLINGS &&
    [...spellings].every((text) => isBooleanText(text) && !STATE.test(text))
  return isBoolean ? { type: 'boolean', reason: message('values.whyBoolean', { count: total, total }) } : undefined
}

const FORMAT_TESTS = [
  ['email', (text) => 'value' in readEmail(text), 'values.whyEmail'],
  ['url', (text) => 'value' in readUrl({ type: 'url', addScheme: false }, text), 'values.whyUrl'],
  ['time', (text) => 'value' in readTime({ type: 'time' }, text), 'values.whyTime'],
] as const satisfies readonly (readonly [Format, (text: string) => boolean, string])[]

function detectFormat({ texts, total }: Column): Suggestion | undefined {
  for (const [format, matches, reason] of FORMAT_TESTS) {
    const count = countMatching(texts, matches)
    if (count < sumCounts(texts) * MIN_SHARE) continue
    const constraints: Constraint[] = format === 'time' ? [] : [{ type: format }]
    return { type: 'string', metadata: { format }, constraints, reason: message(reason, { count, total }) }
  }
  return detectPhone(texts, total)
}

const DECIMAL = /^[-+(]?0?[.,]\d+$/

function detectPhone(texts: readonly CountedText[], total: number): Suggestion | undefined {
  const samples = texts.map(({ text }) => text)
  if (!detectShapes(samples).some(({ format }) => format === 'phone') || samples.some((text) => DECIMAL.test(text)))
    return undefined
  const count = countMatching(texts, (text) => 'value' in readPhone({ type: 'phone' }, text))
  const hasCountries = count >= sumCounts(texts) * MIN_SHARE
  return {
    type: 'string',
    metadata: { format: 'phone' },
    constraints: hasCountries ? [{ type: 'phone' }] : [],
    reason: message('values.whyPhone', { count: hasCountries ? count : total, total }),
  }
}

function detectDate({ texts, total }: Column): Suggestion | undefined {
  if (!areDates(repeatTexts(texts))) return undefined
  return { type: 'date', reason: message('values.whyDate', { count: total, total }) }
}

const repeatTexts = (texts: readonly CountedText[]): string[] =>
  texts.flatMap(({ text, count }) => (texts.length < 3 && count > 2 ? [text, text, text] : [text]))

const CODE_NAME = /\b(zip|post ?code|postal|postcode|plz|phone|tel|fax|mobile|iban|bic|ean|gtin|isbn|sku|vat|ssn|id)\b/
const DIGITS = /^\d+$/

function detectNumber({ label, texts, total }: Column, thisYear: number): Suggestion | undefined {
  const samples = repeatTexts(texts)
  const areCodes = samples.every((text) => DIGITS.test(text)) && CODE_NAME.test(toWords(label))
  if (areCodes || !areNumbers(samples)) return undefined
  const reading = decideReading({ key: label, type: 'number' }, samples, thisYear, { columnName: label })!.reading
  const count = countMatching(texts, (text) => {
    const read = readValue(reading, text)
    return 'value' in read || read.problem === 'ambiguous'
  })
  if (count < sumCounts(texts) * MIN_SHARE) return undefined
  const [unit, ...otherUnits] = reading.type === 'number' ? (reading.units ?? []) : []
  const isNamed = findFieldUnit(label) !== undefined || findFieldUnit(`${label} (${unit})`) === undefined
  return {
    type: 'number',
    unit: unit === undefined || otherUnits.length > 0 || isNamed ? undefined : unit,
    reason:
      unit === undefined || otherUnits.length > 0
        ? message('values.whyNumber', { count, total })
        : message('values.whyUnit', { count, total, unit }),
  }
}

const MAX_OPTIONS = 30
const MIN_RECORDS_PER_OPTION = 4
const MAX_OPTION_LENGTH = 60

function detectOptions({ texts, total }: Column): Suggestion | undefined {
  const spellings = new Map<string, CountedText[]>()
  for (const counted of texts) {
    const folded = counted.text.toLowerCase()
    spellings.set(folded, [...(spellings.get(folded) ?? []), counted])
    const isTooMuch = spellings.size > MAX_OPTIONS || spellings.size * MIN_RECORDS_PER_OPTION > total
    if (isTooMuch || folded.length > MAX_OPTION_LENGTH) return undefined
  }
  if (spellings.size < 2) return undefined
  const options = [...spellings.values()]
    .toSorted((a, b) => sumCounts(b) - sumCounts(a))
    .map((group) => {
      const [usual, ...others] = group.toSorted((a, b) => b.count - a.count).map(({ text }) => text)
      return { value: usual!, label: usual!, ...(others.length > 0 ? { alternativeNames: others } : {}) }
    })
  return {
    type: 'enum',
    config: { options },
    reason: message('values.whyOptions', { distinct: options.length, count: total }),
  }
}

const describeTexts = (texts: readonly CountedText[]): string =>
  message('values.whyText', { count: texts.reduce((longest, { text }) => Math.max(longest, text.length), 0) })

const MIN_UNIQUE_VALUES = 3
const CODE = /^(?=.*\d)[\p{L}\d._/#-]+$|@/u

function detectLimits(
  { records, texts, total }: Column,
  type: Field['type'],
): { constraints: Constraint[]; reasons: string[] } {
  const isRequired = total === records && records > 1
  const isUnique =
    type === 'string' &&
    total >= MIN_UNIQUE_VALUES &&
    texts.length === total &&
    texts.every(({ text }) => CODE.test(text))
  return {
    constraints: [
      ...(isRequired ? [{ type: 'required' as const }] : []),
      ...(isUnique ? [{ type: 'unique' as const }] : []),
    ],
    reasons: [
      ...(isUnique ? [message('values.whyUnique', { count: total })] : []),
      ...(isRequired ? [message('values.whyRequired', { count: records })] : []),
    ],
  }
}

const toWords = (name: string): string =>
  cleanText(name)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .toLowerCase()

function toLabel(name: string): string {
  if (!/^[\p{L}\d]+(_[\p{L}\d]+)*$/u.test(name) || (/^\p{Lu}/u.test(name) && !name.includes('_'))) return name
  const words = toWords(name)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const toKey = (name: string): string =>
  toWords(name)
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 100) || 'field'
