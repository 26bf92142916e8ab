/** Reads rules as clients tell them, and finds all that is wrong with them at once. Pure. */
import type { Problem } from '../../../schemas/errors.ts'
import type { Field } from '../../../schemas/fields.ts'
import {
  PLAIN_RULES,
  type PlainRule,
  type PlainType,
  RULE_DEPTH,
  RULES_PER_PROGRAM,
  type Rule,
  Subprogram,
} from '../../../schemas/mapping-rule.ts'
import { ApiError } from '../../core/errors.ts'
import { EquationError, equationOf } from './arithmetic.ts'
import { MADE } from './cells.ts'
import type { Sides } from './compile.ts'
import { formatProblem } from './dates.ts'
import { FilterError, filterOf } from './filter.ts'
import { groupsOf, PatternError } from './pattern.ts'

export const RULE_TYPES: readonly string[] = [...Object.keys(PLAIN_RULES), 'subprogram'].sort()

/** Public types that are of no use here: no field of the nine types holds records, and a tree of code has no language. */
const REFUSED: { readonly [type: string]: string } = {
  nest: 'nest makes records inside of cells, which a sheet cannot hold: use array, or a sheet of their own',
  ast: 'ast is a tree of code in no published language: use arithmetic, interpolate, or a job workbook:mutate-records',
}

export interface Checked {
  /** Those without a problem. */
  rules: Rule[]
  problems: Problem[]
}

interface Check extends Sides {
  problems: Problem[]
  count: number
}

/**
 * @param told each with `type` and `config`; inside subprograms and in jobs the members may also stand beside `type`
 * @param at the path of the list, for the problems' keys
 */
export function checkRules(told: readonly unknown[], sides: Sides, at = 'rules'): Checked {
  const check: Check = { ...sides, problems: [], count: 0 }
  const rules = rulesIn(told, at, 0, check)
  if (check.count > RULES_PER_PROGRAM)
    check.problems.unshift({ key: at, message: `has ${check.count} rules; a program has at most ${RULES_PER_PROGRAM}` })
  return { rules, problems: check.problems }
}

const rulesIn = (told: readonly unknown[], at: string, depth: number, check: Check): Rule[] =>
  told.flatMap((one, index) => ruleIn(one, at === '' ? String(index) : `${at}.${index}`, depth, check) ?? [])

function ruleIn(told: unknown, at: string, depth: number, check: Check): Rule | undefined {
  check.count++
  const tell = (key: string, message: string) => void check.problems.push({ key: key ? `${at}.${key}` : at, message })
  if (typeof told !== 'object' || told === null || Array.isArray(told))
    return tell('', 'must be a rule: {type, config}')
  const { type, config: given, ...beside } = told as { type?: unknown; config?: unknown; [key: string]: unknown }
  const place = given === undefined || given === null ? '' : 'config'
  const config = given ?? beside
  if (type === 'subprogram') return subprogramIn(config, place, at, depth, check)
  if (typeof type === 'string' && Object.hasOwn(REFUSED, type)) return tell('type', REFUSED[type]!)
  if (typeof type !== 'string' || !Object.hasOwn(PLAIN_RULES, type))
    return tell('type', `must be one of ${RULE_TYPES.join(', ')}`)
  const result = PLAIN_RULES[type as PlainType].safeParse(config)
  if (!result.success) {
    for (const { path, message } of result.error.issues) tell([place, ...path].filter(isSaid).join('.'), message)
    return undefined
  }
  const rule = { type, config: result.data } as PlainRule
  const found = problemsOf(rule, check)
  for (const { key, message } of found) tell([place, key].filter(isSaid).join('.'), message)
  return found.length === 0 ? rule : undefined
}

const isSaid = (part: PropertyKey): boolean => part !== ''

function subprogramIn(config: unknown, place: string, at: string, depth: number, check: Check): Rule | undefined {
  const path = place ? `${at}.${place}` : at
  const result = Subprogram.safeParse(config)
  if (!result.success) {
    for (const issue of result.error.issues)
      check.problems.push({ key: [path, ...issue.path].join('.'), message: issue.message })
    return undefined
  }
  if (depth >= RULE_DEPTH) {
    check.problems.push({ key: path, message: `stands in more than ${RULE_DEPTH} subprograms` })
    return undefined
  }
  const { rules: told, filter } = result.data
  const before = check.problems.length
  if (filter !== undefined) check.problems.push(...filterProblems(filter, check, `${path}.filter`))
  const rules = rulesIn(told, `${path}.rules`, depth + 1, check)
  return check.problems.length === before ? { type: 'subprogram', config: { rules, filter } } : undefined
}

