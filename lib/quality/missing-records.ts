import { message } from '../../schemas/messages/index.ts'
import { MAX_MISSING_RECORDS_PER_CALL } from '../../schemas/quality/limits.ts'
import type { MissingValue } from '../../schemas/quality/shape.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { toSheetRef } from '../commits/sheet-ref.ts'
import { invalidField, unprocessable } from '../core/errors.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import { readDistinctColumns, type Selection, type WritePart } from '../records/index.ts'
import { findLinkTarget } from './link-target.ts'

export interface MissingValues {
  values: MissingValue[]
  target: { sheetId: string; fieldKey: string }
  /** The version of the referenced sheet. A write conditional on it creates no record twice. */
  version: number
}

/** @throws 422 unless `fieldKey` is a reference without a filter to a field of another sheet */
export async function listMissingValues(
  sheet: StoredSheet,
  fieldKey: string,
  selection: Selection = {},
): Promise<MissingValues> {
  const ref = toSheetRef(sheet)
  const { config } = getReferenceField(sheet, fieldKey)
  const target = await findLinkTarget(ref, config)
  if (!target) throw unprocessable(message('quality.noLinkedField'))
  const [used, present] = await Promise.all([
    readDistinctColumns(ref, { ...selection, fields: [fieldKey] }),
    readDistinctColumns(target, { fields: [config.key] }),
  ])
  const known = new Set<string>()
  for (const { value } of present.columns[0]!.values()) if (value !== null) known.add(String(value))
  const missing = new Map<string, MissingValue>()
  for (const { value, count } of used.columns[0]!.values())
    for (const item of Array.isArray(value) ? new Set(value) : [value]) addMissing(missing, item, count, known)
  const values = [...missing.values()].sort((a, b) => b.count - a.count)
  return { values, target: { sheetId: target.sheetId, fieldKey: config.key }, version: present.version }
}

type ReferenceField = Extract<Field, { type: 'reference' | 'reference-list' }>

function getReferenceField({ config }: StoredSheet, fieldKey: string): ReferenceField {
  const field = config.fields.find(({ key }) => key === fieldKey)
  if (!field) throw invalidField('fieldKey', message('records.noField', { field: fieldKey }))
  if (field.type !== 'reference' && field.type !== 'reference-list')
    throw invalidField('fieldKey', message('quality.notReference'))
  if (field.config.filter) throw invalidField('fieldKey', message('quality.filteredReference'))
  return field
}

function addMissing(
  missing: Map<string, MissingValue>,
  value: unknown,
  count: number,
  known: ReadonlySet<string>,
): void {
  if (value === null || typeof value === 'object' || known.has(String(value))) return
  const text = String(value)
  const found = missing.get(text)
  if (found) found.count += count
  else missing.set(text, { value: value as MissingValue['value'], count })
}

/** The most frequent ones first. `chosen` leaves out the others. */
export function selectMissing(
  { values }: MissingValues,
  chosen: readonly unknown[] | undefined,
): { selected: MissingValue[]; remaining: number } {
  const texts = chosen && new Set(chosen.map(String))
  const matching = texts ? values.filter(({ value }) => texts.has(String(value))) : values
  const selected = matching.slice(0, MAX_MISSING_RECORDS_PER_CALL)
  return { selected, remaining: matching.length - selected.length }
}

export async function* toNewRecords(fieldKey: string, values: readonly MissingValue[]): AsyncGenerator<WritePart> {
  yield { keys: [fieldKey], rows: values.map(({ value }) => [value]) }
}
