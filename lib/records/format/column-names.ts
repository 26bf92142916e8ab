/** Names of the columns of a segment. Each is stored as one chunk. */

export const MESSAGES = 'messages'
export const METADATA = 'metadata'
export const CONFIG = 'config'

/** The column of a field's values; other names contain no dot. */
export const valueColumn = (fieldKey: string): string => `v.${fieldKey}`
export const fieldOfColumn = (column: string): string | undefined =>
  column.startsWith('v.') ? column.slice(2) : undefined
