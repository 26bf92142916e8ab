import { readDate } from './dates.ts'
import { parseNumber } from './scalars.ts'

export function toStored({ type }: { type: string }, text: string): unknown {
  if (text === '') return null
  if (type === 'number') return parseNumber(text) ?? text
  if (type !== 'date') return text
  const read = readDate(text)
  return 'date' in read ? read.date : text
}
