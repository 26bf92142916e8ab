/** Converts times to id bounds: ids contain their time and lists are in id order. */
import { decodeTime, encodeTime } from 'ulid'
import { ID_PREFIXES, type Kind } from '../../schemas/kit/ids.ts'

const TIME_LENGTH = 10

export const firstIdAt = (moment: Date, kind: Kind = 'event'): string =>
  `${ID_PREFIXES[kind]}_${encodeTime(Math.max(0, moment.getTime()), TIME_LENGTH)}`

/** The `createdAt` of an event, so that a time bound selects the same events by id and by `createdAt`. */
export const formatIdTime = (id: string): string =>
  new Date(decodeTime(id.slice(id.lastIndexOf('_') + 1))).toISOString()

export function parseEventTime(id: string): number | undefined {
  const start = ID_PREFIXES.event.length + 1
  if (!id.startsWith(`${ID_PREFIXES.event}_`)) return undefined
  try {
    return decodeTime(id.slice(start))
  } catch {
    return undefined
  }
}
