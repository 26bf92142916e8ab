export type IndexName = 'gsi1' | 'gsi2'

/** A list: its index, and the fields that select it. */
export interface ListDefinition<Field extends string = string> {
  index: IndexName
  of: readonly Field[]
}

export const buildItemKey = (name: string, id: string) => ({ pk: `${name}#${id}`, sk: '-' })

/** Undefined if a field is missing: the index is sparse, so the item is not in this list. */
export function buildListKey(name: string, fields: readonly string[], values: Record<string, unknown>) {
  const facets = fields.map((field) => values[field])
  return facets.includes(undefined) ? undefined : [...facets, name].join('#')
}
