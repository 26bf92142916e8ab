import type { SchemaElement } from 'hyparquet'
import { DAY_MS } from '../../../../schemas/kit/time.ts'
import { isListField } from '../../../mapping/lists.ts'
import { parseBoolean, parseNumber } from '../../../values/scalars.ts'
import type { ExportField } from '../rows.ts'

export type ColumnKind = 'text' | 'number' | 'boolean' | 'date' | 'json'

export const INVALID = Symbol('invalid value')

export function getColumnKind(field: ExportField): ColumnKind {
  if (isListField(field)) return 'json'
  return field.type === 'number' || field.type === 'boolean' || field.type === 'date' ? field.type : 'text'
}

export const holdsAnyValue = (kind: ColumnKind): boolean => kind === 'text' || kind === 'json'

const PARSERS = { number: parseNumber, boolean: parseBoolean }

export function convertCell(value: unknown, kind: ColumnKind): unknown {
  if (value === null) return null
  switch (kind) {
    case 'number':
    case 'boolean':
      if (typeof value === kind) return value
      // A value stored before its field had the type may be a valid text.
      return (typeof value === 'string' ? PARSERS[kind](value) : undefined) ?? INVALID
    case 'date':
      return (typeof value === 'string' ? toDaysSince1970(value) : undefined) ?? INVALID
    case 'text':
      return typeof value === 'string' ? value : JSON.stringify(value)
    case 'json':
      return value
  }
}

const ISO_DAY = /^\d{4}-\d\d-\d\d$/

function toDaysSince1970(text: string): number | undefined {
  const time = ISO_DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(text) ? undefined : time / DAY_MS
}

const TYPES: Readonly<Record<ColumnKind, Partial<SchemaElement>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE' },
  // Without a converted type, DuckDB reads the column as binary.
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
}

export const toSchemaElement = (name: string, kind: ColumnKind): SchemaElement => ({
  name,
  repetition_type: 'OPTIONAL',
  ...TYPES[kind],
})
