/** Reads new events of an environment or a space. No event is lost, and none is repeated while the cursor is stored. */
import { advanceCursor, type Cursor, createCursor, loadCursor, storeCursor } from './cursors.ts'
import { getStableMark, readLateMarks } from './late.ts'
import { type EventList, readEvents } from './list.ts'
import { Events, type StoredEvent } from './store.ts'

export interface EventBatch {
  events: StoredEvent[]
  cursor: Cursor
}

const getListId = (list: EventList): string => ('spaceId' in list ? list.spaceId : list.environmentId)

export async function createCurrentCursor(list: EventList, now = Date.now()): Promise<string> {
  const start = createCursor(now)
  const ids: string[] = []
  for await (const { id } of readEvents(list, { after: start.from, includeAcknowledged: true }, 0)) ids.push(id)
  return storeCursor(getListId(list), { ...advanceCursor(start, ids), late: getStableMark(now) }, now)
}

export const readCursor = (list: EventList, timetoken: string): Promise<Cursor> =>
  loadCursor(getListId(list), timetoken)

export const withSeen = (cursor: Cursor, ids: readonly string[]): Cursor => ({
  ...cursor,
  seenIds: new Set([...cursor.seenIds, ...ids.filter((id) => id > cursor.from)].sort()),
})

export const saveCursor = (list: EventList, cursor: Cursor): Promise<string> =>
  storeCursor(getListId(list), advanceCursor(cursor, [...cursor.seenIds]))

export async function readNewEvents(list: EventList, cursor: Cursor, limit: number): Promise<EventBatch> {
  const late = await readLateEvents(list, cursor)
  const recent = await readEventsAfter(list, cursor, cursor.from, limit)
  const recentIds = new Set(recent.map(({ id }) => id))
  const events = [...late.events.filter(({ id }) => !recentIds.has(id)), ...recent]
  const ids = events.map(({ id }) => id)
  return { events, cursor: { ...advanceCursor(cursor, ids), late: late.mark } }
}

export async function hasNewerEvents(list: EventList, cursor: Cursor): Promise<boolean> {
  const newest = [...cursor.seenIds].at(-1) ?? cursor.from
  return (await readEventsAfter(list, cursor, newest, 1)).length > 0
}

async function readEventsAfter(list: EventList, cursor: Cursor, after: string, limit: number): Promise<StoredEvent[]> {
  const found: StoredEvent[] = []
  for await (const event of readEvents(list, { after, includeAcknowledged: true }, limit)) {
    if (!cursor.seenIds.has(event.id)) found.push(event)
    if (found.length === limit) break
  }
  return found
}

async function readLateEvents(list: EventList, cursor: Cursor): Promise<{ events: StoredEvent[]; mark: string }> {
  const marks = await readLateMarks(getListId(list), cursor.late)
  const ids = marks.map(({ eventId }) => eventId).filter((id) => !cursor.seenIds.has(id))
  const events = await Events.getMany([...new Set(ids)].sort())
  return { events, mark: marks.at(-1)?.mark ?? cursor.late }
}
