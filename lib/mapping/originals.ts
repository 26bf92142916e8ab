/** Keeps the texts of source columns next to the values that a mapping reads from them. Pure. */
import type { Rule } from '../../schemas/programs/rules.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { differsFromText, noteOriginal, ReadCell } from '../values/read-cell.ts'
import { toStored } from '../values/stored.ts'
import { DERIVED_PREFIX } from './rules/cells.ts'

const CONVERSIONS = new Set(['assign', 'read', 'edit', 'date', 'number', 'value-map'])

export function findOrigins(rules: readonly Rule[]): Map<string, string> {
  const origins = new Map<string, string | undefined>()
  for (const { type, config } of flattenRules(rules)) {
    const { sourceField, destinationField } = config as { sourceField?: string; destinationField?: string }
    const isConversion = CONVERSIONS.has(type) && sourceField !== undefined
    for (const key of destinationField === undefined ? listOutputs(config) : [destinationField]) {
      const source = isConversion ? resolveSource(sourceField, origins) : undefined
      origins.set(key, origins.has(key) && origins.get(key) !== source ? undefined : source)
    }
  }
  return new Map([...origins].flatMap(([key, source]) => (source === undefined ? [] : [[key, source]])))
}

const flattenRules = (rules: readonly Rule[]): Rule[] =>
  rules.flatMap((rule) => (rule.type === 'subprogram' ? flattenRules(rule.config.rules) : [rule]))

const listOutputs = (config: object): readonly string[] =>
  'destinationFields' in config ? (config.destinationFields as string[]) : []

const resolveSource = (sourceField: string, origins: ReadonlyMap<string, string | undefined>): string | undefined =>
  sourceField.startsWith(DERIVED_PREFIX) ? origins.get(sourceField.slice(DERIVED_PREFIX.length)) : sourceField

const MAX_CACHED_TEXTS = 20_000

export interface CellNoter {
  source: string
  note(value: unknown, text: unknown): unknown
}

export type CellNoters = ReadonlyMap<string, CellNoter>

export function createCellNoters(
  fields: readonly Pick<Field, 'key' | 'type'>[],
  origins: ReadonlyMap<string, string>,
): CellNoters {
  return new Map(
    fields.flatMap((field) => {
      const source = origins.get(field.key)
      return source === undefined ? [] : [[field.key, { source, note: createCellNoter(field) }]]
    }),
  )
}

function createCellNoter({ key, type }: Pick<Field, 'key' | 'type'>): (value: unknown, text: unknown) => unknown {
  const cache = new Map<string, { value: unknown; cell: unknown }>()
  const isConverted = type === 'number' || type === 'date'
  return (value, text) => {
    if (typeof text !== 'string' || value instanceof ReadCell || (value === text && !isConverted)) return value
    const cached = cache.get(text)
    if (cached && cached.value === value) return cached.cell
    if (cache.size >= MAX_CACHED_TEXTS) cache.clear()
    const stored = typeof value === 'string' ? toStored({ type }, value) : value
    const cell = stored !== text && differsFromText(stored, text) ? noteOriginal(key, stored, text) : value
    cache.set(text, { value, cell })
    return cell
  }
}
