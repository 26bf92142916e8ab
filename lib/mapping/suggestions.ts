/** Suggests the edges between two sheets, from names, sample values and learned mappings. */
import type { Edge, EnumValue, Plan } from '../../schemas/programs/plan.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { toSheetRef } from '../commits/sheet-ref.ts'
import { MappingMemories } from '../entities/mapping-memories.ts'
import type { ProgramSide } from '../entities/programs.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import * as records from '../records/index.ts'
import { suggestConversion } from './conversions.ts'
import {
  edgeToRule,
  getSourceFields,
  getTargetFields,
  getUnmappedFields,
  type NewRule,
  normalizeRule,
} from './edges.ts'
import { getOptions, suggestValues } from './enums.ts'
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
  const edges: Edge[] = []
  for (const edge of suggestedEdges) edges.push(await addValueMapping(edge, sourceSheet, samples, lookup))
  const conversions = edges.flatMap((edge) => suggestConversion(edge, samples.get(edge.sourceField.key) ?? []) ?? [])
  return { rules: [...edges.map(edgeToRule), ...conversions], plan: toPlan(edges, rules, request, samples) }
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

async function addValueMapping(
  edge: Edge,
  sheet: StoredSheet | undefined,
  samples: ReadonlyMap<string, unknown[]>,
  lookup: MappingLookup,
): Promise<Edge> {
  const destination = edge.destinationField as unknown as Field
  const key = edge.sourceField.key
  const delimiter = isListField(destination) ? detectDelimiter(toSampleTexts(samples.get(key) ?? [])) : undefined
  const metadata = { ...edge.metadata!, detectedDelimiter: delimiter }
  if (!sheet || !getOptions(destination)) return { ...edge, metadata }
  const distinctValues = await records.listDistinctValues(toSheetRef(sheet), key)
  const values = [
    ...new Set(distinctValues.flatMap(({ value }) => extractValues(value, isListField(destination), delimiter))),
  ].slice(0, MAX_TRANSLATED_VALUES)
  const enumDetails = suggestValues(values, destination, (value) => lookup.translate(destination.key, value))
  return { ...edge, metadata, enumDetails }
}

const extractValues = (value: unknown, hasLists: boolean, delimiter: string | undefined): EnumValue[] =>
  [value].flat().flatMap((item: unknown): EnumValue[] => {
    if (typeof item === 'string') return hasLists ? splitItems(item, delimiter) : item === '' ? [] : [item]
    return typeof item === 'number' || typeof item === 'boolean' ? [item] : []
  })
