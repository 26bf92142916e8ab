/** Suggests arrows between two sheets, or what is said of them: from names, sample values and what was accepted before. */
import type { Field } from '../../schemas/fields.ts'
import type { Edge, EnumValue, Plan } from '../../schemas/mapping.ts'
import { sheetRef } from '../commits/sheet-ref.ts'
import { MappingMemories } from '../entities/mapping-memories.ts'
import type { ProgramSide } from '../entities/programs.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import * as records from '../records/index.ts'
import { conversionOf } from './conversions.ts'
import { filledBy, flat, leftOver, type NewRule, ruleOfEdge, usedBy } from './edges.ts'
import { optionsOf, suggestValues } from './enums.ts'
import { delimiterOf, isList, itemsOf } from './lists.ts'
import { memoryName, type Recall, recall } from './memory.ts'
import { previewOf, suggest } from './suggest.ts'
import { textsOf } from './values.ts'

/** Records looked at for a plan, and distinct values a translation is suggested for. */
const SAMPLE_RECORDS = 100
const TRANSLATED_VALUES = 200

/** What is mapped, and for whom. */
export interface Between {
  accountId: string
  environmentId: string
  spaceId?: string | undefined
  source: ProgramSide
  destination: ProgramSide
  /** Where the source's values are; without it names alone count. */
  sourceSheet?: StoredSheet | undefined
}

export interface Suggested {
  /** The arrows as rules, and what brings their values into form. */
  rules: NewRule[]
  /** Arrows and what is left over, where `given` are the only further rules. */
  plan: Plan
}

/** @param given rules that stand: what they read and fill is not suggested */
export async function suggestBetween(
  between: Between,
  given: readonly { type: string; config?: unknown }[] = [],
): Promise<Suggested> {
  const { source, destination, sourceSheet } = between
  const rules = given.map(flat)
  const [used, filled] = [usedBy(rules), filledBy(rules)]
  const [samples, memories] = await Promise.all([
    samplesOf(sourceSheet),
    MappingMemories.ofSheets(between.accountId, memoryName(destination)),
  ])
  const recalled = recall(memories, between)
  const found = suggest(
    source.fields.filter(({ key }) => !used.has(key)),
    destination.fields.filter(({ key }) => !filled.has(key)),
    { samples, threshold: destination.mappingConfidenceThreshold, recall: recalled },
  )
  const edges: Edge[] = []
  for (const edge of found) edges.push(await withValues(edge, sourceSheet, samples, recalled))
  const conversions = edges.flatMap((edge) => conversionOf(edge, samples.get(edge.sourceField.key) ?? []) ?? [])
  return { rules: [...edges.map(ruleOfEdge), ...conversions], plan: planOf(edges, rules, between, samples) }
}

function planOf(
  edges: Edge[],
  rules: readonly { type: string; config?: unknown }[],
  { source, destination }: Between,
  samples: ReadonlyMap<string, unknown[]>,
): Plan {
  const arrows = edges.map(({ sourceField, destinationField }) => ({
    type: 'assign',
    config: { sourceField: sourceField.key, destinationField: destinationField.key },
  }))
  const previews = source.fields.map((sourceField) => ({
    sourceField,
    preview: previewOf(samples.get(sourceField.key) ?? []),
  }))
  const sides = { source: source.fields, destination: destination.fields }
  const left = leftOver([...arrows, ...rules], sides, { fieldMapping: [], unmappedSourceFields: previews })
  return { fieldMapping: edges, ...left, programId: undefined }
}

async function samplesOf(sheet: StoredSheet | undefined): Promise<Map<string, unknown[]>> {
  if (!sheet) return new Map()
  const page = await records.read(sheetRef(sheet), { pageSize: SAMPLE_RECORDS, includeMessages: false })
  return new Map(sheet.config.fields.map(({ key }) => [key, page.records.map(({ values }) => values[key]?.value)]))
}

/** Adds what the values need: what separates lists, and how values become options. */
async function withValues(
  edge: Edge,
  sheet: StoredSheet | undefined,
  samples: ReadonlyMap<string, unknown[]>,
  recalled: Recall,
): Promise<Edge> {
  // Both ends came from the sides' own fields.
  const destination = edge.destinationField as unknown as Field
  const key = edge.sourceField.key
  const delimiter = isList(destination) ? delimiterOf(textsOf(samples.get(key) ?? [])) : undefined
  const metadata = { ...edge.metadata!, detectedDelimiter: delimiter }
  if (!sheet || !optionsOf(destination)) return { ...edge, metadata }
  const found = await records.distinct(sheetRef(sheet), key)
  const values = [...new Set(found.flatMap(({ value }) => valuesIn(value, isList(destination), delimiter)))].slice(
    0,
    TRANSLATED_VALUES,
  )
  const enumDetails = suggestValues(values, destination, (value) => recalled.translation(destination.key, value))
  return { ...edge, metadata, enumDetails }
}

/** @param split cells hold lists */
const valuesIn = (value: unknown, split: boolean, delimiter: string | undefined): EnumValue[] =>
  [value].flat().flatMap((one: unknown): EnumValue[] => {
    if (typeof one === 'string') return split ? itemsOf(one, delimiter) : one === '' ? [] : [one]
    return typeof one === 'number' || typeof one === 'boolean' ? [one] : []
  })
