/** Finds what is wrong with the rules of a sheet, beyond their shapes: patterns, bounds, queries and fields. */
import type * as z from 'zod'
import { message } from '../../../schemas/messages/index.ts'
import {
  FieldRule,
  MAX_PATTERN_STEPS,
  MAX_RULES_PER_SHEET,
  type PossibleRule,
  SheetRule,
  toRule,
} from '../../../schemas/sheets/rules.ts'
import { ApiError } from '../../core/errors.ts'
import type { Field, SheetRef } from '../sheet.ts'
import { compilePattern, findCountry, loadEngines } from './engines.ts'
import { parseQuery } from './ffql/parser.ts'
import { findConditionProblem } from './ffql/row-condition.ts'
import { isRuleOverFields } from './value-rules.ts'
import { createValueCheck } from './values.ts'

export interface RuleProblem {
  path: (string | number)[]
  message: string
}

type Configured = Pick<SheetRef, 'fields' | 'constraints'>

type Path = (string | number)[]

export async function findRuleProblems(sheet: Configured): Promise<RuleProblem[]> {
  const fieldRules = sheet.fields.flatMap((field, index) =>
    (field.constraints ?? []).flatMap((constraint, number) =>
      parseRule(FieldRule, constraint, ['fields', index, 'constraints', number], field),
    ),
  )
  const sheetRules = (sheet.constraints ?? []).flatMap((constraint, number) =>
    parseRule(SheetRule, constraint, ['constraints', number], undefined),
  )
  const types = new Set<string | undefined>(fieldRules.map(({ rule }) => rule?.type))
  await loadEngines(
    new Set([
      ...(types.has('pattern') ? (['patterns'] as const) : []),
      ...(types.has('phone') ? (['phones'] as const) : []),
    ]),
  )
  const overFields = fieldRules.filter(({ rule }) => rule && isRuleOverFields(rule))
  return [
    ...fieldRules.flatMap(({ rule, field, path, problems }) =>
      rule ? within([...path, 'config'], findFieldRuleProblems(sheet, field, rule)) : problems,
    ),
    ...sheetRules.flatMap(({ rule, path, problems }) =>
      rule ? within([...path, 'config'], findSheetRuleProblems(sheet, rule)) : problems,
    ),
    ...findCountProblems(overFields.length + sheetRules.length),
  ]
}

const within = (path: Path, problems: RuleProblem[]): RuleProblem[] =>
  problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }))

/** The request's schema does not check rules written as external constraints. */
function parseRule<R, F>(
  schema: z.ZodType<R>,
  constraint: PossibleRule,
  path: Path,
  field: F,
): { rule: R | undefined; problems: RuleProblem[]; path: Path; field: F }[] {
  const candidate = toRule(constraint)
  if (!candidate) return []
  const { data, error } = schema.safeParse(candidate)
  const problems = (error?.issues ?? []).map((issue) => ({
    path: issue.path.map((part) => (part === 'type' ? 'validator' : typeof part === 'number' ? part : String(part))),
    message: issue.message,
  }))
  return [{ rule: data, problems: within(path, problems), path, field }]
}

function findCountProblems(current: number): RuleProblem[] {
  if (current <= MAX_RULES_PER_SHEET) return []
  return [{ path: ['constraints'], message: message('records.tooManyRules', { count: MAX_RULES_PER_SHEET, current }) }]
}

function findFieldRuleProblems(sheet: Configured, field: Field, rule: FieldRule): RuleProblem[] {
  switch (rule.type) {
    case 'pattern':
      return findPatternProblems(rule.config.pattern, rule.config.ignoreCase === true)
    case 'length':
      return findBoundProblems(['min', 'max'], rule.config.min, rule.config.max)
    case 'range':
      return findRangeProblems(field, rule.config)
    case 'phone':
      return findPhoneProblems(sheet, field, rule.config ?? {})
    default:
      return []
  }
}

function findPatternProblems(pattern: string, ignoreCase: boolean): RuleProblem[] {
  const build = (text: string): RuleProblem[] => [{ path: ['pattern'], message: text }]
  try {
    const { steps } = compilePattern(pattern, ignoreCase)
    if (steps <= MAX_PATTERN_STEPS) return []
    return build(message('records.patternTooComplex', { size: steps, count: MAX_PATTERN_STEPS }))
  } catch (error) {
    return build(message('records.invalidPattern', { reason: (error as Error).message }))
  }
}

type Bound = number | string | null | undefined

function findBoundProblems(
  names: readonly string[],
  lower: Bound,
  upper: Bound,
  isExclusive: boolean = false,
): RuleProblem[] {
  if (lower == null && upper == null)
    return [{ path: [], message: message('records.boundMissing', { names: names.join(', ') }) }]
  if (lower == null || upper == null || lower < upper || (lower === upper && !isExclusive)) return []
  return [{ path: [], message: message('records.boundsEmpty') }]
}

