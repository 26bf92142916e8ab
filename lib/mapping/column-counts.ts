/** Counts what a mapping does to the values of each destination field. Pure. */
import { type ColumnPreview, MAX_EXAMPLES_PER_COLUMN } from '../../schemas/jobs/preview.ts'
import type { PlainRule, Rule } from '../../schemas/programs/rules.ts'
import { createCellValidator, readValues, type SheetRef } from '../records/index.ts'
import { getValue, ReadCell } from '../values/read-cell.ts'
import { DERIVED_PREFIX, isEmpty } from './rules/cells.ts'
import type { Columns } from './rules/compile.ts'

type Outcome = 'converted' | 'unchanged' | 'unreadable' | 'empty'
type ColumnCounts = Omit<ColumnPreview, 'reading' | 'question'>

export interface ColumnCounter {
  add(source: Columns, mapped: Columns, length: number): void
  readonly columns: readonly ColumnCounts[]
}

export function createColumnCounter(rules: readonly Rule[], destination: SheetRef): ColumnCounter {
  const columns = [...findSources(rules)].map(([key, sources]) => ({
    counts: createCounts(key, [...sources]),
    validate: createCellValidator(destination, key),
  }))
  return {
    columns: columns.map(({ counts }) => counts),
    add(source, mapped, length) {
      for (const { counts, validate } of columns) {
        const sources = counts.sourceFields.map((key) => readValues(source.get(key) ?? []))
        const results = readValues(mapped.get(counts.destinationField) ?? [])
        for (let row = 0; row < length; row++)
          countCell(counts, sources, row, validateCell(validate, results[row] ?? null))
      }
    },
  }
}

type CellValidator = ReturnType<typeof createCellValidator>

const validateCell = (validate: CellValidator, cell: unknown): ReturnType<CellValidator> =>
  cell instanceof ReadCell && cell.note.type === 'error'
    ? { value: cell.value, isReadable: false }
    : validate(getValue(cell))

function findSources(rules: readonly Rule[]): Map<string, Set<string>> {
  const sources = new Map<string, Set<string>>()
  const addRule = (rule: Rule): void => {
    if (rule.type === 'subprogram') for (const nested of rule.config.rules) addRule(nested)
    else if (rule.type !== 'ignore' && rule.type !== 'delete' && rule.type !== 'leave-out') addSources(sources, rule)
  }
  for (const rule of rules) addRule(rule)
  return sources
}

function addSources(sources: Map<string, Set<string>>, { type, config }: PlainRule): void {
  const inputs = 'sourceFields' in config ? config.sourceFields : 'sourceField' in config ? [config.sourceField] : []
  const found = inputs.flatMap((name) =>
    name.startsWith(DERIVED_PREFIX) ? [...(sources.get(name.slice(DERIVED_PREFIX.length)) ?? [])] : [name],
  )
  const targets =
    'destinationFields' in config
      ? config.destinationFields
      : 'destinationField' in config && type !== 'find-replace'
        ? [config.destinationField]
        : []
  for (const key of targets) sources.set(key, new Set([...(sources.get(key) ?? []), ...found]))
}

const createCounts = (destinationField: string, sourceFields: string[]): ColumnCounts => ({
  ...{ sourceFields, destinationField, converted: 0, unchanged: 0, unreadable: 0, empty: 0 },
  examples: { converted: [], unchanged: [], unreadable: [] },
})

function countCell(
  counts: ColumnCounts,
  sources: readonly (readonly unknown[])[],
  row: number,
  { value, isReadable }: { value: unknown; isReadable: boolean },
): void {
  const outcome = classify(sources, row, value, isReadable)
  counts[outcome]++
  if (outcome === 'empty') return
  const examples = counts.examples[outcome]
  if (examples.length < MAX_EXAMPLES_PER_COLUMN) addExample(examples, sources, row, value)
}

function classify(sources: readonly (readonly unknown[])[], row: number, value: unknown, isReadable: boolean): Outcome {
  if (value === null) return sources.every((column) => isEmpty(column[row])) ? 'empty' : 'converted'
  if (!isReadable) return 'unreadable'
  return sources.some((column) => isSame(column[row], value)) ? 'unchanged' : 'converted'
}

const isSame = (before: unknown, after: unknown): boolean =>
  before === after ||
  (typeof after === 'object' ? JSON.stringify(before) === JSON.stringify(after) : before === String(after))

const MAX_EXAMPLE_CHARACTERS = 200
const MAX_EXAMPLE_ITEMS = 10

function addExample(
  examples: { before?: unknown; after?: unknown }[],
  sources: readonly (readonly unknown[])[],
  row: number,
  after: unknown,
): void {
  const values = sources.map((column) => shorten(column[row] ?? null))
  const example = { before: values.length > 1 ? values : (values[0] ?? null), after: shorten(after) }
  if (!examples.some((other) => JSON.stringify(other) === JSON.stringify(example))) examples.push(example)
}

const shorten = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, MAX_EXAMPLE_ITEMS).map(shorten)
  return typeof value === 'string' ? value.slice(0, MAX_EXAMPLE_CHARACTERS) : value
}
