/** A plan's arrows as rules, and rules as arrows: two views of one mapping. Pure. */
import type { Field } from '../../schemas/fields.ts'
import type { Edge, EnumValue, Plan } from '../../schemas/mapping.ts'
import type { MappingRule } from '../../schemas/mapping-rule.ts'
import { certaintyOf } from './certainty.ts'
import { MADE } from './rules/cells.ts'
import type { Sides } from './rules/compile.ts'

/** A rule before it is kept. */
export type NewRule = Pick<
  MappingRule,
  'name' | 'type' | 'config' | 'acceptedAt' | 'acceptedBy' | 'metadata' | 'confidence'
>

interface AssignConfig {
  sourceField: string
  destinationField: string
  values?: { sourceValue: EnumValue; destinationValue: EnumValue }[] | undefined
  delimiter?: string | undefined
}

export function ruleOfEdge(edge: Edge): NewRule {
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

const configOf = (rule: AnyRule): Config => (rule.config ?? {}) as Config

/** The rule's configuration where an arrow says all of it: from a field of the source to one of the destination, for all rows. */
export function assignOf(rule: AnyRule): AssignConfig | undefined {
  const config = configOf(rule)
  if (rule.type !== 'assign' || (config.filter ?? undefined) !== undefined) return undefined
  if (typeof config.sourceField !== 'string' || typeof config.destinationField !== 'string') return undefined
  return config.sourceField.startsWith(MADE) ? undefined : (config as unknown as AssignConfig)
}

/** Does the rule only change what others made of its field? */
const isConversion = (rule: AnyRule): boolean => {
  const { sourceField, destinationField } = configOf(rule)
  return typeof destinationField === 'string' && sourceField === `${MADE}${destinationField}`
}

/** Keys of the destination's fields that rules fill. */
export function filledBy(rules: readonly AnyRule[]): Set<string> {
  const filled = new Set<string>()
  for (const rule of rules) {
    const { destinationField, destinationFields, rules: inner } = configOf(rule)
    if (rule.type === 'delete' || rule.type === 'find-replace' || isConversion(rule)) continue
    if (typeof destinationField === 'string') filled.add(destinationField)
    if (Array.isArray(destinationFields)) for (const key of destinationFields) filled.add(String(key))
    if (Array.isArray(inner)) for (const key of filledBy(inner.map(flat))) filled.add(key)
  }
  return filled
}

/** Keys of the source's fields that rules read or leave out on purpose. */
export function usedBy(rules: readonly AnyRule[]): Set<string> {
  const used = new Set<string>()
  for (const rule of rules) {
    const { sourceField, sourceFields, rules: inner } = configOf(rule)
    for (const name of [sourceField, sourceFields].flat())
      if (typeof name === 'string' && !name.startsWith(MADE)) used.add(name)
    if (Array.isArray(inner)) for (const key of usedBy(inner.map(flat))) used.add(key)
  }
  return used
}

/** A rule whose members stand beside its type, as they may inside of subprograms. */
export const flat = (told: unknown): AnyRule => {
  const { type, config, ...beside } = told as { type: string; config?: unknown }
  return { type, config: config ?? beside }
}

/** An arrow and the rule it is. */
const pairOf = ({ sourceField, destinationField }: AssignConfig): string =>
  JSON.stringify([sourceField, destinationField])
const pairOfEdge = ({ sourceField, destinationField }: Edge): string =>
  JSON.stringify([sourceField.key, destinationField.key])

/** The plan as the rules now say: its arrows, and what is left over on both sides. */
export function planByRules(plan: Plan, rules: readonly NewRule[], sides: Sides): Plan {
  const known = new Map(plan.fieldMapping.map((edge) => [pairOfEdge(edge), edge]))
  const fieldMapping = rules.flatMap((rule) => {
    const config = assignOf(rule)
    return config ? (edgeOf(config, rule, known.get(pairOf(config)), sides) ?? []) : []
  })
  return { ...plan, ...leftOver(rules, sides, plan), fieldMapping: lastOfEach(fieldMapping) }
}

/** Later rules overwrite what earlier ones filled. */
const lastOfEach = (edges: readonly Edge[]): Edge[] => [
  ...new Map(edges.map((edge) => [edge.destinationField.key, edge])).values(),
]

const named = (fields: readonly Field[], key: string) => fields.find((field) => field.key === key)

function edgeOf(config: AssignConfig, rule: NewRule, known: Edge | undefined, sides: Sides): Edge | undefined {
  const sourceField = known?.sourceField ?? named(sides.source, config.sourceField)
  const destinationField = known?.destinationField ?? named(sides.destination, config.destinationField)
  if (!sourceField || !destinationField) return undefined
  const { values } = config
  const told = new Set((values ?? []).map(({ sourceValue }) => sourceValue))
  const enumDetails = values && {
    unusedDestinationValues: undefined,
    ...known?.enumDetails,
    mapping: values,
    unusedSourceValues: known?.enumDetails?.unusedSourceValues?.filter((value) => !told.has(value)),
  }
  return {
    sourceField,
    destinationField,
    preview: known?.preview,
    enumDetails: enumDetails ?? known?.enumDetails,
    metadata: {
      certainty: certaintyOf(rule.confidence ?? 1),
      confidence: rule.confidence ?? 1,
      source: known?.metadata?.source ?? 'rule',
      detectedDelimiter: config.delimiter,
    },
  }
}

/** Fields of both sides that no rule reads or fills. */
export function leftOver(
  rules: readonly AnyRule[],
  sides: Sides,
  before?: Pick<Plan, 'unmappedSourceFields' | 'fieldMapping'>,
): Pick<Plan, 'unmappedSourceFields' | 'unmappedDestinationFields'> {
  const [used, filled] = [usedBy(rules), filledBy(rules)]
  const previews = new Map(
    [...(before?.unmappedSourceFields ?? []), ...(before?.fieldMapping ?? [])].map(({ sourceField, preview }) => [
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

/**
 * The rules as a client's arrows now say: those that are arrows are what the plan has; of the others, one that filled the
 * whole field an arrow newly fills is gone.
 * @param keep makes a rule of a new one
 */
export function rulesByEdges(
  rules: readonly MappingRule[],
  edges: readonly Edge[],
  keep: (rule: NewRule, before?: MappingRule) => MappingRule,
): MappingRule[] {
  const known = new Map(rules.flatMap((rule) => (assignOf(rule) ? [[pairOf(assignOf(rule)!), rule] as const] : [])))
  const fresh = new Set(
    edges.filter((edge) => !known.has(pairOfEdge(edge))).map(({ destinationField }) => destinationField.key),
  )
  const arrows = edges.map((edge) => keep(ruleOfEdge(edge), known.get(pairOfEdge(edge))))
  const filled = filledBy(arrows)
  // What was suggested for the values of an arrow goes with it.
  const goes = (rule: MappingRule) =>
    rule.confidence !== undefined && isConversion(rule) && !isStill(filled, fresh, configOf(rule).destinationField)
  return [...arrows, ...rules.filter((rule) => !assignOf(rule) && !replacedBy(fresh, rule) && !goes(rule))]
}

const isStill = (filled: ReadonlySet<string>, fresh: ReadonlySet<string>, key: unknown): boolean =>
  filled.has(String(key)) && !fresh.has(String(key))

function replacedBy(fresh: ReadonlySet<string>, rule: MappingRule): boolean {
  const { destinationField, filter, sourceField, sourceFields } = configOf(rule)
  if (typeof destinationField !== 'string' || !fresh.has(destinationField)) return false
  if ((filter ?? undefined) !== undefined || rule.type === 'find-replace') return false
  return ![sourceField, sourceFields].flat().includes(`${MADE}${destinationField}`)
}

/** Required fields of the destination that no rule fills. */
export const requiredLeft = (rules: readonly AnyRule[], destination: readonly Field[]): Field[] => {
  const filled = filledBy(rules)
  return destination.filter(
    ({ key, constraints }) => !filled.has(key) && constraints?.some(({ type }) => type === 'required'),
  )
}
