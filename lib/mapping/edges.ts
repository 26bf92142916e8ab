/** Converts a plan's edges to rules and back. Pure. */
import { isDeepStrictEqual } from 'node:util'
import {
  type Edge,
  type EnumValue,
  type Plan,
  type PlanTransform,
  TRANSFORM_TYPES,
} from '../../schemas/programs/plan.ts'
import type { MappingRule } from '../../schemas/programs/rules.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { toCertainty } from './confidence.ts'
import { DERIVED_PREFIX } from './rules/cells.ts'
import type { Sides } from './rules/compile.ts'

export type NewRule = Pick<
  MappingRule,
  'name' | 'type' | 'config' | 'acceptedAt' | 'acceptedBy' | 'metadata' | 'confidence'
>

export const LEAVE_OUT = 'leave-out'

interface AssignConfig {
  sourceField: string
  destinationField: string
  values?: { sourceValue: EnumValue; destinationValue: EnumValue }[] | undefined
  delimiter?: string | undefined
}

export function edgeToRule(edge: Edge): NewRule {
  const { sourceField, destinationField, enumDetails, metadata } = edge
  const values = (enumDetails?.mapping ?? []).flatMap(({ sourceValue, destinationValue }) =>
    sourceValue === undefined || destinationValue === undefined ? [] : [{ sourceValue, destinationValue }],
  )
  const config: AssignConfig = {
    sourceField: sourceField.key,
    destinationField: destinationField.key,
    ...(values.length > 0 ? { values } : {}),
    ...(metadata?.detectedDelimiter === undefined ? {} : { delimiter: metadata.detectedDelimiter }),
  }
  return {
    name: `${sourceField.key} to ${destinationField.key}`.slice(0, 500),
    type: 'assign',
    config,
    ...(metadata?.confidence === undefined ? {} : { confidence: metadata.confidence }),
    ...(metadata?.source === undefined ? {} : { metadata: { source: metadata.source } }),
  }
}

type AnyRule = Pick<MappingRule, 'type' | 'config' | 'deletedAt'>
type Config = Record<string, unknown>

const getConfig = (rule: AnyRule): Config => (rule.config ?? {}) as Config

export function getAssignConfig(rule: AnyRule): AssignConfig | undefined {
  const config = getConfig(rule)
  if (rule.type !== 'assign' || (config.filter ?? undefined) !== undefined) return undefined
  if (typeof config.sourceField !== 'string' || typeof config.destinationField !== 'string') return undefined
  return config.sourceField.startsWith(DERIVED_PREFIX) ? undefined : (config as unknown as AssignConfig)
}

export const PLAN_SOURCE = 'plan'

export const isPlanRule = ({ metadata }: Pick<NewRule, 'metadata'>): boolean =>
  (metadata as { source?: unknown } | null | undefined)?.source === PLAN_SOURCE

export const isConversion = (rule: AnyRule): boolean => {
  const { sourceField, destinationField } = getConfig(rule)
  return typeof destinationField === 'string' && sourceField === `${DERIVED_PREFIX}${destinationField}`
}

export function getTargetFields(rules: readonly AnyRule[]): Set<string> {
  const filled = new Set<string>()
  for (const rule of rules) {
    const { destinationField, destinationFields, rules: nestedRules } = getConfig(rule)
    if (rule.type === 'delete' || rule.type === 'find-replace' || isConversion(rule)) continue
    if (typeof destinationField === 'string') filled.add(destinationField)
    if (Array.isArray(destinationFields)) for (const key of destinationFields) filled.add(String(key))
    if (Array.isArray(nestedRules)) for (const key of getTargetFields(nestedRules.map(normalizeRule))) filled.add(key)
  }
  return filled
}