/** What the shape alone cannot tell; keys below the rule's configuration. */
function problemsOf(rule: PlainRule, sides: Sides): Problem[] {
  const { config } = rule
  const problems = [
    ...sourceProblems(config, sides.source, sides.destination),
    ...targetProblems(config, sides.destination),
  ]
  if (config.filter !== undefined) problems.push(...filterProblems(config.filter, sides, 'filter'))
  return [...problems, ...ownProblems(rule)]
}

type Config = PlainRule['config']

function sourceProblems(config: Config, source: readonly Field[], destination: readonly Field[]): Problem[] {
  const named: [key: string, name: string][] = []
  if ('sourceField' in config) named.push(['sourceField', config.sourceField])
  if ('sourceFields' in config)
    named.push(...config.sourceFields.map((name, i): [string, string] => [`sourceFields.${i}`, name]))
  return named.flatMap(([key, name]) => {
    const made = name.startsWith(MADE)
    const own = made ? name.slice(MADE.length) : name
    if ((made ? destination : source).some((field) => field.key === own)) return []
    return [{ key, message: `the ${made ? 'destination' : 'source'} has no field ${own}` }]
  })
}

function targetProblems(config: Config, destination: readonly Field[]): Problem[] {
  const named: [key: string, name: string][] = []
  if ('destinationField' in config) named.push(['destinationField', config.destinationField])
  if ('destinationFields' in config)
    named.push(...config.destinationFields.map((name, i): [string, string] => [`destinationFields.${i}`, name]))
  return named.flatMap(([key, name], index) => {
    if (!destination.some((field) => field.key === name))
      return [{ key, message: `the destination has no field ${name}` }]
    const again = named.findIndex(([, other]) => other === name) < index
    return again ? [{ key, message: `the rule fills the field ${name} already` }] : []
  })
}

function filterProblems(filter: string, { source }: Sides, key: string): Problem[] {
  try {
    filterOf(filter, source)
    return []
  } catch (error) {
    if (error instanceof ApiError) return error.problems.map(({ message }) => ({ key, message }))
    if (error instanceof FilterError) return [{ key, message: error.message }]
    throw error
  }
}

function ownProblems(rule: PlainRule): Problem[] {
  switch (rule.type) {
    case 'arithmetic':
      return equationProblems(rule.config.equation, rule.config.sourceFields)
    case 'regex-extract':
      return patternProblems(rule.config.regex, rule.config.destinationFields.length)
    case 'interpolate':
      return templateProblems(rule.config.template, rule.config.sourceFields.length)
    case 'date':
      return dateProblems(rule.config)
    default:
      return []
  }
}

function equationProblems(equation: string, fields: readonly string[]): Problem[] {
  try {
    equationOf(equation, fields)
    return []
  } catch (error) {
    if (!(error instanceof EquationError)) throw error
    return [{ key: 'equation', message: error.message }]
  }
}

function patternProblems(regex: string, fields: number): Problem[] {
  try {
    const groups = Math.max(1, groupsOf(regex))
    return groups >= fields
      ? []
      : [{ key: 'destinationFields', message: `has ${fields} fields, the pattern only ${groups} groups to fill them` }]
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return [{ key: 'regex', message: error.message }]
  }
}

const templateProblems = (template: string, fields: number): Problem[] =>
  [...template.matchAll(/\{(\d+)\}/g)]
    .filter(([, index]) => Number(index) >= fields)
    .map(([whole]) => ({ key: 'template', message: `${whole} names no source field: there are ${fields}, from {0}` }))

function dateProblems(config: Extract<PlainRule, { type: 'date' }>['config']): Problem[] {
  const formats: [string, string][] = (config.formats ?? []).map((format, index) => [`formats.${index}`, format])
  if (config.format !== undefined) formats.unshift(['format', config.format])
  if (formats.length === 0) return [{ key: 'format', message: 'is required, or formats: how the dates are written' }]
  return formats.flatMap(([key, format]) => {
    const message = formatProblem(format)
    return message === undefined ? [] : [{ key, message }]
  })
}
