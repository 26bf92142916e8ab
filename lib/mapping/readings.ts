import type { Edge, EnumValue } from '../../schemas/programs/plan.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { decideReading, suggestConversion } from './conversions.ts'
import type { NewRule } from './edges.ts'
import { getOptions, suggestBooleans, suggestValues } from './enums.ts'
import type { MappingLookup } from './learned.ts'
import { detectDelimiter, isListField, splitItems } from './lists.ts'
import { toSampleTexts } from './values.ts'

const MAX_TRANSLATED_VALUES = 200

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
  const edges = suggestedEdges.map((edge): Edge => {
    const { key } = edge.sourceField
    const values = columns.get(key)
    const { rule, question } = suggestConversion(edge, values ?? samples.get(key) ?? [], thisYear)
    if (rule) conversions.push(rule)
    const translated = addValueMapping(edge, { values, samples: samples.get(key) ?? [], lookup, thisYear })
    return question ? { ...translated, metadata: { ...translated.metadata!, question } } : translated
  })
  return { edges, conversions }
}

interface ColumnValues {
  values: readonly unknown[] | undefined
  samples: readonly unknown[]
  lookup: MappingLookup | undefined
  thisYear: number
}

function addValueMapping(edge: Edge, { values, samples, lookup, thisYear }: ColumnValues): Edge {
  const destination = edge.destinationField as unknown as Field
  const delimiter = isListField(destination) ? detectDelimiter(toSampleTexts(samples)) : undefined
  const metadata = { ...edge.metadata!, detectedDelimiter: delimiter }
  if (!values || !getOptions(destination)) return { ...edge, metadata }
  const items = [...new Set(values.flatMap((value) => extractValues(value, isListField(destination), delimiter)))]
  const recall = (value: EnumValue) => lookup?.translate(destination.key, value)
  return {
    ...edge,
    metadata,
    enumDetails:
      destination.type === 'boolean'
        ? suggestBooleans(
            items.slice(0, MAX_TRANSLATED_VALUES),
            decideReading(destination, values, thisYear)!.reading,
            recall,
          )
        : suggestValues(items.slice(0, MAX_TRANSLATED_VALUES), destination, recall),
  }
}

const extractValues = (value: unknown, hasLists: boolean, delimiter: string | undefined): EnumValue[] =>
  [value].flat().flatMap((item: unknown): EnumValue[] => {
    if (typeof item === 'string') return hasLists ? splitItems(item, delimiter) : item === '' ? [] : [item]
    return typeof item === 'number' || typeof item === 'boolean' ? [item] : []
  })
