/** Interprets mapping rules for one row, exactly as documented: the reference for the engine. */
import type { Field } from '../../../schemas/sheets/fields.ts'

export type Row = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: told rules are of any shape
type RuleInput = { type: string; config: any }

const isBlank = (value: unknown): boolean => value === null || value === undefined || value === ''
const toText = (value: unknown): string =>
  isBlank(value) ? '' : Array.isArray(value) ? value.join(', ') : String(value)

export function applyRulesNaively(rules: readonly RuleInput[], row: Row, sides: { source: readonly Field[] }): Row {
  const result: Row = {}
  for (const rule of rules) apply(rule, row, result, sides)
  return result
}

function apply({ type, config }: RuleInput, row: Row, result: Row, sides: { source: readonly Field[] }): void {
  if (config.filter !== undefined && !passesFilter(config.filter, row, sides)) return
  if (type === 'subprogram') {
    for (const rule of config.rules) apply(rule, row, result, sides)
    return
  }
  const getValue = (name: string): unknown =>
    name.startsWith('destination!') ? (result[name.slice('destination!'.length)] ?? null) : (row[name] ?? null)
  const setValue = (value: unknown): void => {
    result[config.destinationField] = isBlank(value) ? null : value
  }
  const translate = (value: unknown): unknown => {
    const found = (config.values ?? []).find(
      ({ sourceValue }: { sourceValue: unknown }) => String(sourceValue) === String(value).trim(),
    )
    return isBlank(value) ? null : found ? found.destinationValue : value
  }
  if (type === 'assign' || type === 'value-map') setValue(translate(getValue(config.sourceField)))
  if (type === 'constant') setValue(config.value)
  if (type === 'delete') setValue(null)
  if (type === 'coalesce') setValue(config.sourceFields.map(getValue).find((value: unknown) => !isBlank(value)))
  if (type === 'concatenate')
    setValue(
      config.sourceFields
        .map(getValue)
        .filter((value: unknown) => !isBlank(value))
        .map(toText)
        .join(config.separator),
    )
  if (type === 'interpolate') setValue(config.template.split('{0}').join(toText(getValue(config.sourceFields[0]))))
  if (type === 'find-replace') {
    const value = result[config.destinationField]
    setValue(typeof value === 'string' ? value.split('x').join('yy') : value)
  }
  if (type === 'transform') {
    const value = getValue(config.sourceField)
    const change: Record<string, (toText: string) => string> = {
      uppercase: (one) => one.toUpperCase(),
      lowercase: (one) => one.toLowerCase(),
      trim: (one) => one.trim(),
    }
    setValue(typeof value === 'string' ? change[config.transform]!(value) : value)
  }
  if (type === 'split') {
    const [first, ...rest] = toText(getValue(config.sourceField)).split(config.separator)
    result.a = first!.trim() || null
    result.b = rest.join(config.separator).trim() || null
  }
  if (type === 'arithmetic') {
    const qty = isBlank(row.qty) ? Number.NaN : Number(row.qty)
    const value = config.equation === 'qty + 1' ? qty + 1 : 6 / qty
    setValue(Number.isFinite(value) ? value : null)
  }
}

function passesFilter(
  filter: string,
  { qty, city, last, first }: Row,
  { source }: { source: readonly Field[] },
): boolean {
  const size = typeof qty === 'number' ? qty : typeof qty === 'string' && qty.trim() !== '' ? Number(qty) : Number.NaN
  if (filter === 'qty gt 2') return size > 2
  if (filter === 'city is empty') return isBlank(city)
  if (filter === 'contains x')
    return source.length > 0 && [first, last, city, qty].some((one) => toText(one).includes('x'))
  return !(typeof last === 'string' && last.startsWith('A')) || size <= 1
}
