/** What a mutation's function is asked, and what it answers (functions/system/run-mutation.ts). */
export interface Call {
  /** Evaluates to the user's function. */
  program: string
  filename: string
  /** JSON: a list of strings. */
  ids: string
  /** Each field with the JSON list of its values, one a record. The machine reads only the fields that the function uses. */
  columns: readonly (readonly [field: string, values: string])[]
  /** Milliseconds for all records of the call. */
  milliseconds: number
}

export interface Failed {
  kind: 'time' | 'memory' | 'threw' | 'load'
  message: string
  /** The place of the record, if it is known. */
  at?: number
}

export type Answer =
  /** JSON: `{ field: [[place of each record whose value changes], [its value]] }`. */
  { changes: string } | { failed: Failed }
