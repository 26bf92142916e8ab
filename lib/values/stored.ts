import { readDate } from './dates.ts'
import { parseNumber } from './scalars.ts'

/** The value that a number or date field stores for a text that was not read as part of a column. */
export function toStored({ type }: { type: string }, text: string): unknown {
  if (text === '') return null
  if (type === 'number') return parseNumber(text) ?? text
  if (type !== 'date') return text
  const read = readDate(text)
  return 'date' in read ? read.date : text
}