const BOUND_NAMES = ['gte', 'gt', 'lte', 'lt'] as const

function findRangeProblems(
  field: Field,
  config: { readonly [name in (typeof BOUND_NAMES)[number]]?: Bound },
): RuleProblem[] {
  const { type } = field
  if (type !== 'number' && type !== 'date') return [{ path: [], message: message('records.rangeOfText') }]
  const isDate = createValueCheck({ key: field.key, type: 'date' })
  const isBound = (bound: Bound): boolean =>
    type === 'number' ? typeof bound === 'number' : isDate(bound) === undefined
  const invalid = BOUND_NAMES.filter((name) => config[name] != null && !isBound(config[name]))
  if (invalid.length) {
    const text = message(type === 'number' ? 'records.boundNotNumber' : 'records.boundNotDate')
    return invalid.map((name) => ({ path: [name], message: text }))
  }
  const { gte, gt, lte, lt } = config
  const buildTwice = (first: string, second: string): RuleProblem => ({
    path: [second],
    message: message('records.boundTwice', { first, second }),
  })
  const twice = [
    ...(gte != null && gt != null ? [buildTwice('gte', 'gt')] : []),
    ...(lte != null && lt != null ? [buildTwice('lte', 'lt')] : []),
  ]
  return twice.length ? twice : findBoundProblems(BOUND_NAMES, gte ?? gt, lte ?? lt, gt != null || lt != null)
}

function findPhoneProblems(
  sheet: Configured,
  field: Field,
  { country, countryField }: { country?: string | null; countryField?: string | null },
): RuleProblem[] {
  if (country != null && countryField != null)
    return [{ path: ['countryField'], message: message('records.countryTwice') }]
  if (country != null && !findCountry(country))
    return [{ path: ['country'], message: message('records.unknownCountry', { country }) }]
  return countryField == null ? [] : findFieldProblems(sheet, ['countryField'], countryField, field.key)
}

function findSheetRuleProblems(sheet: Configured, rule: SheetRule): RuleProblem[] {
  switch (rule.type) {
    case 'required-with': {
      const { field, with: others } = rule.config
      return [
        ...findFieldProblems(sheet, ['field'], field),
        ...others.flatMap((other, index) => findFieldProblems(sheet, ['with', index], other, field)),
      ]
    }
    case 'required-if':
      return [
        ...findFieldProblems(sheet, ['field'], rule.config.field),
        ...findConditionProblems(sheet, rule.config.when),
      ]
    case 'compare':
      return findComparisonProblems(sheet, rule.config)
    case 'rule': {
      const { field, when } = rule.config
      return [
        ...(field == null ? [] : findFieldProblems(sheet, ['field'], field)),
        ...findConditionProblems(sheet, when),
      ]
    }
  }
}

const findField = ({ fields }: Configured, key: string): Field | undefined => fields.find((field) => field.key === key)

/** @param owner the field whose rule names this one */
function findFieldProblems(sheet: Configured, path: (string | number)[], key: string, owner?: string): RuleProblem[] {
  if (key === owner) return [{ path, message: message('records.ruleOfItself', { field: key }) }]
  return findField(sheet, key) ? [] : [{ path, message: message('records.noField', { field: key }) }]
}

function findComparisonProblems(sheet: Configured, { field, other }: { field: string; other: string }): RuleProblem[] {
  const missing = [...findFieldProblems(sheet, ['field'], field), ...findFieldProblems(sheet, ['other'], other, field)]
  const [left, right] = [findField(sheet, field), findField(sheet, other)]
  if (missing.length || !left || !right) return missing
  const list = [left, right].find(containsLists)
  if (list) return [{ path: [], message: message('records.listNotComparable', { field: list.key }) }]
  if (getOrderType(left) === getOrderType(right)) return []
  const types = { field, type: left.type, other, otherType: right.type }
  return [{ path: [], message: message('records.notComparable', types) }]
}

const containsLists = ({ type, isArray, multi }: Field): boolean =>
  type.endsWith('-list') || isArray === true || multi === true

const getOrderType = ({ type }: Field): string => (type === 'number' || type === 'date' ? type : 'text')

function findConditionProblems({ fields }: Configured, when: string): RuleProblem[] {
  const build = (text: string): RuleProblem[] => [{ path: ['when'], message: text }]
  try {
    const problem = findConditionProblem(
      parseQuery(
        when,
        fields.map(({ key, label }) => ({ key, label: label ?? undefined })),
      ),
    )
    if (!problem) return []
    if (problem.kind === 'noField') return build(message('records.conditionWithoutField'))
    return build(message('records.conditionOfState', { state: problem.state }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return build(message('records.invalidCondition', { problem: error.message }))
  }
}
