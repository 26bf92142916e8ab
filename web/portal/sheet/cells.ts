/** Formats cell values and parses edited text. */
import type { TextCell } from '@glideapps/glide-data-grid'
import type { I18n } from '../../shared/texts/texts.tsx'
import type { SheetField } from '../queries.ts'

export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(formatValue).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** For reading only: what is edited or copied stays as the API knows it. */
export function formatShown(value: unknown, t: I18n['t']): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  return Array.isArray(value) ? value.map((each) => formatShown(each, t)).join(', ') : formatValue(value)
}

/** A text with a value, so that a cell that is filled or left unchanged keeps its value instead of being read again. */
export type ValueCell = TextCell & { typedValue: unknown }

export const getTypedValue = (cell: TextCell | ValueCell): unknown =>
  'typedValue' in cell && formatValue(cell.typedValue) === cell.data ? cell.typedValue : undefined

/** A copied number with three decimals gets a fourth: if it is pasted, `1.234` could also mean 1234. */
export const formatCopy = (value: unknown): string =>
  typeof value === 'number' && /^-?[1-9]\d{0,2}\.\d{3}$/.test(String(value)) ? `${value}0` : formatValue(value)

export const isListField = (field: SheetField): boolean =>
  field.type.endsWith('-list') ||
  ('isArray' in field && field.isArray === true) ||
  ('multi' in field && field.multi === true)

type EnumOptions = readonly { value?: unknown; label?: string | null }[]
const labelsByOptions = new WeakMap<EnumOptions, Map<string, string>>()

/** Cached, because every visible cell is formatted when the grid draws, and a field can have thousands of options. */
function getOptionLabels(options: EnumOptions): ReadonlyMap<string, string> {
  let labels = labelsByOptions.get(options)
  if (!labels) {
    labels = new Map(options.toReversed().map(({ value, label }) => [String(value), label ?? '']))
    labelsByOptions.set(options, labels)
  }
  return labels
}

export function formatCell(field: SheetField, value: unknown, t: I18n['t']): string {
  if (field.type === 'enum' || field.type === 'enum-list') {
    const labels = getOptionLabels(field.config.options)
    const getOptionLabel = (optionValue: unknown) => labels.get(String(optionValue)) || formatValue(optionValue)
    return Array.isArray(value) ? value.map(getOptionLabel).join(', ') : value == null ? '' : getOptionLabel(value)
  }
  return formatShown(value, t)
}

const WIDTHS: Record<string, number> = { xs: 90, s: 130, m: 180, l: 260, xl: 380 }
const DEFAULT_WIDTHS: Record<string, number> = { number: 110, boolean: 90, date: 130, enum: 150 }

export const getColumnWidth = (field: SheetField): number => {
  const size = field.appearance?.size
  if (size) return WIDTHS[size] ?? 180
  return Math.max(DEFAULT_WIDTHS[field.type] ?? 190, Math.min(320, 40 + (field.label ?? field.key).length * 8))
}
