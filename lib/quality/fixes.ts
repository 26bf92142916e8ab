import { MAX_LINK_TARGETS, MAX_REPLACEMENTS_PER_EDIT } from '../../schemas/quality/limits.ts'
import type { Edit, ErrorGroup } from '../../schemas/quality/shape.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { suggestValues } from '../mapping/enums.ts'
import { detectDelimiter, isListField } from '../mapping/lists.ts'
import { type DistinctColumn, evaluateCell, readDistinctColumns, type SheetRef } from '../records/index.ts'
import { gatherColumn } from '../values/read-column.ts'
import { compileEdit } from './edits.ts'
import { KEYS } from './keys.ts'
import { findLinkTarget } from './link-target.ts'
import { toPattern } from './patterns.ts'

type TypedSheet = Omit<SheetRef, 'fields'> & { fields: readonly Field[] }
type Suggestion = Pick<ErrorGroup, 'fix' | 'question'>
type Suggest = (group: ErrorGroup) => Suggestion

const FIXABLE_SOURCES = new Set(['is-artifact', 'invalid-option', 'unlinked'])

const isFixable = ({ source, pattern }: ErrorGroup): boolean => FIXABLE_SOURCES.has(source) && pattern !== null

export async function addFixes(
  ref: TypedSheet,
  groups: readonly ErrorGroup[],
  { thisYear, asOf }: { thisYear: number; asOf?: string | undefined },
): Promise<ErrorGroup[]> {
  const fixable = groups.filter(isFixable)
  const fields = new Set(fixable.map(({ fieldKey }) => fieldKey))
  if (fields.size === 0) return [...groups]
  const { columns } = await readDistinctColumns(ref, { fields: [...fields], ...(asOf ? { asOf } : {}) })
  const suggestions = new Map<string, Suggest>()
  for (const column of columns) {
    const patterns = fixable.filter(({ fieldKey }) => fieldKey === column.field).map(({ pattern }) => pattern!)
    suggestions.set(column.field, await createSuggester(ref, column, new Set(patterns), thisYear))
  }
  return groups.map((group) =>
    isFixable(group) ? { ...group, ...suggestions.get(group.fieldKey)!(group) } : { ...group },
  )
}

async function createSuggester(
  ref: TypedSheet,
  column: DistinctColumn,
  patterns: ReadonlySet<string>,
  thisYear: number,
): Promise<Suggest> {
  const field = ref.fields.find(({ key }) => key === column.field)!
  if (isListField(field)) return createSplitter(ref, column)
  if (field.type === 'reference') return createLinker(ref, field, column, patterns)
  if (field.type !== 'enum') return createReader(ref, field, column, thisYear)
  const wrongValues = groupValues(column, patterns, (value) => !evaluateCell(ref, field.key, value)!.valid)
  return (group) => keepWorking(ref, group, suggestOptions(field, wrongValues.get(group.pattern!) ?? []))
}

/** With a filter, not every value of the other sheet can be referenced by every record. */
async function createLinker(
  ref: TypedSheet,
  { key: fieldKey, config }: Extract<Field, { type: 'reference' }>,
  column: DistinctColumn,
  patterns: ReadonlySet<string>,
): Promise<Suggest> {
  const target = config.filter ? undefined : await findLinkTarget(ref, config)
  if (!target) return () => ({})
  const { columns } = await readDistinctColumns(target, { fields: [config.key] })
  if (columns[0]!.size > MAX_LINK_TARGETS) return () => ({})
  const toKey = (value: unknown): string => KEYS.fingerprint.toKey(String(value))
  const byKey = new Map<string, Scalar | undefined>()
  for (const { value } of columns[0]!.values())
    if (isScalar(value)) byKey.set(toKey(value), byKey.has(toKey(value)) ? undefined : value)
  byKey.delete('')
  const values = groupValues(column, patterns, (value) => (byKey.get(toKey(value)) ?? value) !== value)
  return (group) => {
    const replacements = (values.get(group.pattern!) ?? []).flatMap((from) => {
      const to = byKey.get(toKey(from))
      return to === undefined ? [] : [{ from, to }]
    })
    return replacements.length > 0 ? { fix: { type: 'replace', fieldKey, replacements } } : {}
  }
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

function suggestOptions(field: Field, values: readonly Scalar[]): Edit | undefined {
  const replacements = (suggestValues(values, field)?.mapping ?? []).flatMap(
    ({ sourceValue: from, destinationValue: to }) => (from === undefined || to === undefined ? [] : [{ from, to }]),
  )
  return replacements.length > 0 ? { type: 'replace', fieldKey: field.key, replacements } : undefined
}

function groupValues(
  column: DistinctColumn,
  patterns: ReadonlySet<string>,
  isWrong: (value: Scalar) => boolean,
): Map<string, Scalar[]> {
  const found = new Map<string, { value: Scalar; count: number }[]>()
  for (const { value, count } of column.values()) {
    if (!isScalar(value)) continue
    const pattern = toPattern(value)
    if (!patterns.has(pattern) || !isWrong(value)) continue
    const values = found.get(pattern) ?? []
    values.push({ value, count })
    found.set(pattern, values.length > 4 * MAX_REPLACEMENTS_PER_EDIT ? takeMostFrequent(values) : values)
  }
  return new Map([...found].map(([pattern, values]) => [pattern, takeMostFrequent(values).map(({ value }) => value)]))
}

const takeMostFrequent = <T extends { count: number }>(values: T[]): T[] =>
  values.sort((a, b) => b.count - a.count).slice(0, MAX_REPLACEMENTS_PER_EDIT)

type Scalar = string | number | boolean
const isScalar = (value: unknown): value is Scalar => value !== null && typeof value !== 'object'

function applyToExamples(ref: SheetRef, { examples }: ErrorGroup, edit: Edit): unknown[] {
  const change = compileEdit(ref, edit)
  return examples.map(({ value }) => change(value))
}

const keepWorking = (ref: SheetRef, group: ErrorGroup, fix: Edit | undefined): Suggestion =>
  fix && (fix.type === 'replace' || applyToExamples(ref, group, fix).some((value) => value !== undefined))
    ? { fix }
    : {}
