/** Turns events into the entries of a timeline. Edits of one person in one sheet are joined. */
import { api, unwrap } from '../../shared/api/client.ts'
import type { operations } from '../../shared/api/schema.generated.ts'

type Event = operations['events.list']['responses'][200]['content']['application/json']['data'][number]
type Change = 'created' | 'updated' | 'deleted'

export type Entry = { id: string; actorId: string; at: string } & (
  | { kind: 'uploaded'; fileId: string }
  | { kind: Change; sheetId: string; count: number }
  | { kind: 'ran'; operation: string }
)

export interface Activity {
  entries: Entry[]
  hasMore: boolean
}

const TOPICS = ['file:created', 'sheet:counts-updated', 'job:completed'] as const
const JOINED_MS = 10 * 60_000
/** The records that these operations change are entries already. */
const OPERATIONS_OF_RECORDS = new Set([
  'configure',
  'delete-records',
  'edit-values',
  'extract',
  'find-replace',
  'map',
  'mutate-records',
])

export async function fetchActivity(spaceId: string, size: number): Promise<Activity> {
  const lists = await Promise.all(
    TOPICS.map(async (topic) => {
      const query = { spaceId, topic, includeAcknowledged: true, sortDirection: 'desc', pageSize: size } as const
      return (await unwrap(api.GET('/api/v1/events', { params: { query } }))).data
    }),
  )
  // A list that has more events says nothing about the time before its last one.
  const cuts = lists.filter(({ length }) => length === size).map((events) => events.at(-1)!.createdAt)
  const since = cuts.sort().at(-1) ?? ''
  const events = lists
    .flat()
    .filter(({ createdAt }) => createdAt >= since)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  return { entries: joinEntries(events.flatMap(toEntries)), hasMore: cuts.length > 0 }
}

function toEntries({ id, topic, context, payload, attributes, createdAt }: Event): Entry[] {
  const base = { id, actorId: context.actorId ?? '', at: createdAt }
  if (topic === 'file:created') return [{ ...base, kind: 'uploaded', fileId: context.fileId ?? '' }]
  if (topic === 'job:completed') {
    const { operation, isPart } = payload as { operation: string; isPart: boolean }
    return isPart || OPERATIONS_OF_RECORDS.has(operation) ? [] : [{ ...base, kind: 'ran', operation }]
  }
  const counts = (attributes ?? {}) as Partial<Record<Change, number>>
  const kinds = (['created', 'updated', 'deleted'] as const).filter((kind) => counts[kind])
  return kinds.map((kind) => ({
    ...base,
    id: `${id} ${kind}`,
    kind,
    sheetId: context.sheetId ?? '',
    count: counts[kind]!,
  }))
}

export function joinEntries(entries: readonly Entry[]): Entry[] {
  const joined: Entry[] = []
  for (const entry of entries) {
    const last = joined.at(-1)
    if (last && 'count' in last && 'count' in entry && belongTogether(last, entry)) last.count += entry.count
    else joined.push({ ...entry })
  }
  return joined
}

type ChangeEntry = Extract<Entry, { count: number }>

const belongTogether = (newer: ChangeEntry, older: ChangeEntry): boolean =>
  newer.kind === older.kind &&
  newer.sheetId === older.sheetId &&
  newer.actorId === older.actorId &&
  Date.parse(newer.at) - Date.parse(older.at) < JOINED_MS
