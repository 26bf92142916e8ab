/** State of a mapping plan while it is edited: one choice per source column. Pure functions. */
import type { Shape } from '../../shared/api/client.ts'

export type Plan = Shape<'Plan'>
export type Edge = Shape<'Edge'>
export type Property = Edge['sourceField']

export interface Choice {
  source: Property
  target?: string
  match?: 'absolute' | 'strong' | 'moderate' | 'weak' | 'chosen'
  preview: readonly string[]
  values: Record<string, string | undefined>
  edge?: Edge
}

export function toChoices(plan: Plan): Choice[] {
  const mapped = plan.fieldMapping.map(
    (edge): Choice => ({
      source: edge.sourceField,
      target: edge.destinationField.key,
      match: edge.metadata?.certainty ?? undefined,
      preview: edge.preview ?? [],
      values: Object.fromEntries(
        (edge.enumDetails?.mapping ?? []).map(({ sourceValue, destinationValue }) => [
          String(sourceValue),
          destinationValue == null ? undefined : String(destinationValue),
        ]),
      ),
      edge,
    }),
  )
  const unmapped = plan.unmappedSourceFields.map(
    ({ sourceField, preview }): Choice => ({ source: sourceField, preview: preview ?? [], values: {} }),
  )
  return [...mapped, ...unmapped]
}

export interface Target {
  key: string
  label?: string | null
  type: string
  constraints?: readonly { type: string }[] | null
  config?: unknown
}

export function getOptions(target: Target | undefined): { value: string | number | boolean; label: string }[] {
  const config = target?.config as
    | { options?: { value?: string | number | boolean | null; label?: string | null }[] }
    | undefined
  return (config?.options ?? []).flatMap(({ value, label }) =>
    value == null ? [] : [{ value, label: label || String(value) }],
  )
}

export const findUnmappedRequired = (choices: readonly Choice[], targets: readonly Target[]): Target[] => {
  const mappedKeys = new Set(choices.map(({ target }) => target))
  return targets.filter(
    ({ key, constraints }) => !mappedKeys.has(key) && (constraints ?? []).some(({ type }) => type === 'required'),
  )
}

export function assignTarget(choices: readonly Choice[], sourceKey: string, target: string | undefined): Choice[] {
  return choices.map((choice) => {
    if (choice.source.key === sourceKey) return { ...choice, target, match: target ? 'chosen' : undefined, values: {} }
    return target && choice.target === target ? { ...choice, target: undefined, match: undefined } : choice
  })
}

export function buildPlan(choices: readonly Choice[], targets: readonly Target[], original: Plan): Plan {
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
  return {
    ...original,
    fieldMapping: mappedChoices.map((choice) =>
      buildEdge(choice, getProperty(choice.target!), byKey.get(choice.target!)),
    ),
    unmappedSourceFields: choices
      .filter(({ target }) => target === undefined)
      .map(({ source, preview }) => ({ sourceField: source, preview: [...preview] })),
    unmappedDestinationFields: targets
      .filter(({ key }) => !mappedChoices.some(({ target }) => target === key))
      .map(({ key }) => ({ destinationField: getProperty(key) })),
  }
}

function buildEdge(choice: Choice, destinationField: Property, target: Target | undefined): Edge {
  const edge: Edge = { ...choice.edge, sourceField: choice.source, destinationField, preview: [...choice.preview] }
  if (choice.match === 'chosen') edge.metadata = { ...choice.edge?.metadata, certainty: 'absolute', source: 'user' }
  const options = new Map(getOptions(target).map(({ value }) => [String(value), value]))
  const values = Object.entries(choice.values)
  if (values.length === 0) delete edge.enumDetails
  else
    edge.enumDetails = {
      ...(choice.match === 'chosen' ? {} : choice.edge?.enumDetails),
      mapping: values.map(([sourceValue, value]) => ({
        sourceValue,
        destinationValue: value === undefined ? undefined : options.get(value),
      })),
    }
  return edge
}
