/** Translates a value for an edge: by its table of values, item by item if the destination holds lists. Pure. */
import type { EnumValue } from '../../schemas/programs/plan.ts'
import { isMissingText } from '../values/missing.ts'
import { splitItems } from './lists.ts'

export interface TranslationOptions {
  values: readonly { sourceValue?: EnumValue | undefined; destinationValue?: EnumValue | undefined }[]
  delimiter?: string | undefined
  isList: boolean
}

export function createTranslator({ values, delimiter, isList }: TranslationOptions): (value: unknown) => unknown {
  const translations = indexByText(values)
  const translate = (value: unknown): unknown => translations.get(toTrimmedText(value)) ?? value
  const isMissingItem = (item: string): boolean => isMissingText(item) && !translations.has(item)
  return (value) => {
    if (value === null || value === undefined) return null
    if (Array.isArray(value)) return value.map(translate)
    if (!isList || typeof value !== 'string') return translate(value)
    const items = splitItems(value, delimiter)
    return items.length === 1 && isMissingItem(items[0]!) ? null : items.map(translate)
  }
}

const toTrimmedText = (value: unknown): string => String(value).trim()

function indexByText(values: TranslationOptions['values']): Map<string, EnumValue> {
  const index = new Map<string, EnumValue>()
  for (const { sourceValue, destinationValue } of values) {
    if (sourceValue !== undefined && destinationValue !== undefined)
      index.set(toTrimmedText(sourceValue), destinationValue)
  }
  return index
}
