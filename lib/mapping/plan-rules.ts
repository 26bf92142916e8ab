/** Rules that a plan carries: the readings of its edges and its transforms. Pure. */
import type { Edge, Plan, PlanTransform } from '../../schemas/programs/plan.ts'
import type { MappingRule } from '../../schemas/programs/rules.ts'
import type { Field } from '../../schemas/sheets/fields.ts'
import { compileEdit } from '../quality/edits.ts'
import {
  applyEdgesToRules,
  edgeToRule,
  isConversion,
  isPlanRule,
  isTransform,
  type NewRule,
  PLAN_SOURCE,
} from './edges.ts'
import { describeRule } from './recipes/describe.ts'
import { DERIVED_PREFIX } from './rules/cells.ts'

const MAX_NAME_LENGTH = 500
const metadata = { source: PLAN_SOURCE }

const nameRule = (rule: Omit<NewRule, 'name'>): NewRule => ({
  ...rule,
  name: describeRule({ ...rule, name: rule.type }).slice(0, MAX_NAME_LENGTH),
})

export const transformToRule = ({ type, config }: PlanTransform): NewRule => nameRule({ type, config, metadata })

export function readingToRule({ destinationField: { key }, metadata: edgeMetadata }: Edge): NewRule | undefined {
  const reading = edgeMetadata?.reading
  const config = { sourceField: `${DERIVED_PREFIX}${key}`, destinationField: key, reading }
  return reading && nameRule({ type: 'read', config, metadata })
}

export const planToRules = ({
  fieldMapping,
  transforms = [],
}: Pick<Plan, 'fieldMapping' | 'transforms'>): NewRule[] => [
  ...fieldMapping.map(edgeToRule),
  ...fieldMapping.flatMap((edge) => readingToRule(edge) ?? []),
  ...transforms.map(transformToRule),
]

/** Transforms run last, on values that are read. */
export function applyPlanToRules(
  rules: readonly MappingRule[],
  { fieldMapping, transforms }: Pick<Plan, 'fieldMapping' | 'transforms'>,
  suggested: readonly NewRule[],
  createRule: (rule: NewRule, previous?: MappingRule) => MappingRule,
): MappingRule[] {
  const readings = fieldMapping.flatMap((edge) => readingToRule(edge) ?? [])
  const readFields = new Set(readings.map(getTarget))
  const isReplaced = (rule: MappingRule) =>
    rule.type === 'read' && isConversion(rule) && readFields.has(getTarget(rule))
  const findPrevious = (rule: NewRule) =>
    rules.find((other) => isPlanRule(other) && isReplaced(other) && getTarget(other) === getTarget(rule))
  const remaining = applyEdgesToRules(rules, fieldMapping, createRule).filter((rule) => !isReplaced(rule))
  return [
    ...remaining.filter((rule) => !isTransform(rule)),
    ...suggested.map((rule) => createRule(rule)),
    ...readings.map((rule) => createRule(rule, findPrevious(rule))),
    ...(transforms
      ? transforms.map((transform) => createRule(transformToRule(transform)))
      : remaining.filter(isTransform)),
  ]
}

const getTarget = ({ config }: NewRule): string => (config as { destinationField: string }).destinationField

/** @throws ApiError invalid for a reading of another type than its field */
export function assertReadings(edges: readonly Edge[], fields: readonly Field[]): void {
  for (const [index, { destinationField, metadata: edgeMetadata }] of edges.entries()) {
    const reading = edgeMetadata?.reading
    if (!reading || !fields.some(({ key }) => key === destinationField.key)) continue
    compileEdit(
      { sheetId: '', fields },
      { type: 'read', fieldKey: destinationField.key, reading },
      `fieldMapping.${index}.metadata.`,
    )
  }
}
