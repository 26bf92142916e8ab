export interface MutationCall {
  program: string
  filename: string
  /** JSON of ranges, see lib/events/id-ranges.ts. */
  idRanges: string
  /** JSON lists with one value per record, or null for a field that is left out. A call that reads one fails. */
  columns: readonly (readonly [field: string, values: string | null])[]
  milliseconds: number
}

export interface MutationFailure {
  kind: 'time' | 'memory' | 'threw' | 'load'
  message: string
  at?: number
}

export type MutationResult =
  /** JSON: `{ field: [[index of each changed record], [its value]] }`, and the fields the function read or compared. */
  { changes: string; read: readonly string[] } | { failed: MutationFailure }
