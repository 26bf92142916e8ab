/** Suggests the edges between two sheets, from names, sample values and learned mappings. */
import type { Edge, EnumValue, Plan } from '../../schemas/programs/plan.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { toSheetRef } from '../commits/sheet-ref.ts'
import { MappingMemories } from '../entities/mapping-memories.ts'
import type { ProgramSide } from '../entities/programs.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import * as records from '../records/index.ts'
import { decideReading, suggestConversion } from './conversions.ts'
import {
  edgeToRule,
  getSourceFields,
  getTargetFields,
  getUnmappedFields,
  type NewRule,
  normalizeRule,
} from './edges.ts'
import { getOptions, suggestBooleans, suggestValues } from './enums.ts'
import { createLookup, getLearnedName, type MappingLookup } from './learned.ts'
import { detectDelimiter, isListField, splitItems } from './lists.ts'
import { buildPreview, suggest } from './suggest.ts'
import { toSampleTexts } from './values.ts'

const SAMPLE_RECORDS = 100
const MAX_TRANSLATED_VALUES = 200

export interface SuggestionRequest {
  accountId: string
  environmentId: string
  spaceId?: string | undefined
  source: ProgramSide
  destination: ProgramSide
  sourceSheet?: StoredSheet | undefined
}

export interface Suggestions {
  rules: NewRule[]
  /** `plan` assumes that `existingRules` are the only other rules. */
  plan: Plan
}

export async function suggestBetween(
  request: SuggestionRequest,
  existingRules: readonly { type: string; config?: unknown }[] = [],
): Promise<Suggestions> {
  const { source, destination, sourceSheet } = request
  const rules = existingRules.map(normalizeRule)
  const [used, filled] = [getSourceFields(rules), getTargetFields(rules)]
  const [samples, memories] = await Promise.all([
    readSamples(sourceSheet),
    MappingMemories.ofSheets(request.accountId, getLearnedName(destination)),
  ])
  const lookup = createLookup(memories, request)
  const suggestedEdges = suggest(
    source.fields.filter(({ key }) => !used.has(key)),
    destination.fields.filter(({ key }) => !filled.has(key)),
    { samples, threshold: destination.mappingConfidenceThreshold, lookup },
  )
  const columns = await readColumns(sourceSheet, suggestedEdges)
  const thisYear = new Date().getUTCFullYear()
  const conversions: NewRule[] = []
  const edges = suggestedEdges.map((edge): Edge => {
    const { key } = edge.sourceField
    const values = columns.get(key)
    const { rule, question } = suggestConversion(edge, values ?? samples.get(key) ?? [], thisYear)
    if (rule) conversions.push(rule)
    const translated = addValueMapping(edge, { values, samples: samples.get(key) ?? [], lookup, thisYear })
    return question ? { ...translated, metadata: { ...translated.metadata!, question } } : translated
  })
  return { rules: [...edges.map(edgeToRule), ...conversions], plan: toPlan(edges, rules, request, samples) }
}

async function readColumns(sheet: StoredSheet | undefined, edges: readonly Edge[]): Promise<Map<string, unknown[]>> {
  const fields = edges
    .filter(
      ({ destinationField }) =>
        destinationField.type === 'date' ||
        destinationField.type === 'number' ||
        getOptions(destinationField as unknown as Field),
    )
    .map(({ sourceField }) => sourceField.key)
  if (!sheet || fields.length === 0) return new Map()
  const columns = await records.listDistinctValuesByField(toSheetRef(sheet), { fields })
  return new Map([...columns].map(([key, values]) => [key, values.map(({ value }) => value)]))
}

function toPlan(
  edges: Edge[],
  rules: readonly { type: string; config?: unknown }[],
  { source, destination }: SuggestionRequest,
  samples: ReadonlyMap<string, unknown[]>,
): Plan {
  const edgeRules = edges.map(({ sourceField, destinationField }) => ({
    type: 'assign',
    config: { sourceField: sourceField.key, destinationField: destinationField.key },
  }))
  const previews = source.fields.map((sourceField) => ({
    sourceField,
    preview: buildPreview(samples.get(sourceField.key) ?? []),
  }))
  const sides = { source: source.fields, destination: destination.fields }
  const unmapped = getUnmappedFields([...edgeRules, ...rules], sides, {
    fieldMapping: [],
    unmappedSourceFields: previews,
  })
  return { fieldMapping: edges, ...unmapped, programId: undefined }
}

async function readSamples(sheet: StoredSheet | undefined): Promise<Map<string, unknown[]>> {
  if (!sheet) return new Map()
  const page = await records.readRecords(toSheetRef(sheet), { pageSize: SAMPLE_RECORDS, includeMessages: false })
  return new Map(sheet.config.fields.map(({ key }) => [key, page.records.map(({ values }) => values[key]?.value)]))
}

interface ColumnValues {
  values: readonly unknown[] | undefined
  samples: readonly unknown[]
  lookup: MappingLookup
  thisYear: number
}

function addValueMapping(edge: Edge, { values, samples, lookup, thisYear }: ColumnValues): Edge {
  const destination = edge.destinationField as unknown as Field
  const delimiter = isListField(destination) ? detectDelimiter(toSampleTexts(samples)) : undefined
  const metadata = { ...edge.metadata!, detectedDelimiter: delimiter }
  if (!values || !getOptions(destination)) return { ...edge, metadata }
  const items = [...new Set(values.flatMap((value) => extractValues(value, isListField(destination), delimiter)))]
  const recall = (value: EnumValue) => lookup.translate(destination.key, value)
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
