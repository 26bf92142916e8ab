/** A mapping plan as it is edited: one choice for each column of the file. Pure: what the screen shows and what is sent. */
import type { Shape } from '../../shared/api/client.ts'

export type Plan = Shape<'Plan'>
export type Edge = Shape<'Edge'>
export type Property = Edge['sourceField']

export interface Choice {
  source: Property
  /** Key of the field it fills; none to leave it out. */
  target?: string
  /** `chosen` where a person said so. */
  certainty?: 'absolute' | 'strong' | 'moderate' | 'weak' | 'chosen'
  preview: readonly string[]
  /** What values of the file become, where the field has options; keyed by the value as text. */
  values: Record<string, string | undefined>
  /** What the suggestion knows beyond this. */
  edge?: Edge
}

/** Columns in the order of the file as far as the plan keeps it: those that found a field first. */
export function choicesOf(plan: Plan): Choice[] {
  const mapped = plan.fieldMapping.map(
    (edge): Choice => ({
      source: edge.sourceField,
      target: edge.destinationField.key,
      certainty: edge.metadata?.certainty ?? undefined,
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
  const left = plan.unmappedSourceFields.map(
    ({ sourceField, preview }): Choice => ({ source: sourceField, preview: preview ?? [], values: {} }),
  )
  return [...mapped, ...left]
}

export interface Target {
  key: string
  label?: string | null
  type: string
  constraints?: readonly { type: string }[] | null
  config?: unknown
}

/** The options of a field that has some. */
export function optionsOf(target: Target | undefined): { value: string | number | boolean; label: string }[] {
  const config = target?.config as
    | { options?: { value?: string | number | boolean | null; label?: string | null }[] }
    | undefined
  return (config?.options ?? []).flatMap(({ value, label }) =>
    value == null ? [] : [{ value, label: label || String(value) }],
  )
}

export const missingRequired = (choices: readonly Choice[], targets: readonly Target[]): Target[] => {
  const filled = new Set(choices.map(({ target }) => target))
  return targets.filter(
    ({ key, constraints }) => !filled.has(key) && (constraints ?? []).some(({ type }) => type === 'required'),
  )
}

/** A field takes one column: whoever had it before is left out. */
export function choose(choices: readonly Choice[], sourceKey: string, target: string | undefined): Choice[] {
  return choices.map((each) => {
    if (each.source.key === sourceKey) return { ...each, target, certainty: target ? 'chosen' : undefined, values: {} }
    return target && each.target === target ? { ...each, target: undefined, certainty: undefined } : each
  })
}

export function planOf(choices: readonly Choice[], targets: readonly Target[], before: Plan): Plan {
  const byKey = new Map(targets.map((each) => [each.key, each]))
  const known = new Map(
    [...before.fieldMapping, ...before.unmappedDestinationFields].map(({ destinationField }) => [
      destinationField.key,
      destinationField,
    ]),
  )
  const property = (key: string): Property => {
    const target = byKey.get(key)
    return known.get(key) ?? { key, type: target?.type, label: target?.label }
  }
  const chosen = choices.filter(({ target }) => target !== undefined)
  return {
    ...before,
    fieldMapping: chosen.map((choice) => edgeOf(choice, property(choice.target!), byKey.get(choice.target!))),
    unmappedSourceFields: choices
      .filter(({ target }) => target === undefined)
      .map(({ source, preview }) => ({ sourceField: source, preview: [...preview] })),
    unmappedDestinationFields: targets
      .filter(({ key }) => !chosen.some(({ target }) => target === key))
      .map(({ key }) => ({ destinationField: property(key) })),
  }
}

function edgeOf(choice: Choice, destinationField: Property, target: Target | undefined): Edge {
  const edge: Edge = { ...choice.edge, sourceField: choice.source, destinationField, preview: [...choice.preview] }
  if (choice.certainty === 'chosen') edge.metadata = { ...choice.edge?.metadata, certainty: 'absolute', source: 'user' }
  const options = new Map(optionsOf(target).map(({ value }) => [String(value), value]))
  const values = Object.entries(choice.values)
  if (values.length === 0) delete edge.enumDetails
  else
    edge.enumDetails = {
      ...(choice.certainty === 'chosen' ? {} : choice.edge?.enumDetails),
      mapping: values.map(([sourceValue, value]) => ({
        sourceValue,
        destinationValue: value === undefined ? undefined : options.get(value),
      })),
    }
  return edge
}
