/**
 * Positions of those who follow events. Lists are in the order of ids, and an event shows up a little after its id was
 * made: a reader therefore looks back by {@link OVERLAP_MS}, and what it was told of in that time is kept with its position.
 */
import * as z from 'zod'
import { entity } from '../table/entity.ts'
import { ConditionFailed, transact } from '../table/transact.ts'
import { firstIdAt, timeOfEventId } from './ids.ts'

/** An event that shows up later than this after its id was made is found by its mark (late.ts), others by looking back. */
export const OVERLAP_MS = 30_000
/** Ids a position keeps; of more in the same time, the look back is shorter. */
const TOLD_IDS = 1_000
/** Positions are kept a day; an older one looks back without knowing what was told of. */
const KEPT_SECONDS = 86_400

export interface Cursor {
  /** Time of the newest event told of, in milliseconds since 1970. */
  at: number
  /** All events up to this id are done with. */
  from: string
  /** Ids above `from` that were told of. */
  told: ReadonlySet<string>
  /** Marks of late events up to this one are done with. */
  late: string
}

const Stored = entity({
  name: 'cursor',
  shape: z.object({
    id: z.string(),
    from: z.string(),
    told: z.array(z.string()),
    late: z.string(),
    expires: z.number(),
  }),
  by: {},
})

const keyOf = (list: string, timetoken: string) => `${list}#${timetoken}`
const DIGITS = 4
const ATTEMPTS = 5

/**
 * Keeps a position under a new timetoken: its time and four more digits.
 * @param list id of the environment or space
 */
export async function keepCursor(list: string, cursor: Cursor, now = Date.now()): Promise<string> {
  const { at, from, told, late } = cursor
  const expires = Math.floor(now / 1000) + KEPT_SECONDS
  for (let attempt = 1; ; attempt++) {
    const nonce = Math.floor(Math.random() * 10 ** DIGITS)
    const timetoken = `${String(at).padStart(13, '0')}${String(nonce).padStart(DIGITS, '0')}`
    try {
      await transact([Stored.create({ id: keyOf(list, timetoken), from, told: [...told], late, expires })])
      return timetoken
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === ATTEMPTS) throw error
    }
  }
}

/** The position a timetoken names; of one no longer kept, a position that rather repeats events than misses one. */
export async function cursorOf(list: string, timetoken: string): Promise<Cursor> {
  const at = Number(timetoken.slice(0, -DIGITS))
  const kept = await Stored.get(keyOf(list, timetoken))
  if (!kept) return cursorAt(at)
  return { at, from: kept.from, told: new Set(kept.told), late: kept.late }
}

/** A position at a time, nothing before which is done with but what is older than the look back. */
export function cursorAt(at: number): Cursor {
  const from = firstIdAt(new Date(at - OVERLAP_MS))
  return { at, from, told: new Set(), late: from.slice(from.lastIndexOf('_') + 1) }
}

/** The position after these events were told of, oldest first. */
export function advanced(cursor: Cursor, ids: readonly string[]): Cursor {
  const at = Math.max(cursor.at, ...ids.map((id) => timeOfEventId(id) ?? 0))
  const back = firstIdAt(new Date(at - OVERLAP_MS))
  const [, from] = [back, cursor.from].sort() as [string, string]
  const told = [...new Set([...cursor.told, ...ids])].filter((id) => id > from).sort()
  const over = told.length - TOLD_IDS
  if (over <= 0) return { ...cursor, at, from, told: new Set(told) }
  return { ...cursor, at, from: told[over - 1]!, told: new Set(told.slice(over)) }
}
