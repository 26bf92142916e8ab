export interface Counts {
  total: number
  valid: number
  error: number
  errorsByField?: Record<string, number>
}
