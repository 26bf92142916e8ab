/** Suggests the edges between two sheets, from names, sample values and learned mappings. */
import { MAX_CHECKED_TEXTS } from '../../schemas/programs/limits.ts'
import type { Edge, Plan } from '../../schemas/programs/plan.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { toSheetRef } from '../commits/sheet-ref.ts'
import { lazy } from '../core/lazy.ts'
import { MappingMemories } from '../entities/mapping-memories.ts'
import type { ProgramSide } from '../entities/programs.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import * as records from '../records/index.ts'
import {
  edgeToRule,
  getSourceFields,
  getTargetFields,
  getUnmappedFields,
  LEAVE_OUT,
  type NewRule,
  normalizeRule,
} from './edges.ts'
import { getOptions } from './enums.ts'
import { createLookup, getLearnedName, type MappingLookup } from './learned.ts'
import type { FoundOtherLines } from './other-lines/find.ts'
import { addReadings } from './readings.ts'
import { buildPreview } from './values.ts'

const loadSuggest = lazy(() => import('./suggest.ts'))
const loadOtherLines = lazy(() => import('./other-lines/find.ts'))
const loadLineSamples = lazy(() => import('./other-lines/samples.ts'))

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
  const [evidence, memories, { suggest }] = await Promise.all([
    readEvidence(sourceSheet),
    MappingMemories.ofSheets(request.accountId, getLearnedName(destination)),
    loadSuggest(),
  ])
  const lookup = createLookup(memories, request)
  const suggestedEdges = suggest(
    source.fields.filter(({ key }) => !used.has(key)),
    destination.fields.filter(({ key }) => !filled.has(key)),
    { samples: evidence.recordSamples, threshold: destination.mappingConfidenceThreshold, lookup },
  )
  const { edges, conversions } = await readEdges(evidence, suggestedEdges, lookup)
  const hasRule = rules.some(({ type }) => type === LEAVE_OUT)
  const lines = hasRule ? undefined : await suggestLines(sourceSheet, evidence.samples)
  return {
    rules: [...edges.map(edgeToRule), ...conversions, ...(lines ? [buildLeaveOutRule(lines)] : [])],
    plan: { ...toPlan(edges, rules, request, evidence.samples), otherLines: lines?.found },
  }
}

interface Evidence {
  samples: ReadonlyMap<string, unknown[]>
  /** Without lines such as totals. */
  recordSamples: ReadonlyMap<string, readonly unknown[]>
  readColumns(edges: readonly Edge[]): Promise<ReadonlyMap<string, readonly unknown[]>>
}

async function readEvidence(sheet: StoredSheet | undefined): Promise<Evidence> {
  const [samples, { listRecordSamples, withoutTextsOfLines }] = await Promise.all([
    readSamples(sheet),
    loadLineSamples(),
  ])
  const recordSamples = listRecordSamples(sheet?.config.fields ?? [], samples)
  return {
    ...{ samples, recordSamples },
    readColumns: async (edges) => withoutTextsOfLines(await readColumns(sheet, edges), samples, recordSamples),
  }
}

async function readEdges(evidence: Evidence, edges: readonly Edge[], lookup: MappingLookup) {
  const columns = await evidence.readColumns(edges)
  return addReadings(edges, {
    ...{ columns, samples: evidence.recordSamples, lookup },
    thisYear: new Date().getUTCFullYear(),
  })
}

const suggestLines = async (sheet: StoredSheet | undefined, samples: ReadonlyMap<string, unknown[]>) =>
  sheet && (await loadOtherLines()).suggestOtherLines(sheet, samples)

const buildLeaveOutRule = ({ config }: FoundOtherLines): NewRule => ({
  ...{ name: 'Leave out lines that are not records', type: LEAVE_OUT, config, confidence: 1 },
})

type ReadingRequest = Pick<SuggestionRequest, 'accountId' | 'environmentId' | 'spaceId' | 'destination' | 'sourceSheet'>

export async function suggestReadings(
  request: ReadingRequest,
  edges: readonly Edge[],
): Promise<{ edges: Edge[]; conversions: NewRule[] }> {
  const { destination, sourceSheet } = request
  const [evidence, memories] = await Promise.all([
    readEvidence(sourceSheet),
    MappingMemories.ofSheets(request.accountId, getLearnedName(destination)),
  ])
  return readEdges(evidence, edges, createLookup(memories, request))
}

async function readColumns(sheet: StoredSheet | undefined, edges: readonly Edge[]): Promise<Map<string, unknown[]>> {
  const isRead = ({ destinationField }: Edge): boolean =>
    destinationField.type === 'date' ||
    destinationField.type === 'number' ||
    getOptions(destinationField as unknown as Field) !== undefined
  const read = edges.filter(isRead)
  if (!sheet || read.length === 0) return new Map()
  const fields = read.map(({ sourceField }) => sourceField.key)
  const others = read.filter(({ destinationField }) => destinationField.type !== 'number')
  const otherFields = new Set(others.map(({ sourceField }) => sourceField.key))
  const numberFields = new Set(fields.filter((key) => !otherFields.has(key)))
  return records.listWrittenValuesByField(toSheetRef(sheet), { fields, numberFields })
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
  const page = await records.readRecords(toSheetRef(sheet), { pageSize: MAX_CHECKED_TEXTS, includeMessages: false })
  return new Map(sheet.config.fields.map(({ key }) => [key, page.records.map(({ values }) => values[key]?.value)]))
}
