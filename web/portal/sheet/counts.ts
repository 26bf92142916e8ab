/** How many records there are, and in which fields the errors stand. */
export interface Counts {
  total: number
  valid: number
  error: number
  errorsByField?: Record<string, number>
}
