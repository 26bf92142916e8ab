/** Suggests edits that fix the errors of a group. A suggestion has to make an example of the group valid. */
import { MAX_REPLACEMENTS_PER_EDIT } from '../../schemas/quality/limits.ts'
import type { Edit, ErrorGroup } from '../../schemas/quality/shape.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { suggestValues } from '../mapping/enums.ts'
import { detectDelimiter, isListField } from '../mapping/lists.ts'
import { type DistinctColumn, evaluateCell, readDistinctColumns, type SheetRef } from '../records/index.ts'
import { gatherColumn } from '../values/read-column.ts'
import { compileEdit } from './edits.ts'
import { toPattern } from './patterns.ts'

type TypedSheet = Omit<SheetRef, 'fields'> & { fields: readonly Field[] }
type Suggestion = Pick<ErrorGroup, 'fix' | 'question'>
type Suggest = (group: ErrorGroup) => Suggestion

/** Only the value decides about errors of these sources. */
const FIXABLE_SOURCES = new Set(['is-artifact', 'invalid-option'])

const isFixable = ({ source, pattern }: ErrorGroup): boolean => FIXABLE_SOURCES.has(source) && pattern !== null

/** Readings are decided by all values of a field, not only by those of the group. */
export async function addFixes(
  ref: TypedSheet,
  groups: readonly ErrorGroup[],
  { thisYear, asOf }: { thisYear: number; asOf?: string | undefined },
): Promise<ErrorGroup[]> {
  const fields = new Set(groups.filter(isFixable).map(({ fieldKey }) => fieldKey))
  if (fields.size === 0) return [...groups]
  const { columns } = await readDistinctColumns(ref, { fields: [...fields], ...(asOf ? { asOf } : {}) })
  const suggestions = new Map(columns.map((column) => [column.field, createSuggester(ref, column, thisYear)]))
  return groups.map((group) =>
    isFixable(group) ? { ...group, ...suggestions.get(group.fieldKey)!(group) } : { ...group },
  )
}

function createSuggester(ref: TypedSheet, column: DistinctColumn, thisYear: number): Suggest {
  const field = ref.fields.find(({ key }) => key === column.field)!
  if (isListField(field)) return createSplitter(ref, column)
  if (field.type === 'enum')
    return (group) => keepWorking(ref, group, suggestOptions(field, listWrongValues(ref, column, group)))
  return createReader(ref, field, column, thisYear)
}

function createSplitter(ref: SheetRef, column: DistinctColumn): Suggest {
  const texts: string[] = []
  for (const { value } of column.values()) {
    if (typeof value === 'string') texts.push(value)
    if (texts.length >= MAX_REPLACEMENTS_PER_EDIT) break
  }
  const separator = detectDelimiter(texts) ?? ';'
  return (group) => keepWorking(ref, group, { type: 'split', ...locate(group), separator })
}

function createReader(ref: SheetRef, field: Field, column: DistinctColumn, thisYear: number): Suggest {
  const evidence = gatherColumn(field)
  if (!evidence) return () => ({})
  for (const { value } of column.values())
    if (typeof value !== 'object') evidence.add(String(value))
    else if (value === null) evidence.add(null)
  const { reading, question } = evidence.decide(thisYear)
  return (group) => {
    const toEdit = (chosen: typeof reading): Edit => ({ type: 'read', ...locate(group), reading: chosen })
    const alternatives = (question?.alternatives ?? []).map(toEdit)
    const results = [toEdit(reading), ...alternatives].map((edit) => JSON.stringify(applyToExamples(ref, group, edit)))
    if (!question || new Set(results).size === 1) return keepWorking(ref, group, toEdit(reading))
    return { question: { ...question, alternatives } }
  }
}

const locate = ({ fieldKey, pattern }: ErrorGroup) => ({ fieldKey, pattern: pattern! })

function suggestOptions(field: Field, values: readonly (string | number | boolean)[]): Edit | undefined {
  const replacements = (suggestValues(values, field)?.mapping ?? []).flatMap(
    ({ sourceValue: from, destinationValue: to }) => (from === undefined || to === undefined ? [] : [{ from, to }]),
  )
  return replacements.length > 0 ? { type: 'replace', fieldKey: field.key, replacements } : undefined
}

/** The most frequent ones first. */
function listWrongValues(ref: SheetRef, column: DistinctColumn, group: ErrorGroup): (string | number | boolean)[] {
  const found: { value: string | number | boolean; count: number }[] = []
  for (const { value, count } of column.values())
    if (isScalar(value) && toPattern(value) === group.pattern && !evaluateCell(ref, column.field, value)!.valid)
      found.push({ value, count })
  return found
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_REPLACEMENTS_PER_EDIT)
    .map(({ value }) => value)
}

const isScalar = (value: unknown): value is string | number | boolean => value !== null && typeof value !== 'object'

function applyToExamples(ref: SheetRef, { examples }: ErrorGroup, edit: Edit): unknown[] {
  const change = compileEdit(ref, edit)
  return examples.map(({ value }) => change(value))
}

const keepWorking = (ref: SheetRef, group: ErrorGroup, fix: Edit | undefined): Suggestion =>
  fix && (fix.type === 'replace' || applyToExamples(ref, group, fix).some((value) => value !== undefined))
    ? { fix }
    : {}
