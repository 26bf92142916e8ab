/**
 * Counts what events tell was used, each cause once however often it is told of. An event that somebody made up counts
 * nothing: what was made counts by its own id in the time of its making, and records by events that a commit caused.
 */
import type { EventBridgeEvent } from 'aws-lambda'
import { isOfCommit } from '../../lib/commits/events.ts'
import { Files } from '../../lib/entities/files.ts'
import { Spaces } from '../../lib/entities/spaces.ts'
import { count } from '../../lib/entities/usage.ts'
import { Workbooks } from '../../lib/entities/workbooks.ts'
import { Events } from '../../lib/events/store.ts'
import { Event } from '../../schemas/events.ts'
import type { Used } from '../../schemas/usage.ts'

interface Reading {
  /** What is counted once. */
  id: string
  at: string
  used: Partial<Used>
}
type Meter = (event: Event) => Promise<Reading | undefined>

/** A thing that is gone again counts too. */
const made =
  <T extends { createdAt: string }>(
    key: 'spaceId' | 'workbookId' | 'fileId',
    get: (id: string) => Promise<T | undefined>,
    used: (thing: T | undefined) => Partial<Used>,
  ): Meter =>
  async ({ context, createdAt }) => {
    const id = context[key]
    if (!id) return undefined
    const thing = await get(id)
    return { id, at: thing?.createdAt ?? createdAt, used: used(thing) }
  }

const records =
  (meter: 'recordsCreated' | 'recordsUpdated' | 'recordsDeleted'): Meter =>
  async (event) => {
    if (!isOfCommit(event)) return undefined
    // A large event travels without its payload.
    const payload = event.dataUrl ? (await Events.get(event.id))?.payload : event.payload
    const { recordIds = [] } = (payload ?? {}) as { recordIds?: string[] }
    return { id: event.id, at: event.createdAt, used: { [meter]: recordIds.length } }
  }

const METER: Record<string, Meter> = {
  'space:created': made('spaceId', Spaces.get, () => ({ spaces: 1 })),
  'workbook:created': made('workbookId', Workbooks.get, () => ({ workbooks: 1 })),
  'file:created': made('fileId', Files.get, (file) => ({ files: 1, fileBytes: file?.size ?? 0 })),
  'records:created': records('recordsCreated'),
  'records:updated': records('recordsUpdated'),
  'records:deleted': records('recordsDeleted'),
}

/** @throws when it could not be counted: the bus repeats the event */
export async function handler({ detail }: Pick<EventBridgeEvent<string, unknown>, 'detail'>): Promise<void> {
  const event = Event.parse(detail)
  const reading = await METER[event.topic]?.(event)
  if (!reading) return
  const { accountId, environmentId } = event.context
  const { used, ...cause } = reading
  await count({ ...cause, accountId, environmentId }, used)
}
