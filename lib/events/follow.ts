/** Follows the events of an environment or a space: nothing is lost, and what a kept position was told of is not repeated. */
import { advanced, type Cursor, cursorAt, cursorOf, keepCursor } from './cursors.ts'
import { lateMarks, settled } from './late.ts'
import { type EventList, eventsOf } from './list.ts'
import { Events, type StoredEvent } from './store.ts'

/** What happened after a position, oldest first, and the position after it. */
export interface Followed {
  events: StoredEvent[]
  cursor: Cursor
}

const idOf = (list: EventList): string => ('spaceId' in list ? list.spaceId : list.environmentId)

/** The present, as a timetoken: what is told of from now on is what shows up from now on. */
export async function present(list: EventList, now = Date.now()): Promise<string> {
  const start = cursorAt(now)
  const ids: string[] = []
  for await (const { id } of eventsOf(list, { after: start.from, includeAcknowledged: true }, 0)) ids.push(id)
  return keepCursor(idOf(list), { ...advanced(start, ids), late: settled(now) }, now)
}

export const cursorIn = (list: EventList, timetoken: string): Promise<Cursor> => cursorOf(idOf(list), timetoken)

/** The position of one who got these events another way, and so needs them no more. */
export const knowing = (cursor: Cursor, ids: readonly string[]): Cursor => ({
  ...cursor,
  told: new Set([...cursor.told, ...ids.filter((id) => id > cursor.from)].sort()),
})

/** Keeps the position for the next time. @returns its timetoken */
export const keptIn = (list: EventList, cursor: Cursor): Promise<string> =>
  keepCursor(idOf(list), advanced(cursor, [...cursor.told]))

/** What showed up after the position: reads the time of the look back again, and the marks of late events. */
export async function follow(list: EventList, cursor: Cursor, limit: number): Promise<Followed> {
  const late = await lateEvents(list, cursor)
  const recent = await newerThan(list, cursor, cursor.from, limit)
  const known = new Set(recent.map(({ id }) => id))
  const events = [...late.events.filter(({ id }) => !known.has(id)), ...recent]
  const ids = events.map(({ id }) => id)
  return { events, cursor: { ...advanced(cursor, ids), late: late.mark } }
}

/** The cheap look while waiting: only what is younger than everything told of. Finding nothing proves nothing. */
export async function followNewest(list: EventList, cursor: Cursor): Promise<boolean> {
  const newest = [...cursor.told].at(-1) ?? cursor.from
  return (await newerThan(list, cursor, newest, 1)).length > 0
}

async function newerThan(list: EventList, cursor: Cursor, after: string, limit: number): Promise<StoredEvent[]> {
  const found: StoredEvent[] = []
  for await (const event of eventsOf(list, { after, includeAcknowledged: true }, limit)) {
    if (!cursor.told.has(event.id)) found.push(event)
    if (found.length === limit) break
  }
  return found
}

/** Those just told of are in `told`: looking back found them as they came. */
async function lateEvents(list: EventList, cursor: Cursor): Promise<{ events: StoredEvent[]; mark: string }> {
  const marks = await lateMarks(idOf(list), cursor.late)
  const ids = marks.map(({ eventId }) => eventId).filter((id) => !cursor.told.has(id))
  const events = await Events.getMany([...new Set(ids)].sort())
  return { events, mark: marks.at(-1)?.mark ?? cursor.late }
}
