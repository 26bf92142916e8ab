/** Parses and validates mapping rules; reports every problem. Pure. */
import type { Problem } from '../../../schemas/kit/error-codes.ts'
import { message } from '../../../schemas/messages/index.ts'
import type { LeaveOut } from '../../../schemas/programs/other-lines.ts'
import {
  MAX_RULES_PER_PROGRAM,
  MAX_SUBPROGRAM_DEPTH,
  PLAIN_RULES,
  type PlainRule,
  type PlainType,
  type Rule,
  Subprogram,
} from '../../../schemas/programs/rules.ts'
import type { Field } from '../../../schemas/sheets/fields.ts'
import { ApiError } from '../../core/errors.ts'
import { compileEdit } from '../../quality/edits.ts'
import { EquationError, parseEquation } from './arithmetic.ts'
import { DERIVED_PREFIX } from './cells.ts'
import type { Sides } from './compile.ts'
import { findFormatProblem } from './dates.ts'
import { compileFilter, FilterError } from './filter.ts'
import { countGroups, PatternError } from './pattern.ts'

export const RULE_TYPES: readonly string[] = [...Object.keys(PLAIN_RULES), 'subprogram'].sort()

/** No field type holds records, and the syntax trees of `ast` have no published language. */
const UNSUPPORTED_TYPES: { readonly [type: string]: string } = {
  nest: message('mappings.nestNotSupported'),
  ast: message('mappings.astNotSupported'),
}

export interface ValidatedRules {
  rules: Rule[]
  problems: Problem[]
}

interface ValidationContext extends Sides {
  problems: Problem[]
  count: number
}

/** A rule's config may be next to its `type` (subprograms, jobs). `keyPrefix` is the list's path in problems' keys. */
export function validateRules(input: readonly unknown[], sides: Sides, keyPrefix = 'rules'): ValidatedRules {
  const context: ValidationContext = { ...sides, problems: [], count: 0 }
  const rules = parseRules(input, keyPrefix, 0, context)
  if (context.count > MAX_RULES_PER_PROGRAM)
    context.problems.unshift({
      key: keyPrefix,
      message: message('mappings.tooManyRules', { count: context.count, limit: MAX_RULES_PER_PROGRAM }),
    })
  return { rules, problems: context.problems }
}

const parseRules = (input: readonly unknown[], keyPrefix: string, depth: number, context: ValidationContext): Rule[] =>
  input.flatMap(
    (item, index) => parseRule(item, keyPrefix === '' ? String(index) : `${keyPrefix}.${index}`, depth, context) ?? [],
  )

function parseRule(input: unknown, keyPrefix: string, depth: number, context: ValidationContext): Rule | undefined {
  context.count++
  const report = (key: string, problem: string) =>
    void context.problems.push({ key: key ? `${keyPrefix}.${key}` : keyPrefix, message: problem })
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return report('', message('mappings.notARule', { example: '{type, config}' }))
  const {
    type,
    config: explicitConfig,
    ...inlineConfig
  } = input as { type?: unknown; config?: unknown; [key: string]: unknown }
  const configKey = explicitConfig === undefined || explicitConfig === null ? '' : 'config'
  const config = explicitConfig ?? inlineConfig
  if (type === 'subprogram') return parseSubprogram(config, configKey, keyPrefix, depth, context)
  if (typeof type === 'string' && Object.hasOwn(UNSUPPORTED_TYPES, type))
    return report('type', UNSUPPORTED_TYPES[type]!)
  if (typeof type !== 'string' || !Object.hasOwn(PLAIN_RULES, type))
    return report('type', message('mappings.unknownRuleType', { types: RULE_TYPES.join(', ') }))
  const result = PLAIN_RULES[type as PlainType].safeParse(config)
  if (!result.success) {
    for (const issue of result.error.issues)
      report([configKey, ...issue.path].filter(isNotEmpty).join('.'), issue.message)
    return undefined
  }
  if (type === 'leave-out' && depth > 0) return report('type', message('mappings.onlyAtTopLevel'))
  const rule = { type, config: result.data } as PlainRule
  const problems = findProblems(rule, context)
  for (const problem of problems) report([configKey, problem.key].filter(isNotEmpty).join('.'), problem.message)
  return problems.length === 0 ? rule : undefined
}

const isNotEmpty = (part: PropertyKey): boolean => part !== ''

function parseSubprogram(
  config: unknown,
  configKey: string,
  keyPrefix: string,
  depth: number,
  context: ValidationContext,
): Rule | undefined {
  const path = configKey ? `${keyPrefix}.${configKey}` : keyPrefix
  const result = Subprogram.safeParse(config)
  if (!result.success) {
    for (const issue of result.error.issues)
      context.problems.push({ key: [path, ...issue.path].join('.'), message: issue.message })
    return undefined
  }
  if (depth >= MAX_SUBPROGRAM_DEPTH) {
    context.problems.push({ key: path, message: message('mappings.nestedTooDeep', { count: MAX_SUBPROGRAM_DEPTH }) })
    return undefined
  }
  const { rules: input, filter } = result.data
  const problemCount = context.problems.length
  if (filter !== undefined) context.problems.push(...findFilterProblems(filter, context, `${path}.filter`))
  const rules = parseRules(input, `${path}.rules`, depth + 1, context)
  return context.problems.length === problemCount ? { type: 'subprogram', config: { rules, filter } } : undefined
}

