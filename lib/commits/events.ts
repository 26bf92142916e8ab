/** What a commit means in events: derived from the log entry alone, so that any process makes the same ones. */

import * as cells from '../../schemas/cells.ts'
import * as commits from '../../schemas/commits.ts'
import type { Event } from '../../schemas/events.ts'
import * as records from '../../schemas/records.ts'
import { IDS_PER_EVENT, RECORDS_PER_CALL, WHOLE_UPDATES } from '../../schemas/records.ts'
import type { Topic } from '../../schemas/topic.ts'
import { derivedId, sequenceIn } from '../core/ids.ts'
import { type StoredSheet, sheetContext } from '../entities/sheets.ts'
import { type EventExtras, envelope } from '../events/envelope.ts'
import type { CellChange, Counts, LogEntry } from '../records/index.ts'
import { completion } from './complete.ts'

/** Kept on the log entry: what events need to know of the sheet as it was when the commit was made. */
export interface CommitOrigin {
  context: ReturnType<typeof sheetContext> & { accountId: string; precedingEventId?: string }
  namespaces: string[]
  trackChanges: boolean
  /** The commit that the write answers. */
  answers?: string
  /** The deployed agent whose answer to an event the write is: it is not called for the commit. */
  answeredBy?: string
}

interface Answering {
  precedingEventId?: string | undefined
  answers?: string | undefined
  answeredBy?: string | undefined
}

export const originOf = (
  sheet: StoredSheet,
  { precedingEventId, answers, answeredBy }: Answering = {},
): CommitOrigin => ({
  context: { accountId: sheet.accountId, ...sheetContext(sheet), ...(precedingEventId ? { precedingEventId } : {}) },
  namespaces: sheet.namespaces ?? [],
  trackChanges: sheet.trackChanges ?? false,
  ...(answers ? { answers } : {}),
  ...(answeredBy ? { answeredBy } : {}),
})

/** What the commit did to records: made on demand, for there may be a million. */
export interface CommitEffect {
  created: Iterable<string>
  /** Changed cells of some records at a time, those of one record together. */
  changes: Iterable<readonly CellChange[]> | AsyncIterable<readonly CellChange[]>
  deleted: Iterable<string>
  counts: Counts
  /** Fields of numbers the sheet has, by key. */
  numbers: readonly string[]
}

/** How many records a commit created, updated and deleted: the attributes of the event that tells of the new counts. */
export interface RecordsOfCommit {
  created: number
  updated: number
  deleted: number
}

/** All events of one commit, in order; their ids are derived from the commit, so that a repeat makes the same. */
export async function* eventsOf(entry: LogEntry, effect: CommitEffect): AsyncGenerator<Event> {
  if (entry.silent || !entry.isCommit) return
  const origin = entry.event as CommitOrigin
  const { sheetId, workbookId } = origin.context
  const make = eventMaker(entry, origin)
  let created = 0
  let updated = 0
  let deleted = 0
  const fields = new Set<string>()
  for (const recordIds of chunks(effect.created, IDS_PER_EVENT)) {
    created += recordIds.length
    yield make(records.created, { sheetId, recordIds, recordCount: recordIds.length })
  }
  for await (const part of changeChunks(effect.changes)) {
    updated += part.recordIds.length
    for (const { fieldKey } of part.changes) fields.add(fieldKey)
    yield make(records.updated, { sheetId, ...part })
  }
  for (const recordIds of chunks(effect.deleted, IDS_PER_EVENT)) {
    deleted += recordIds.length
    yield make(records.deleted, { sheetId, recordIds, recordCount: recordIds.length })
  }
  const touched = created + updated
  const { answeredBy } = origin
  const pages = Math.ceil(touched / RECORDS_PER_CALL)
  for (let page = 1; page <= pages; page++)
    yield make(commits.created, commitPayload(entry.commitId, origin), (id) => ({
      dataUrl: dataUrlOf(sheetId, { commitId: entry.commitId, event: id, page: pages > 1 ? page : undefined }),
      ...(answeredBy ? { context: { answeredBy } } : {}),
    }))
  // Nobody is called who would complete it.
  if (origin.trackChanges && (touched === 0 || answeredBy)) yield* completed(entry, origin, make)
  if (origin.answers) {
    const layerId = derivedId('layer', { time: Date.parse(entry.at), sequence: 0, of: entry.commitId })
    yield make(commits.layerCreated, {
      sheetId,
      workbookId,
      layerId,
      commitId: origin.answers,
    })
  }
  const counts = { ...effect.counts, updated: touched + deleted }
  yield make(records.countsUpdated, { sheetId, workbookId, counts }, () => ({
    attributes: { created, updated, deleted } satisfies RecordsOfCommit,
  }))
  const calculations = calculated(effect.numbers.filter((key) => created + deleted > 0 || fields.has(key)))
  if (calculations.length > 0) yield make(cells.calculationUpdated, { sheetId, workbookId, calculations })
}

