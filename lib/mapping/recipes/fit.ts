/** Fits the steps of a recipe to other sheets. A step that does not fit is left out, with its problem. Pure. */
import { message } from '../../../schemas/messages/index.ts'
import type { Edge } from '../../../schemas/programs/plan.ts'
import type { Reading } from '../../../schemas/programs/readings.ts'
import type { UsedRecipe, UsedStep } from '../../../schemas/programs/recipe.ts'
import type { DuplicateSearch } from '../../../schemas/quality/shape.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import type { StoredProgram } from '../../entities/programs.ts'
import { readValue } from '../../values/read-column.ts'
import { decideReading, suggestConversion } from '../conversions.ts'
import { getSourceFields, getTargetFields, type NewRule, normalizeRule } from '../edges.ts'
import { findOrigins } from '../originals.ts'
import { DERIVED_PREFIX } from '../rules/cells.ts'
import type { Sides } from '../rules/compile.ts'
import { validateRules } from '../rules/validate.ts'
import { describeMerge, describeRule } from './describe.ts'

export type RecipeProgram = Pick<StoredProgram, 'id' | 'recipe' | 'rules' | 'merges' | 'destination'>

export interface FittedRecipe {
  rules: NewRule[]
  merges: DuplicateSearch[]
  used: UsedRecipe
  questions: Edge[]
}

export interface SourceTexts {
  columns: ReadonlyMap<string, readonly unknown[]>
  thisYear: number
}

export function fitRecipe(recipe: RecipeProgram, sides: Sides, texts: SourceTexts): FittedRecipe {
  const rules: NewRule[] = []
  const questions: Edge[] = []
  const steps = recipe.rules.map(({ type, name, config, metadata }): UsedStep => {
    const rule: NewRule = { type, name, config, ...(metadata === undefined ? {} : { metadata }) }
    const text = describeRule(rule)
    const problem = findProblem(rule, rules, recipe.destination.fields, sides)
    if (problem !== undefined) return { text, status: 'does-not-fit', problem }
    const column = findReadColumn(rule, rules, sides, texts)
    const readingProblem = column && findReadingProblem(column, texts.thisYear)
    if (column && readingProblem !== undefined) {
      const { rule: suggested, question } = suggestConversion(column.edge, column.values, texts.thisYear)
      if (suggested) rules.push(suggested)
      if (question) questions.push({ ...column.edge, metadata: { ...column.edge.metadata!, question } })
      return { text, status: 'does-not-fit', problem: readingProblem }
    }
    rules.push(rule)
    return { text, status: 'applied' }
  })
  const merges = recipe.merges ?? []
  const mergeSteps = merges.map((search): UsedStep => {
    const problem = findFieldProblem(search.fields, recipe.destination.fields, sides.destination)
    const text = describeMerge(search)
    return problem === undefined ? { text, status: 'applied' } : { text, status: 'does-not-fit', problem }
  })
  const fitting = merges.filter((_, index) => mergeSteps[index]!.status === 'applied')
  const used = { programId: recipe.id, name: recipe.recipe?.name ?? '', steps: [...steps, ...mergeSteps] }
  return { rules, merges: fitting, used, questions }
}

type AnyConfig = { sourceField?: string; sourceFields?: string[]; destinationField?: string }

function listDerivedFields({ type, config }: NewRule): string[] {
  const { sourceField, sourceFields, destinationField } = (config ?? {}) as AnyConfig
  const derived = [sourceField ?? [], sourceFields ?? []]
    .flat()
    .flatMap((name) => (name.startsWith(DERIVED_PREFIX) ? [name.slice(DERIVED_PREFIX.length)] : []))
  return type === 'find-replace' && destinationField !== undefined ? [...derived, destinationField] : derived
}

const listOutputs = (rule: NewRule): string[] => [...new Set([...getTargetFields([rule]), ...listDerivedFields(rule)])]

function findProblem(
  rule: NewRule,
  earlierRules: readonly NewRule[],
  fieldsBefore: readonly Field[],
  sides: Sides,
): string | undefined {
  const columns = new Set(sides.source.map(({ key }) => key))
  const column = [...getSourceFields([normalizeRule(rule)])].find((key) => !columns.has(key))
  if (column !== undefined) return message('recipes.noColumn', { column })
  const outputs = listOutputs(rule)
  const fieldProblem = findFieldProblem(outputs, fieldsBefore, sides.destination)
  if (fieldProblem !== undefined) return fieldProblem
  const filled = getTargetFields(earlierRules)
  const missing = listDerivedFields(rule).find((key) => !filled.has(key))
  if (missing !== undefined) return message('recipes.notFilled', { field: missing })
  const [problem] = validateRules([rule], sides, '').problems
  return problem && message('recipes.invalid', { problem: problem.message })
}

function findFieldProblem(
  keys: readonly string[],
  before: readonly Field[],
  destination: readonly Field[],
): string | undefined {
  for (const key of keys) {
    const current = destination.find((field) => field.key === key)
    if (!current) return message('recipes.noField', { field: key })
    const typeBefore = before.find((field) => field.key === key)?.type ?? current.type
    if (typeBefore !== current.type)
      return message('recipes.otherType', { field: key, type: current.type, before: typeBefore })
  }
  return undefined
}

interface ReadColumn {
  reading: Reading
  edge: Edge
  values: readonly unknown[]
}

function findReadColumn(
  rule: NewRule,
  earlierRules: readonly NewRule[],
  sides: Sides,
  { columns }: SourceTexts,
): ReadColumn | undefined {
  if (rule.type !== 'read') return undefined
  const { rules } = validateRules([...earlierRules, rule], sides)
  const { destinationField, reading } = rule.config as { destinationField: string; reading: Reading }
  const source = findOrigins(rules).get(destinationField)
  const sourceField = sides.source.find(({ key }) => key === source)
  const field = sides.destination.find(({ key }) => key === destinationField)
  const values = source === undefined ? undefined : columns.get(source)
  if (!sourceField || !field || !values) return undefined
  const metadata = { certainty: 'absolute' as const, confidence: 1, source: 'recipe' }
  const edge: Edge = {
    sourceField,
    destinationField: field,
    preview: undefined,
    enumDetails: undefined,
    metadata: { ...metadata, detectedDelimiter: undefined },
  }
  return { reading, edge, values }
}

function findReadingProblem({ reading, edge, values }: ReadColumn, thisYear: number): string | undefined {
  const texts = values.filter((value): value is string => typeof value === 'string' && value.trim() !== '')
  const unread = texts.filter((text) => 'problem' in readValue(reading, text))
  if (unread.length === 0) return undefined
  const own = decideReading(edge.destinationField as unknown as Field, values, thisYear)?.reading
  const example =
    own && differsInForm(own, reading) ? unread.find((text) => 'value' in readValue(own, text)) : undefined
  if (example !== undefined) return message('recipes.otherWay', { example })
  const read = texts.length - unread.length
  return read < unread.length ? message('recipes.readsTooFew', { read, total: texts.length }) : undefined
}

/** Whether both readings decide the same question differently: then texts that both read have two meanings. */
function differsInForm(one: Reading, other: Reading): boolean {
  if (one.type === 'number' && other.type === 'number')
    return one.decimalMark !== undefined && other.decimalMark !== undefined && one.decimalMark !== other.decimalMark
  if (one.type !== 'date' || other.type !== 'date') return false
  return Object.entries(one.orders ?? {}).some(([mark, order]) => {
    const otherOrder = other.orders?.[mark as keyof typeof other.orders]
    return otherOrder !== undefined && otherOrder !== order
  })
}
