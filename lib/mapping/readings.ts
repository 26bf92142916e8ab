import { MAX_TRANSLATED_VALUES } from '../../schemas/programs/limits.ts'
import type { Edge, EnumValue } from '../../schemas/programs/plan.ts'
import type { Reading } from '../../schemas/programs/readings.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import type { Decision, FileHabits } from '../values/decision.ts'
import { decideReading, suggestConversion } from './conversions.ts'
import type { NewRule } from './edges.ts'
import { findOnlyRegionField, getOptions, suggestBooleans, suggestValues } from './enums.ts'
import { acceptUnits, findHabits, hasUnitColumn } from './file-evidence.ts'
import type { MappingLookup } from './learned.ts'
import { detectDelimiter, isListField, splitItems } from './lists.ts'
import { decideBySorting } from './sorted-dates.ts'
import { toSampleTexts } from './values.ts'

interface ColumnSources {
  columns: ReadonlyMap<string, readonly unknown[]>
  samples: ReadonlyMap<string, readonly unknown[]>
  lookup?: MappingLookup | undefined
  thisYear: number
}

export function addReadings(
  suggestedEdges: readonly Edge[],
  { columns, samples, lookup, thisYear }: ColumnSources,
): { edges: Edge[]; conversions: NewRule[] } {
  const conversions: NewRule[] = []
  const regionField = findRegionField(suggestedEdges)
  const decisions = decideReadings(suggestedEdges, { columns, samples, thisYear })
  const edges = suggestedEdges.map((edge, at): Edge => {
    const { key } = edge.sourceField
    const values = columns.get(key)
    const read = values ?? samples.get(key) ?? []
    const decision = withRegionField(decisions[at], regionField)
    const { rule, question } = suggestConversion(edge, read, thisYear, decision)
    if (rule) conversions.push(rule)
    const translated = addValueMapping(edge, {
      values,
      samples: samples.get(key) ?? [],
      lookup,
      reading: decision?.reading,
    })
    return question ? { ...translated, metadata: { ...translated.metadata!, question } } : translated
  })
  return { edges, conversions }
}

function decideReadings(
  edges: readonly Edge[],
  { columns, samples, thisYear }: Omit<ColumnSources, 'lookup'>,
): (Decision | undefined)[] {
  const decide = ({ sourceField: { key, label }, destinationField }: Edge, file?: FileHabits) =>
    decideReading(
      destinationField as unknown as Field,
      columns.get(key) ?? samples.get(key) ?? [],
      thisYear,
      { columnName: label ?? key, isMostlyEmpty: isMostlyEmpty(samples.get(key) ?? []) },
      file,
    )
  const alone = edges.map((edge) => decide(edge))
  const habits = findHabits(
    alone,
    edges.map(({ sourceField: { key } }) => samples.get(key) ?? []),
    [...samples.keys()],
  )
  return edges.map((edge, at) => {
    const decision = dependsOnFile(alone[at], habits) ? decide(edge, habits) : alone[at]
    const { key } = edge.sourceField
    if (decision?.question?.about === 'unit' && hasUnitColumn(key, samples, decision)) return acceptUnits(decision)
    return (decision && decideBySorting(decision, samples.get(key) ?? [])) ?? decision
  })
}

const isMostlyEmpty = (values: readonly unknown[]): boolean =>
  values.filter((value) => value === null || value === undefined || value === '').length * 2 >= values.length

const dependsOnFile = (decision: Decision | undefined, { missingWords }: FileHabits): boolean =>
  (decision?.reading.type === 'string' && missingWords.size > 0) ||
  decision?.question?.about === 'decimal-mark' ||
  decision?.question?.about === 'day-month-order'

function findRegionField(edges: readonly Edge[]): string | undefined {
  return findOnlyRegionField(edges.map(({ destinationField }) => destinationField as unknown as Field))
}

export const withRegionField = (
  decision: Decision | undefined,
  regionField: string | undefined,
): Decision | undefined =>
  decision?.reading.type === 'phone' && regionField !== undefined
    ? { reading: { ...decision.reading, regionField } }
    : decision

interface ColumnValues {
  values: readonly unknown[] | undefined
  samples: readonly unknown[]
  lookup: MappingLookup | undefined
  reading: Reading | undefined
}

function addValueMapping(edge: Edge, { values, samples, lookup, reading }: ColumnValues): Edge {
  const destination = edge.destinationField as unknown as Field
  const delimiter = isListField(destination) ? detectDelimiter(toSampleTexts(samples)) : undefined
  const metadata = { ...edge.metadata!, detectedDelimiter: delimiter }
  if (!values || !getOptions(destination)) return { ...edge, metadata }
  const items = [...new Set(values.flatMap((value) => extractValues(value, isListField(destination), delimiter)))]
  const translated = items.slice(0, MAX_TRANSLATED_VALUES)
  const recall = (value: EnumValue) => lookup?.translate(destination.key, value)
  const enumDetails =
    reading?.type === 'boolean'
      ? suggestBooleans(translated, reading, recall)
      : suggestValues(translated, destination, recall, edge.sourceField.label ?? edge.sourceField.key)
  return { ...edge, metadata, enumDetails }
}

export const extractValues = (value: unknown, hasLists: boolean, delimiter: string | undefined): EnumValue[] =>
  [value].flat().flatMap((item: unknown): EnumValue[] => {
    if (typeof item === 'string') return hasLists ? splitItems(item, delimiter) : item === '' ? [] : [item]
    return typeof item === 'number' || typeof item === 'boolean' ? [item] : []
  })
