/**
 * Counts what events tell was used, each cause once however often it is told of. An event that somebody made up counts
 * nothing: what was made counts by its own id in the time of its making, and records by an event that only a commit causes.
 */
import type { EventBridgeEvent } from 'aws-lambda'
import { isOfCommit, type RecordsOfCommit } from '../../lib/commits/events.ts'
import { Files } from '../../lib/entities/files.ts'
import { Spaces } from '../../lib/entities/spaces.ts'
import { count } from '../../lib/entities/usage.ts'
import { Workbooks } from '../../lib/entities/workbooks.ts'
import { followUp } from '../../lib/events/follow-up.ts'
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

/** Of a commit, one event for all its records. */
const records: Meter = async (event) => {
  if (!isOfCommit(event)) return undefined
  const { created, updated, deleted } = event.attributes as RecordsOfCommit
  const used = { recordsCreated: created, recordsUpdated: updated, recordsDeleted: deleted }
  return { id: event.id, at: event.createdAt, used }
}

const METER: Record<string, Meter> = {
  'space:created': made('spaceId', Spaces.get, () => ({ spaces: 1 })),
  'workbook:created': made('workbookId', Workbooks.get, () => ({ workbooks: 1 })),
  'file:created': made('fileId', Files.get, (file) => ({ files: 1, fileBytes: file?.size ?? 0 })),
  'sheet:counts-updated': records,
}

/** @throws when it could not be counted: the bus repeats the event */
export const handler = followUp(
  async ({ detail }: Pick<EventBridgeEvent<string, unknown>, 'detail'>): Promise<void> => {
    const event = Event.parse(detail)
    const reading = await METER[event.topic]?.(event)
    if (!reading) return
    const { accountId, environmentId } = event.context
    const { used, ...cause } = reading
    await count({ ...cause, accountId, environmentId }, used)
  },
)
