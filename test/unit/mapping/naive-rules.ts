/** Reads mapping rules for one row, word by word as they are documented: what the engine is compared with. */
import type { Field } from '../../../schemas/fields.ts'

export type Row = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: told rules are of any shape
type Told = { type: string; config: any }

const blank = (value: unknown): boolean => value === null || value === undefined || value === ''
const text = (value: unknown): string => (blank(value) ? '' : Array.isArray(value) ? value.join(', ') : String(value))

export function naive(rules: readonly Told[], row: Row, sides: { source: readonly Field[] }): Row {
  const made: Row = {}
  for (const rule of rules) apply(rule, row, made, sides)
  return made
}

function apply({ type, config }: Told, row: Row, made: Row, sides: { source: readonly Field[] }): void {
  if (config.filter !== undefined && !lets(config.filter, row, sides)) return
  if (type === 'subprogram') {
    for (const rule of config.rules) apply(rule, row, made, sides)
    return
  }
  const get = (name: string): unknown =>
    name.startsWith('destination!') ? (made[name.slice('destination!'.length)] ?? null) : (row[name] ?? null)
  const put = (value: unknown): void => {
    made[config.destinationField] = blank(value) ? null : value
  }
  const translated = (value: unknown): unknown => {
    const found = (config.values ?? []).find(
      ({ sourceValue }: { sourceValue: unknown }) => String(sourceValue) === String(value).trim(),
    )
    return blank(value) ? null : found ? found.destinationValue : value
  }
  if (type === 'assign' || type === 'value-map') put(translated(get(config.sourceField)))
  if (type === 'constant') put(config.value)
  if (type === 'delete') put(null)
  if (type === 'coalesce') put(config.sourceFields.map(get).find((value: unknown) => !blank(value)))
  if (type === 'concatenate')
    put(
      config.sourceFields
        .map(get)
        .filter((value: unknown) => !blank(value))
        .map(text)
        .join(config.separator),
    )
  if (type === 'interpolate') put(config.template.split('{0}').join(text(get(config.sourceFields[0]))))
  if (type === 'find-replace') {
    const value = made[config.destinationField]
    put(typeof value === 'string' ? value.split('x').join('yy') : value)
  }
  if (type === 'transform') {
    const value = get(config.sourceField)
    const change: Record<string, (text: string) => string> = {
      uppercase: (one) => one.toUpperCase(),
      lowercase: (one) => one.toLowerCase(),
      trim: (one) => one.trim(),
    }
    put(typeof value === 'string' ? change[config.transform]!(value) : value)
  }
  if (type === 'split') {
    const [first, ...rest] = text(get(config.sourceField)).split(config.separator)
    made.a = first!.trim() || null
    made.b = rest.join(config.separator).trim() || null
  }
  if (type === 'arithmetic') {
    const qty = blank(row.qty) ? Number.NaN : Number(row.qty)
    const value = config.equation === 'qty + 1' ? qty + 1 : 6 / qty
    put(Number.isFinite(value) ? value : null)
  }
}

/** The four filters of the tests, by hand. */
function lets(filter: string, { qty, city, last, first }: Row, { source }: { source: readonly Field[] }): boolean {
  const size = typeof qty === 'number' ? qty : typeof qty === 'string' && qty.trim() !== '' ? Number(qty) : Number.NaN
  if (filter === 'qty gt 2') return size > 2
  if (filter === 'city is empty') return blank(city)
  if (filter === 'contains x')
    return source.length > 0 && [first, last, city, qty].some((one) => text(one).includes('x'))
  return !(typeof last === 'string' && last.startsWith('A')) || size <= 1
}