export function getSourceFields(rules: readonly AnyRule[]): Set<string> {
  const used = new Set<string>()
  for (const rule of rules) {
    const { sourceField, sourceFields, rules: nestedRules } = getConfig(rule)
    for (const name of [sourceField, sourceFields].flat())
      if (typeof name === 'string' && !name.startsWith(DERIVED_PREFIX)) used.add(name)
    if (Array.isArray(nestedRules)) for (const key of getSourceFields(nestedRules.map(normalizeRule))) used.add(key)
  }
  return used
}

export const normalizeRule = (input: unknown): AnyRule => {
  const { type, config, ...inlineConfig } = input as { type: string; config?: unknown }
  return { type, config: config ?? inlineConfig }
}

export const buildPairKey = ({ sourceField, destinationField }: AssignConfig): string =>
  JSON.stringify([sourceField, destinationField])
export const buildEdgeKey = ({ sourceField, destinationField }: Edge): string =>
  JSON.stringify([sourceField.key, destinationField.key])

export function applyRulesToPlan(plan: Plan, rules: readonly NewRule[], sides: Sides): Plan {
  const existing = new Map(plan.fieldMapping.map((edge) => [buildEdgeKey(edge), edge]))
  const fieldMapping = rules.flatMap((rule) => {
    const config = getAssignConfig(rule)
    return config ? (buildEdge(config, rule, existing.get(buildPairKey(config)), sides) ?? []) : []
  })
  const withQuestions = keepLastPerField(fieldMapping).map((edge) => dropSettledQuestion(edge, rules))
  const transforms = listTransforms(rules)
  return {
    ...plan,
    ...getUnmappedFields(rules, sides, plan),
    fieldMapping: withQuestions,
    transforms: transforms.length > 0 ? transforms : undefined,
    otherLines: applyLeaveOut(plan.otherLines, rules),
  }
}

export const isTransform = (rule: NewRule): boolean =>
  isPlanRule(rule) && (TRANSFORM_TYPES as readonly string[]).includes(rule.type)

const listTransforms = (rules: readonly NewRule[]): PlanTransform[] =>
  rules.filter(isTransform).map(({ type, config }) => ({ type, config }) as PlanTransform)

function applyLeaveOut(otherLines: Plan['otherLines'], rules: readonly NewRule[]): Plan['otherLines'] {
  const rule = rules.find(({ type }) => type === LEAVE_OUT)
  return rule && otherLines ? { ...otherLines, leaveOut: getConfig(rule).leaveOut !== false } : undefined
}

export const setLeaveOut = <R extends NewRule>(rules: readonly R[], leaveOut: boolean): R[] =>
  rules.map((rule) => (rule.type === LEAVE_OUT ? { ...rule, config: { ...getConfig(rule), leaveOut } } : rule))

function dropSettledQuestion(edge: Edge, rules: readonly NewRule[]): Edge {
  const { metadata } = edge
  const question = metadata?.question
  if (!question) return edge
  const isSettled = rules.some(
    (rule) =>
      rule.type === 'read' &&
      getConfig(rule).destinationField === edge.destinationField.key &&
      question.alternatives.some((alternative) => isDeepStrictEqual(alternative, getConfig(rule).reading)),
  )
  return isSettled ? { ...edge, metadata: { ...metadata, question: undefined } } : edge
}

const keepLastPerField = (edges: readonly Edge[]): Edge[] => [
  ...new Map(edges.map((edge) => [edge.destinationField.key, edge])).values(),
]

const findField = (fields: readonly Field[], key: string) => fields.find((field) => field.key === key)

