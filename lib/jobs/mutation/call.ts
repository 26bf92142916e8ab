export interface MutationCall {
  program: string
  filename: string
  ids: string
  /** The JSON lists have one value per record. The virtual machine parses only the fields the function uses. */
  columns: readonly (readonly [field: string, values: string])[]
  milliseconds: number
}

export interface MutationFailure {
  kind: 'time' | 'memory' | 'threw' | 'load'
  message: string
  at?: number
}

export type MutationResult =
  /** JSON: `{ field: [[index of each changed record], [its value]] }`. */
  { changes: string } | { failed: MutationFailure }
