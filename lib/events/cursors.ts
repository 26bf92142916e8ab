/**
 * Cursors of event readers. Events appear a little after their ids were made, so a reader looks back by {@link
 * OVERLAP_MS} and its cursor stores the ids already seen in that time.
 */
import * as z from 'zod'
import { DAY_SECONDS } from '../../schemas/kit/time.ts'
import { entity } from '../table/entity.ts'
import { retryOnConflict, transact } from '../table/transact.ts'
import { firstIdAt, parseEventTime } from './id-time.ts'

export const OVERLAP_MS = 30_000
const MAX_SEEN_IDS = 1_000
/** Cursors are stored for a day. An older one looks back without knowing what was seen. */
const RETENTION_SECONDS = DAY_SECONDS

export interface Cursor {
  /** Time of the newest seen event, in epoch milliseconds. */
  at: number
  from: string
  seenIds: ReadonlySet<string>
  late: string
}

const Cursors = entity({
  name: 'cursor',
  shape: z.object({
    id: z.string(),
    from: z.string(),
    seenIds: z.array(z.string()),
    late: z.string(),
    expires: z.number(),
  }),
  by: {},
})

const buildCursorKey = (list: string, timetoken: string) => `${list}#${timetoken}`
const DIGITS = 4
const ATTEMPTS = 5

/** A timetoken is the time of the cursor plus four digits. `list` is the id of the environment or space. */
export async function storeCursor(list: string, cursor: Cursor, now = Date.now()): Promise<string> {
  const { at, from, seenIds, late } = cursor
  const expires = Math.floor(now / 1000) + RETENTION_SECONDS
  return retryOnConflict(ATTEMPTS, async () => {
    const nonce = Math.floor(Math.random() * 10 ** DIGITS)
    const timetoken = `${String(at).padStart(13, '0')}${String(nonce).padStart(DIGITS, '0')}`
    await transact([
      Cursors.create({ id: buildCursorKey(list, timetoken), from, seenIds: [...seenIds], late, expires }),
    ])
    return timetoken
  })
}

/** Loads the cursor of a timetoken. If it has expired, the result may repeat events but never misses one. */
export async function loadCursor(list: string, timetoken: string): Promise<Cursor> {
  const at = Number(timetoken.slice(0, -DIGITS))
  const stored = await Cursors.get(buildCursorKey(list, timetoken))
  if (!stored) return createCursor(at)
  return { at, from: stored.from, seenIds: new Set(stored.seenIds), late: stored.late }
}

export function createCursor(at: number): Cursor {
  const from = firstIdAt(new Date(at - OVERLAP_MS))
  return { at, from, seenIds: new Set(), late: from.slice(from.lastIndexOf('_') + 1) }
}

/** Nothing was seen for twice the look-back, so earlier events can only appear by late marks. */
export const isIdle = ({ at }: Cursor, now = Date.now()): boolean => now - at > 2 * OVERLAP_MS

export const settleCursor = (cursor: Cursor): Cursor => ({
  ...cursor,
  from: [...cursor.seenIds].at(-1) ?? cursor.from,
  seenIds: new Set(),
})

export function advanceCursor(cursor: Cursor, ids: readonly string[]): Cursor {
  const at = Math.max(cursor.at, ...ids.map((id) => parseEventTime(id) ?? 0))
  const lookBackId = firstIdAt(new Date(at - OVERLAP_MS))
  const [, from] = [lookBackId, cursor.from].sort() as [string, string]
  const seenIds = [...new Set([...cursor.seenIds, ...ids])].filter((id) => id > from).sort()
  const excess = seenIds.length - MAX_SEEN_IDS
  if (excess <= 0) return { ...cursor, at, from, seenIds: new Set(seenIds) }
  return { ...cursor, at, from: seenIds[excess - 1]!, seenIds: new Set(seenIds.slice(excess)) }
}
