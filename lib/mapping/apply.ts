/** Carries a value over an arrow of a mapping: translated, and split where the field holds a list. Pure. */
import type { EnumValue } from '../../schemas/mapping.ts'
import { itemsOf } from './lists.ts'

/** What an arrow does to values. */
export interface Carrying {
  values: readonly { sourceValue?: EnumValue | undefined; destinationValue?: EnumValue | undefined }[]
  /** What separates the items of a list in one cell. */
  delimiter?: string | undefined
  /** Does the destination hold lists? */
  isList: boolean
}

/** How an arrow changes a value: items of a list are split, values with a translation are translated, others stay. */
export function translation({ values, delimiter, isList }: Carrying): (value: unknown) => unknown {
  const translated = byText(values)
  const one = (value: unknown): unknown => translated.get(textOf(value)) ?? value
  return (value) => {
    if (value === null || value === undefined) return null
    if (Array.isArray(value)) return value.map(one)
    if (!isList || typeof value !== 'string') return one(value)
    return itemsOf(value, delimiter).map(one)
  }
}

const textOf = (value: unknown): string => String(value).trim()

function byText(values: Carrying['values']): Map<string, EnumValue> {
  const out = new Map<string, EnumValue>()
  for (const { sourceValue, destinationValue } of values) {
    if (sourceValue !== undefined && destinationValue !== undefined) out.set(textOf(sourceValue), destinationValue)
  }
  return out
}
