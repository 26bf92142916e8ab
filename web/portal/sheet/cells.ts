/** Formats cell values and parses edited text. */
import type { SheetField } from '../queries.ts'

export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(formatValue).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const isListField = (field: SheetField): boolean =>
  field.type.endsWith('-list') || ('isArray' in field && field.isArray === true)

/** Sends unparsable text as it is; the server reports what is wrong. */
export function parseInput(field: SheetField, text: string): string | number | boolean | null | string[] {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (isListField(field)) return trimmed.split(/\s*[,;]\s*/).filter(Boolean)
  if (field.type === 'number') {
    const number = Number(trimmed)
    return Number.isFinite(number) ? number : text
  }
  if (field.type === 'boolean') {
    if (/^(true|yes|1)$/i.test(trimmed)) return true
    if (/^(false|no|0)$/i.test(trimmed)) return false
  }
  if (field.type === 'enum') {
    const option = field.config.options.find(
      ({ value, label }) => String(value) === trimmed || label?.toLowerCase() === trimmed.toLowerCase(),
    )
    return option?.value ?? text
  }
  return text
}

export function formatCell(field: SheetField, value: unknown): string {
  if (field.type === 'enum' || field.type === 'enum-list') {
    const getOptionLabel = (optionValue: unknown) =>
      field.config.options.find((option) => String(option.value) === String(optionValue))?.label ||
      formatValue(optionValue)
    return Array.isArray(value) ? value.map(getOptionLabel).join(', ') : value == null ? '' : getOptionLabel(value)
  }
  return formatValue(value)
}

export function getOptions(field: SheetField): { value: string; label: string }[] | undefined {
  if (field.type === 'boolean') return ['true', 'false'].map((value) => ({ value, label: value }))
  if (field.type !== 'enum' || isListField(field)) return undefined
  return field.config.options.flatMap(({ value, label }) =>
    value == null ? [] : [{ value: String(value), label: label || String(value) }],
  )
}

const WIDTHS: Record<string, number> = { xs: 90, s: 130, m: 180, l: 260, xl: 380 }
const DEFAULT_WIDTHS: Record<string, number> = { number: 110, boolean: 90, date: 130, enum: 150 }

export const getColumnWidth = (field: SheetField): number => {
  const size = field.appearance?.size
  if (size) return WIDTHS[size] ?? 180
  return Math.max(DEFAULT_WIDTHS[field.type] ?? 190, Math.min(320, 40 + (field.label ?? field.key).length * 8))
}
