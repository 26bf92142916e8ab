export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  description?: string
  format?: string
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

const MAX_DEPTH = 3
const MAX_LISTED = 12

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

const listVariants = ({ anyOf, oneOf, allOf }: Schema): Schema[] | undefined => anyOf ?? oneOf ?? allOf

function formatValues(values: readonly unknown[]): string {
  const listed = values.slice(0, MAX_LISTED).map((value) => `\`${value}\``)
  return [...listed, ...(values.length > MAX_LISTED ? [`and ${values.length - MAX_LISTED} more`] : [])].join(', ')
}

export function formatType(schema: Schema, shapesPage: string): string {
  const { $ref, type, items, enum: values, format } = schema
  if ($ref) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return `[${name}](${shapesPage}#${name.toLowerCase()})`
  }
  if (values) return formatValues(values)
  if ('const' in schema) return `\`${schema.const}\``
  const variants = listVariants(schema)
  if (variants) return unique(variants.map((variant) => formatType(variant, shapesPage))).join(' or ')
  if (items) return `list of ${formatType(items, shapesPage)}`
  if (format === 'date-time') return 'time'
  if (Array.isArray(type)) return type.join(' or ')
  return type ?? 'any JSON'
}

function formatBounds({ minimum, maximum, maxLength, maxItems, default: preset }: Schema): string[] {
  return [
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum.toLocaleString('en')}` : '',
    maxLength === undefined ? '' : `at most ${maxLength.toLocaleString('en')} characters`,
    maxItems === undefined ? '' : `at most ${maxItems.toLocaleString('en')} items`,
    preset === undefined ? '' : `default \`${JSON.stringify(preset)}\``,
  ].filter(Boolean)
}

export const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')

export function formatRow(name: string, schema: Schema, isRequired: boolean, shapesPage: string): string {
  const details = [isRequired ? '**required**' : '', ...formatBounds(schema)].filter(Boolean).join(', ')
  const text = [schema.description ?? '', details].filter(Boolean).join(' ')
  return `| \`${name}\` | ${escapeCell(formatType(schema, shapesPage))} | ${escapeCell(text)} |`
}

function findObject(schema: Schema): [Schema, string] | undefined {
  if (schema.properties) return [schema, '']
  if (schema.items) return findObject(schema.items)?.[0] ? [findObject(schema.items)![0], '[]'] : undefined
  const objects = (listVariants(schema) ?? []).flatMap((variant) => {
    const found = findObject(variant)
    return found ? [found] : []
  })
  return objects.length === 1 ? objects[0] : undefined
}

export function formatProperties(schema: Schema, shapesPage: string, prefix = '', depth = 0): string[] {
  const found = findObject(schema)
  if (!found || depth === MAX_DEPTH) return []
  const [{ properties = {}, required = [] }, list] = found
  const start = prefix === '' ? '' : `${prefix}${list}.`
  return Object.entries(properties).flatMap(([name, property]) => [
    formatRow(start + name, property, required.includes(name), shapesPage),
    ...formatProperties(property, shapesPage, start + name, depth + 1),
  ])
}
