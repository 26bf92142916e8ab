/** State of a mapping plan while it is edited: one choice per source column. Pure functions. */
import type { Shape } from '../../shared/api/shape.ts'

export type Plan = Shape<'Plan'>
export type Edge = Shape<'Edge'>
export type Property = Edge['sourceField']

export type Transform = NonNullable<Plan['transforms']>[number]
export type Reading = NonNullable<NonNullable<Edge['metadata']>['reading']>
export type Question = NonNullable<NonNullable<Edge['metadata']>['question']>

export interface Choice {
  source: Property
  target?: string
  match?: 'absolute' | 'strong' | 'moderate' | 'weak' | 'chosen'
  preview: readonly string[]
  values: Record<string, string | undefined>
  reading?: Reading
  /** As the server knows the pair of column and field. */
  edge?: Edge
  /** The edge the page was opened with. */
  suggested?: Edge
}

const readValues = (edge: Edge): Choice['values'] =>
  Object.fromEntries(
    (edge.enumDetails?.mapping ?? []).map(({ sourceValue, destinationValue }) => [
      String(sourceValue),
      destinationValue == null ? undefined : String(destinationValue),
    ]),
  )

const toChoice = (edge: Edge): Choice => ({
  source: edge.sourceField,
  target: edge.destinationField.key,
  match: edge.metadata?.source === 'user' ? 'chosen' : (edge.metadata?.certainty ?? undefined),
  preview: edge.preview ?? [],
  values: readValues(edge),
  reading: edge.metadata?.reading,
  edge,
  suggested: edge,
})

export function toChoices(plan: Plan): Choice[] {
  const unmapped = plan.unmappedSourceFields.map(
    ({ sourceField, preview }): Choice => ({ source: sourceField, preview: preview ?? [], values: {} }),
  )
  return [...plan.fieldMapping.map(toChoice), ...unmapped]
}

export interface Target {
  key: string
  label?: string | null
  type: string
  constraints?: readonly { type: string }[] | null
  config?: unknown
}

export function getOptions(target: Target | undefined): { value: string | number | boolean; label: string }[] {
  if (target?.type === 'boolean') return [true, false].map((value) => ({ value, label: String(value) }))
  const config = target?.config as
    | { options?: { value?: string | number | boolean | null; label?: string | null }[] }
    | undefined
  return (config?.options ?? []).flatMap(({ value, label }) =>
    value == null ? [] : [{ value, label: label || String(value) }],
  )
}

const isRequired = ({ constraints }: Target): boolean => (constraints ?? []).some(({ type }) => type === 'required')

export function listFilledFields(choices: readonly Choice[], transforms: readonly Transform[]): Set<string> {
  return new Set([...choices.flatMap(({ target }) => target ?? []), ...transforms.flatMap(getTransformTargets)])
}

export const getTransformTargets = ({ config }: Transform): string[] => {
  const { destinationField, destinationFields } = config as { destinationField?: string; destinationFields?: string[] }
  return destinationFields ?? (destinationField === undefined ? [] : [destinationField])
}

export const findUnmappedRequired = (
  choices: readonly Choice[],
  transforms: readonly Transform[],
  targets: readonly Target[],
): Target[] => {
  const filled = listFilledFields(choices, transforms)
  return targets.filter((target) => !filled.has(target.key) && isRequired(target))
}

/** Required fields first, then columns whose match is unsure; columns that are not imported come last. */
export function orderColumns(choices: readonly Choice[], targets: readonly Target[]): string[] {
  const required = new Set(targets.filter(isRequired).map(({ key }) => key))
  const rank = ({ target, match }: Choice): number => {
    if (target === undefined) return 3
    if (required.has(target)) return 0
    return match === 'weak' || match === 'moderate' ? 1 : 2
  }
  return choices.toSorted((a, b) => rank(a) - rank(b)).map(({ source }) => source.key)
}

function withTarget({ source, preview, suggested }: Choice, target: string | undefined): Choice {
  if (suggested && suggested.destinationField.key === target) return toChoice(suggested)
  return { source, preview, suggested, target, match: target === undefined ? undefined : 'chosen', values: {} }
}

/** A column that had the field gets the previous field of the other one when they swap, else none. */
export function assignTarget(
  choices: readonly Choice[],
  sourceKey: string,
  target: string | undefined,
  swaps = false,
): Choice[] {
  const previous = choices.find(({ source }) => source.key === sourceKey)?.target
  return choices.map((choice) => {
    if (choice.source.key === sourceKey) return withTarget(choice, target)
    return target !== undefined && choice.target === target ? withTarget(choice, swaps ? previous : undefined) : choice
  })
}

export const releaseFields = (choices: readonly Choice[], keys: readonly string[]): Choice[] =>
  choices.map((choice) =>
    choice.target !== undefined && keys.includes(choice.target) ? withTarget(choice, undefined) : choice,
  )

/** Takes over what the server has suggested for pairs that were chosen here. */
export function adoptPlan(choices: readonly Choice[], { fieldMapping }: Plan): readonly Choice[] {
  let isChanged = false
  const adopted = choices.map((choice) => {
    if (choice.target === undefined || choice.edge !== undefined) return choice
    const edge = fieldMapping.find(
      ({ sourceField, destinationField }) =>
        sourceField.key === choice.source.key && destinationField.key === choice.target,
    )
    if (!edge) return choice
    isChanged = true
    return { ...choice, edge, values: { ...readValues(edge), ...choice.values } }
  })
  return isChanged ? adopted : choices
}

export function buildPlan(
  choices: readonly Choice[],
  transforms: readonly Transform[],
  targets: readonly Target[],
  original: Plan,
): Plan {
  const byKey = new Map(targets.map((target) => [target.key, target]))
  const knownFields = new Map(
    [...original.fieldMapping, ...original.unmappedDestinationFields].map(({ destinationField }) => [
      destinationField.key,
      destinationField,
    ]),
  )
  const getProperty = (key: string): Property => {
    const target = byKey.get(key)
    return knownFields.get(key) ?? { key, type: target?.type, label: target?.label }
  }
  const mappedChoices = choices.filter(({ target }) => target !== undefined)
  const filled = listFilledFields(choices, transforms)
  return {
    ...original,
    transforms: [...transforms],
    fieldMapping: mappedChoices.map((choice) =>
      buildEdge(choice, getProperty(choice.target!), byKey.get(choice.target!)),
    ),
    unmappedSourceFields: choices
      .filter(({ target }) => target === undefined)
      .map(({ source, preview }) => ({ sourceField: source, preview: [...preview] })),
    unmappedDestinationFields: targets
      .filter(({ key }) => !filled.has(key))
      .map(({ key }) => ({ destinationField: getProperty(key) })),
  }
}

function buildEdge(choice: Choice, destinationField: Property, target: Target | undefined): Edge {
  const edge: Edge = { ...choice.edge, sourceField: choice.source, destinationField, preview: [...choice.preview] }
  if (choice.reading) edge.metadata = { ...choice.edge?.metadata, reading: choice.reading }
  if (choice.match === 'chosen') edge.metadata = { ...edge.metadata, certainty: 'absolute', source: 'user' }
  const options = new Map(getOptions(target).map(({ value }) => [String(value), value]))
  const values = Object.entries(choice.values)
  if (values.length === 0) delete edge.enumDetails
  else
    edge.enumDetails = {
      ...choice.edge?.enumDetails,
      mapping: values.map(([sourceValue, value]) => ({
        sourceValue,
        destinationValue: value === undefined ? undefined : options.get(value),
      })),
    }
  return edge
}