function* completed(entry: LogEntry, { context }: CommitOrigin, make: Maker): Generator<Event> {
  const { sheetId, workbookId } = context
  const ids = { sheetId, workbookId, versionId: entry.commitId, commitId: entry.commitId }
  yield make(commits.updated, { ...ids, changes: completion(entry.actorId, entry.at) })
  yield make(commits.completed, ids)
}

const calculated = (fields: readonly string[]) =>
  fields.flatMap((field) => cells.FORMULAS.map((formula) => ({ field, formula, updated: true })))

/** What commit:created says of a commit. */
export const commitPayload = (commitId: string, { context, trackChanges }: Omit<CommitOrigin, 'namespaces'>) => ({
  sheetId: context.sheetId,
  workbookId: context.workbookId,
  versionId: commitId,
  sheetSlug: context.sheetSlug,
  trackChanges,
})

type Maker = (topic: Topic, payload: object, extras?: (id: string) => EventExtras & { context?: object }) => Event

/** Events that one commit may have. */
const EVENTS_A_COMMIT = 4096

const eventId = (commitId: string, topic: string, at: { time: number; sequence: number }): string =>
  derivedId('event', { ...at, of: `${commitId} ${topic}` })

/** Did a commit cause this event? Nobody can make one up: the ids of events callers emit have random digits. */
export function isOfCommit({ id, topic, context, createdAt }: Event): boolean {
  const { commitId } = context
  if (typeof commitId !== 'string') return false
  const seq = Number(commitId.slice(commitId.lastIndexOf('_') + 1))
  // The last of the digits that count the events of a time.
  const made = sequenceIn(id) % EVENTS_A_COMMIT
  return eventId(commitId, topic, { time: Date.parse(createdAt), sequence: seq * EVENTS_A_COMMIT + made }) === id
}

/** Makes the events of an entry one after the other, each under an id of its own. */
function eventMaker(entry: LogEntry, origin: CommitOrigin): Maker {
  const context = { ...origin.context, actorId: entry.actorId, commitId: entry.commitId, versionId: entry.commitId }
  const time = Date.parse(entry.at)
  let made = 0
  return (topic, payload, extras = () => ({})) => {
    const id = eventId(entry.commitId, topic.topic, { time, sequence: entry.seq * EVENTS_A_COMMIT + made++ })
    const { context: further, ...rest } = extras(id)
    return envelope(topic, { ...context, ...further } as never, payload as never, {
      id,
      namespaces: origin.namespaces,
      ...rest,
    })
  }
}

/** Where a listener reads the records it is called for: those of a commit, or all; of many each event has a page of its own. */
export function dataUrlOf(
  sheetId: string,
  { commitId, event, page }: { commitId?: string; event: string; page?: number | undefined },
): string {
  const query = [
    ...(commitId ? [`commitId=${commitId}`] : []),
    'includeMessages=true&includeLinks=true',
    ...(page ? [`pageSize=${RECORDS_PER_CALL}&pageNumber=${page}`] : []),
    `for=${event}`,
  ]
  return `v1/sheets/${sheetId}/records?${query.join('&')}`
}

function* chunks<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let chunk: T[] = []
  for (const item of items) {
    chunk.push(item)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/**
 * Bytes of changed values in one event. The first parts of an update fit the bus whole; further ones are larger and travel
 * without their payload (events/claimed.ts): of a million changes nobody is sent hundreds of megabytes who does not ask for them.
 */
const CHANGE_BYTES = { whole: 150 * 1024, claimed: 250 * 1024 }

interface UpdatePart {
  recordIds: string[]
  changes: CellChange[]
}

/** Splits an update so that no event has too many ids or too large values. */
async function* changeChunks(changes: CommitEffect['changes']): AsyncGenerator<UpdatePart> {
  let part: UpdatePart = { recordIds: [], changes: [] }
  let bytes = 0
  let parts = 0
  for await (const some of changes)
    for (let from = 0, to = 0; from < some.length; from = to) {
      const { recordId } = some[from]!
      let size = 0
      for (; some[to]?.recordId === recordId; to++) size += bytesOf(some[to]!)
      const room = parts < WHOLE_UPDATES ? CHANGE_BYTES.whole : CHANGE_BYTES.claimed
      if (part.recordIds.length > 0 && (part.recordIds.length >= IDS_PER_EVENT || bytes + size > room)) {
        yield part
        part = { recordIds: [], changes: [] }
        bytes = 0
        parts++
      }
      part.recordIds.push(recordId)
      for (let i = from; i < to; i++) part.changes.push(some[i]!)
      bytes += size
    }
  if (part.recordIds.length > 0) yield part
}

/** Of a change as JSON: its keys and quotes are this many. */
const FRAME_BYTES = '{"recordId":"","fieldKey":"","previousValue":,"newValue":},'.length

const bytesOf = ({ recordId, fieldKey, previousValue, newValue }: CellChange): number =>
  FRAME_BYTES + recordId.length + fieldKey.length + valueBytes(previousValue) + valueBytes(newValue)

const PLAIN = /^[ !#-[\]-~]*$/

function valueBytes(value: unknown): number {
  if (typeof value === 'string' && PLAIN.test(value)) return value.length + 2
  return Buffer.byteLength(JSON.stringify(value))
}