function buildEdge(config: AssignConfig, rule: NewRule, existing: Edge | undefined, sides: Sides): Edge | undefined {
  const sourceField = existing?.sourceField ?? findField(sides.source, config.sourceField)
  const destinationField = existing?.destinationField ?? findField(sides.destination, config.destinationField)
  if (!sourceField || !destinationField) return undefined
  const { values } = config
  const translatedValues = new Set((values ?? []).map(({ sourceValue }) => sourceValue))
  const enumDetails = values && {
    unusedDestinationValues: undefined,
    ...existing?.enumDetails,
    mapping: values,
    unusedSourceValues: existing?.enumDetails?.unusedSourceValues?.filter((value) => !translatedValues.has(value)),
  }
  return {
    sourceField,
    destinationField,
    preview: existing?.preview,
    enumDetails: enumDetails ?? existing?.enumDetails,
    metadata: {
      certainty: toCertainty(rule.confidence ?? 1),
      confidence: rule.confidence ?? 1,
      source: existing?.metadata?.source ?? 'rule',
      detectedDelimiter: config.delimiter,
      ...(existing?.metadata?.question ? { question: existing.metadata.question } : {}),
      ...(existing?.metadata?.reading ? { reading: existing.metadata.reading } : {}),
    },
  }
}

export function getUnmappedFields(
  rules: readonly AnyRule[],
  sides: Sides,
  previous?: Pick<Plan, 'unmappedSourceFields' | 'fieldMapping'>,
): Pick<Plan, 'unmappedSourceFields' | 'unmappedDestinationFields'> {
  const [used, filled] = [getSourceFields(rules), getTargetFields(rules)]
  const previews = new Map(
    [...(previous?.unmappedSourceFields ?? []), ...(previous?.fieldMapping ?? [])].map(({ sourceField, preview }) => [
      sourceField.key,
      preview,
    ]),
  )
  return {
    unmappedSourceFields: sides.source
      .filter(({ key }) => !used.has(key))
      .map((sourceField) => ({ sourceField, preview: previews.get(sourceField.key) })),
    unmappedDestinationFields: sides.destination
      .filter(({ key }) => !filled.has(key))
      .map((destinationField) => ({ destinationField, preview: undefined })),
  }
}

/** Rules that are edges are replaced by the client's. Other rules stay, unless a new edge fills their whole field. */
export function applyEdgesToRules(
  rules: readonly MappingRule[],
  edges: readonly Edge[],
  createRule: (rule: NewRule, previous?: MappingRule) => MappingRule,
): MappingRule[] {
  const existing = new Map(
    rules.flatMap((rule) => (getAssignConfig(rule) ? [[buildPairKey(getAssignConfig(rule)!), rule] as const] : [])),
  )
  const newKeys = new Set(
    edges.filter((edge) => !existing.has(buildEdgeKey(edge))).map(({ destinationField }) => destinationField.key),
  )
  const edgeRules = edges.map((edge) => createRule(edgeToRule(edge), existing.get(buildEdgeKey(edge))))
  const filled = getTargetFields(edgeRules)
  const isObsolete = (rule: MappingRule) =>
    (rule.confidence !== undefined || isPlanRule(rule)) &&
    isConversion(rule) &&
    !isStillFilled(filled, newKeys, getConfig(rule).destinationField)
  return [
    ...edgeRules,
    ...rules.filter((rule) => !getAssignConfig(rule) && !isReplaced(newKeys, rule) && !isObsolete(rule)),
  ]
}

const isStillFilled = (filled: ReadonlySet<string>, newKeys: ReadonlySet<string>, key: unknown): boolean =>
  filled.has(String(key)) && !newKeys.has(String(key))

function isReplaced(newKeys: ReadonlySet<string>, rule: MappingRule): boolean {
  const { destinationField, filter, sourceField, sourceFields } = getConfig(rule)
  if (typeof destinationField !== 'string' || !newKeys.has(destinationField)) return false
  if ((filter ?? undefined) !== undefined || rule.type === 'find-replace') return false
  return ![sourceField, sourceFields].flat().includes(`${DERIVED_PREFIX}${destinationField}`)
}

export const getUnmappedRequired = (rules: readonly AnyRule[], destination: readonly Field[]): Field[] => {
  const filled = getTargetFields(rules)
  return destination.filter(
    ({ key, constraints }) => !filled.has(key) && constraints?.some(({ type }) => type === 'required'),
  )
}
