/** Ids carry their time, so a moment is a bound in every list in id order. */
import { decodeTime, encodeTime } from 'ulid'
import { ID_PREFIXES, type Kind } from '../../schemas/ids.ts'

const TIME_LENGTH = 10

/** Not larger than any id of the kind made at `moment` or later, larger than all made before it. */
export const firstIdAt = (moment: Date, kind: Kind = 'event'): string =>
  `${ID_PREFIXES[kind]}_${encodeTime(Math.max(0, moment.getTime()), TIME_LENGTH)}`

/** When an event was made, in milliseconds since 1970; undefined for an id that is not an event's. */
export function timeOfEventId(id: string): number | undefined {
  const start = ID_PREFIXES.event.length + 1
  if (!id.startsWith(`${ID_PREFIXES.event}_`)) return undefined
  try {
    return decodeTime(id.slice(start))
  } catch {
    return undefined
  }
}
