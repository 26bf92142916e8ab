/** How values look in a cell, and what a text typed into one means. */
import type { SheetField } from '../data.ts'

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const isList = (field: SheetField): boolean =>
  field.type.endsWith('-list') || ('isArray' in field && field.isArray === true)

/** What is sent for a text; what cannot be read is sent as it is, and the server says what is wrong with it. */
export function meantBy(field: SheetField, text: string): string | number | boolean | null | string[] {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (isList(field)) return trimmed.split(/\s*[,;]\s*/).filter(Boolean)
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

/** What people read for a value: of an option its label. */
export function shownOf(field: SheetField, value: unknown): string {
  if (field.type === 'enum' || field.type === 'enum-list') {
    const labelOf = (one: unknown) =>
      field.config.options.find((each) => String(each.value) === String(one))?.label || textOf(one)
    return Array.isArray(value) ? value.map(labelOf).join(', ') : value == null ? '' : labelOf(value)
  }
  return textOf(value)
}

/** What is offered where a value is one of some. */
export function choicesOf(field: SheetField): { value: string; label: string }[] | undefined {
  if (field.type === 'boolean') return ['true', 'false'].map((value) => ({ value, label: value }))
  if (field.type !== 'enum' || isList(field)) return undefined
  return field.config.options.flatMap(({ value, label }) =>
    value == null ? [] : [{ value: String(value), label: label || String(value) }],
  )
}

const WIDTHS: Record<string, number> = { xs: 90, s: 130, m: 180, l: 260, xl: 380 }
const BY_TYPE: Record<string, number> = { number: 110, boolean: 90, date: 130, enum: 150 }

export const widthOf = (field: SheetField): number => {
  const size = field.appearance?.size
  if (size) return WIDTHS[size] ?? 180
  return Math.max(BY_TYPE[field.type] ?? 190, Math.min(320, 40 + (field.label ?? field.key).length * 8))
}