function findProblems(rule: PlainRule, sides: Sides): Problem[] {
  const { config } = rule
  const problems = [
    ...findSourceProblems(config, sides.source, sides.destination),
    ...findTargetProblems(config, sides.destination),
  ]
  if ('filter' in config && config.filter !== undefined)
    problems.push(...findFilterProblems(config.filter, sides, 'filter'))
  return [...problems, ...findTypeProblems(rule, sides)]
}

type Config = PlainRule['config']

function findSourceProblems(config: Config, source: readonly Field[], destination: readonly Field[]): Problem[] {
  const references: [key: string, name: string][] = []
  if ('sourceField' in config) references.push(['sourceField', config.sourceField])
  if ('sourceFields' in config)
    references.push(...config.sourceFields.map((name, i): [string, string] => [`sourceFields.${i}`, name]))
  return references.flatMap(([key, name]) => {
    const isDerived = name.startsWith(DERIVED_PREFIX)
    const fieldKey = isDerived ? name.slice(DERIVED_PREFIX.length) : name
    if ((isDerived ? destination : source).some((field) => field.key === fieldKey)) return []
    const messageKey = isDerived ? 'mappings.unknownDestinationField' : 'mappings.unknownSourceField'
    return [{ key, message: message(messageKey, { field: fieldKey }) }]
  })
}

function findTargetProblems(config: Config, destination: readonly Field[]): Problem[] {
  const references: [key: string, name: string][] = []
  if ('destinationField' in config) references.push(['destinationField', config.destinationField])
  if ('destinationFields' in config)
    references.push(...config.destinationFields.map((name, i): [string, string] => [`destinationFields.${i}`, name]))
  return references.flatMap(([key, name], index) => {
    if (!destination.some((field) => field.key === name))
      return [{ key, message: message('mappings.unknownDestinationField', { field: name }) }]
    const isDuplicate = references.findIndex(([, other]) => other === name) < index
    return isDuplicate ? [{ key, message: message('mappings.ruleFillsField', { field: name }) }] : []
  })
}

function findFilterProblems(filter: string, { source }: Sides, key: string): Problem[] {
  try {
    compileFilter(filter, source)
    return []
  } catch (error) {
    if (error instanceof ApiError) return error.problems.map((problem) => ({ ...problem, key }))
    if (error instanceof FilterError) return [{ key, message: error.message }]
    throw error
  }
}

function findTypeProblems(rule: PlainRule, { source, destination }: Sides): Problem[] {
  switch (rule.type) {
    case 'leave-out':
      return findColumnProblems(rule.config, source)
    case 'edit':
      return findEditProblems(rule.config, destination)
    case 'arithmetic':
      return findEquationProblems(rule.config.equation, rule.config.sourceFields)
    case 'regex-extract':
      return findPatternProblems(rule.config.regex, rule.config.destinationFields.length)
    case 'interpolate':
      return findTemplateProblems(rule.config.template, rule.config.sourceFields.length)
    case 'date':
      return findDateProblems(rule.config)
    default:
      return []
  }
}

function findColumnProblems(config: LeaveOut, source: readonly Field[]): Problem[] {
  const known = new Set(source.map(({ key }) => key))
  const { leaveOut: _, ...lists } = config
  return Object.entries(lists).flatMap(([list, keys]) =>
    keys.flatMap((field, index) =>
      known.has(field) ? [] : [{ key: `${list}.${index}`, message: message('mappings.unknownSourceField', { field }) }],
    ),
  )
}

function findEditProblems(
  { edit, destinationField }: Extract<PlainRule, { type: 'edit' }>['config'],
  fields: readonly Field[],
): Problem[] {
  if (!fields.some(({ key }) => key === destinationField)) return []
  try {
    compileEdit({ sheetId: '', fields }, { ...edit, fieldKey: destinationField }, 'edit.')
    return []
  } catch (error) {
    if (error instanceof ApiError) return error.problems
    throw error
  }
}

function findEquationProblems(equation: string, fields: readonly string[]): Problem[] {
  try {
    parseEquation(equation, fields)
    return []
  } catch (error) {
    if (!(error instanceof EquationError)) throw error
    return [{ key: 'equation', message: error.message }]
  }
}

function findPatternProblems(regex: string, fields: number): Problem[] {
  try {
    const groups = Math.max(1, countGroups(regex))
    return groups >= fields
      ? []
      : [{ key: 'destinationFields', message: message('mappings.tooFewGroups', { fields, count: groups }) }]
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return [{ key: 'regex', message: error.message }]
  }
}

const findTemplateProblems = (template: string, fields: number): Problem[] =>
  [...template.matchAll(/\{(\d+)\}/g)]
    .filter(([, index]) => Number(index) >= fields)
    .map(([placeholder]) => ({
      key: 'template',
      message: message('mappings.unknownPlaceholder', { placeholder, count: fields, first: '{0}' }),
    }))

function findDateProblems(config: Extract<PlainRule, { type: 'date' }>['config']): Problem[] {
  const formats: [string, string][] = (config.formats ?? []).map((format, index) => [`formats.${index}`, format])
  if (config.format !== undefined) formats.unshift(['format', config.format])
  if (formats.length === 0) return [{ key: 'format', message: message('mappings.formatRequired') }]
  return formats.flatMap(([key, format]) => {
    const problem = findFormatProblem(format)
    return problem === undefined ? [] : [{ key, message: problem }]
  })
}
