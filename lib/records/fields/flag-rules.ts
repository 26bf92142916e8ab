import type { Message } from '../sheet.ts'

/** A rule whose violations are stored as a flag of each record. */
export interface FlagRule {
  id: string
  fields: readonly string[]
  marks: readonly string[]
  message: Message
}
