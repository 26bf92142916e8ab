/** Carries columns of values over the edges of a plan. Pure; one page of records at a time. */
import type { Edge, EnumValue } from '../../schemas/mapping.ts'
import { isList, itemsOf } from './lists.ts'

/** Columns of cells by field key, all of one length. */
export type Columns = ReadonlyMap<string, readonly unknown[]>

/** Prepares a plan's edges: the answer turns columns of the source into columns of the destination. */
export function carrier(edges: readonly Edge[]): (columns: Columns) => Map<string, unknown[]> {
  const prepared = edges.map((edge) => ({
    from: edge.sourceField.key,
    to: edge.destinationField.key,
    carry: translation(edge),
  }))
  return (columns) => new Map(prepared.map(({ from, to, carry }) => [to, (columns.get(from) ?? []).map(carry)]))
}

/** How one edge changes a value: items of a list are split, values with a translation are translated, others stay. */
export function translation(edge: Edge): (value: unknown) => unknown {
  const translated = byText(edge.enumDetails?.mapping ?? [])
  const one = (value: unknown): unknown => translated.get(textOf(value)) ?? value
  const delimiter = edge.metadata?.detectedDelimiter
  const split = isList(edge.destinationField as { type?: string })
  return (value) => {
    if (value === null || value === undefined) return value
    if (Array.isArray(value)) return value.map(one)
    if (!split || typeof value !== 'string') return one(value)
    return itemsOf(value, delimiter).map(one)
  }
}

const textOf = (value: unknown): string => String(value).trim()

function byText(
  mapping: readonly { sourceValue?: EnumValue | undefined; destinationValue?: EnumValue | undefined }[],
): Map<string, EnumValue> {
  const out = new Map<string, EnumValue>()
  for (const { sourceValue, destinationValue } of mapping) {
    if (sourceValue !== undefined && destinationValue !== undefined) out.set(textOf(sourceValue), destinationValue)
  }
  return out
}
