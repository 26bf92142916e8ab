import { describeProblem } from './problems.ts'
import { noteUnread } from './read-cell.ts'
import { listMeanings, listReadings } from './read-column.ts'
import { toStored } from './stored.ts'

/** Stored values have a text such as `1.234` in a field of numbers only because it was left unread. */
export function keepUnread({ key, type }: { key: string; type: string | undefined }, value: unknown): unknown {
  if (type !== 'number' || typeof value !== 'string' || toStored({ type }, value) === value) return value
  const meanings = listMeanings(listReadings({ type }), value)
  return meanings.length > 1 ? noteUnread(key, value, describeProblem(type, 'ambiguous', meanings)) : value
}
