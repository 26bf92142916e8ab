/** `workbook:map` is offered between two sheets of one space; its plan is made from their fields and some of the records. */
import type { Field } from '../../../schemas/fields.ts'
import type { Edge, EnumValue, Plan } from '../../../schemas/mapping.ts'
import * as operations from '../../../schemas/operations.ts'
import { sheetRef } from '../../commits/sheet-ref.ts'
import { invalidField } from '../../core/errors.ts'
import type { StoredSheet } from '../../entities/sheets.ts'
import { optionsOf, suggestValues } from '../../mapping/enums.ts'
import { delimiterOf, isList, itemsOf } from '../../mapping/lists.ts'
import { planOf, suggest } from '../../mapping/suggest.ts'
import { textsOf } from '../../mapping/values.ts'
import * as records from '../../records/index.ts'
import { type JobPlace, sheetOfJob } from '../references.ts'
import { configOf, isMeant } from './config.ts'
import type { JobRequest, Offer } from './offer.ts'

/** Records looked at for a plan, and distinct values a translation is suggested for. */
const SAMPLE_RECORDS = 100
const TRANSLATED_VALUES = 200

export const map: Offer = {
  operation: operations.map,
  takes: (job) => isMeant(operations.map, job),
  check: async (job, place) => void (await sheetsOf(job, place)),
  plan: async (job, place) => planFor(await sheetsOf(job, place)),
}

export interface MappedSheets {
  source: StoredSheet
  destination: StoredSheet
}

/** The sheets a mapping job names. Throws 400 for a configuration that does not fit, 404 for a sheet that lives elsewhere. */
export async function sheetsOf(job: JobRequest, place: JobPlace): Promise<MappedSheets> {
  const { sourceSheetId, destinationSheetId } = configOf(operations.map, job)
  if (sourceSheetId === destinationSheetId)
    throw invalidField('config.destinationSheetId', 'must be another sheet than the source')
  const [source, destination] = await Promise.all([
    sheetOfJob(place, sourceSheetId),
    sheetOfJob(place, destinationSheetId),
  ])
  return { source, destination }
}

/** The suggested plan, with the values of enum and list fields. */
export async function planFor({ source, destination }: MappedSheets): Promise<Plan> {
  const samples = await samplesOf(source)
  const fields = { source: source.config.fields, destination: destination.config.fields }
  const threshold = destination.config.mappingConfidenceThreshold
  const edges = suggest(fields.source, fields.destination, {
    samples,
    threshold: typeof threshold === 'number' ? threshold : undefined,
  })
  const detailed: Edge[] = []
  for (const edge of edges) detailed.push(await withValues(edge, source, samples))
  return planOf(fields.source, fields.destination, detailed, samples)
}

async function samplesOf(sheet: StoredSheet): Promise<Map<string, unknown[]>> {
  const page = await records.read(sheetRef(sheet), { pageSize: SAMPLE_RECORDS, includeMessages: false })
  return new Map(sheet.config.fields.map(({ key }) => [key, page.records.map(({ values }) => values[key]?.value)]))
}

/** Adds what the values need: what separates lists, and how values become options. */
async function withValues(edge: Edge, source: StoredSheet, samples: ReadonlyMap<string, unknown[]>): Promise<Edge> {
  // Both ends came from the sheets' own fields.
  const destination = edge.destinationField as unknown as Field
  const key = edge.sourceField.key
  const delimiter = isList(destination) ? delimiterOf(textsOf(samples.get(key) ?? [])) : undefined
  const metadata = { ...edge.metadata!, detectedDelimiter: delimiter }
  if (!optionsOf(destination)) return { ...edge, metadata }
  const found = await records.distinct(sheetRef(source), key)
  const values = found.flatMap(({ value }) => valuesIn(value, isList(destination), delimiter))
  return {
    ...edge,
    metadata,
    enumDetails: suggestValues([...new Set(values)].slice(0, TRANSLATED_VALUES), destination),
  }
}

/** @param split cells hold lists */
const valuesIn = (value: unknown, split: boolean, delimiter: string | undefined): EnumValue[] =>
  [value].flat().flatMap((one: unknown): EnumValue[] => {
    if (typeof one === 'string') return split ? itemsOf(one, delimiter) : one === '' ? [] : [one]
    return typeof one === 'number' || typeof one === 'boolean' ? [one] : []
  })
