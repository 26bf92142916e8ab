/** Derives the events of a commit from its log entry only, so that every process builds the same ones. */

import * as cells from '../../schemas/cells/events.ts'
import { FORMULAS } from '../../schemas/cells/shape.ts'
import * as commits from '../../schemas/commits/events.ts'
import type { Event } from '../../schemas/events/shape.ts'
import type { Topic } from '../../schemas/kit/topic.ts'
import * as records from '../../schemas/records/events.ts'
import { INLINE_ID_EVENTS, INLINE_IDS_PER_EVENT, MAX_IDS_PER_EVENT } from '../../schemas/records/limits.ts'
import { deriveGroupId, deriveId, IDS_PER_GROUP } from '../core/ids.ts'
import type { TraceFields } from '../core/trace-context.ts'
import { type StoredSheet, sheetContext } from '../entities/sheets.ts'
import { buildDataUrl, type CommitPart, listParts } from '../events/commit-parts.ts'
import { buildEvent, type EventExtras } from '../events/envelope.ts'
import { countIds, type IdRange, packIds } from '../events/id-ranges.ts'
import { withUnreadChanges } from '../events/unread-changes.ts'
import { withUnreadIds } from '../events/unread-ids.ts'
import type { ChangeBatch, Counts, LogEntry, RecordIds } from '../records/index.ts'
import { buildCompletionChanges } from './complete.ts'
import type { RecordedChange } from './recorded-change.ts'
import { splitChanges } from './split-changes.ts'

/** Stored on the log entry: the state of the sheet at commit time that the events need. */
export interface CommitOrigin {
  context: ReturnType<typeof sheetContext> & { accountId: string; precedingEventId?: string }
  namespaces: string[]
  trackChanges: boolean
  grouped?: true
  table?: true
  inReplyTo?: string
  /** Id of the deployed agent that made this write in reply to an event. It is not called for the commit. */
  answeredBy?: string
  change?: RecordedChange
}

interface OriginOptions {
  change?: RecordedChange | undefined
  precedingEventId?: string | undefined
  inReplyTo?: string | undefined
  answeredBy?: string | undefined
}

export const buildCommitOrigin = (
  sheet: StoredSheet,
  { precedingEventId, inReplyTo, answeredBy, change }: OriginOptions = {},
): CommitOrigin => ({
  context: { accountId: sheet.accountId, ...sheetContext(sheet), ...(precedingEventId ? { precedingEventId } : {}) },
  namespaces: sheet.namespaces ?? [],
  trackChanges: sheet.trackChanges ?? false,
  grouped: true,
  ...(sheet.table ? { table: true } : {}),
  ...(inReplyTo ? { inReplyTo } : {}),
  ...(answeredBy ? { answeredBy } : {}),
  ...(change ? { change } : {}),
})

/** The changes of a commit as lazy iterables, because a commit can have a million records. */
export interface CommitEffect {
  created: RecordIds
  changes: Iterable<ChangeBatch> | AsyncIterable<ChangeBatch>
  deleted: Iterable<string>
  counts: Counts
  numberFields: readonly string[]
  /** Events that the sweep publishes have none. */
  cause?: TraceFields
  isProd?: Promise<boolean>
}

export interface CommitRecordCounts {
  created: number
  updated: number
  deleted: number
}

/** Yields the events of a commit in order. Their ids are derived from the commit, so a retry yields the same events. */
export async function* buildCommitEvents(entry: LogEntry, effect: CommitEffect): AsyncGenerator<Event> {
  if (entry.silent || !entry.isCommit) return
  const origin = entry.event as CommitOrigin
  const { sheetId, workbookId } = origin.context
  const createEvent = createEventFactory(entry, origin, effect.cause)
  let created = 0
  let updated = 0
  let deleted = 0
  const fields = new Set<string>()
  for (const runs of splitIds(effect.created)) {
    created += countIds(runs)
    yield withIds(createEvent(records.created, { sheetId, recordIds: [], recordCount: countIds(runs) }), runs)
  }
  for await (const part of splitChanges(effect.changes)) {
    updated += part.counts.length
    for (const key of part.keys) fields.add(key)
    const event = createEvent(records.updated, { sheetId, recordIds: [], changes: [] })
    yield { ...event, payload: withUnreadChanges(event.payload as { recordIds: string[]; changes: [] }, part) }
  }
  for (const runs of splitIds(effect.deleted)) {
    deleted += countIds(runs)
    yield withIds(createEvent(records.deleted, { sheetId, recordIds: [], recordCount: countIds(runs) }), runs)
  }
  const touched = created + updated
  const { answeredBy } = origin
  const { commitId } = entry
  for (const part of listParts(touched))
    yield createEvent(commits.created, buildCommitPayload(commitId, origin, part), (id) => ({
      dataUrl: buildDataUrl(sheetId, { commitId, event: id, part }),
      ...(answeredBy ? { context: { answeredBy } } : {}),
    }))
  if (origin.trackChanges && (touched === 0 || answeredBy)) yield* buildCompletionEvents(entry, origin, createEvent)
  if (origin.inReplyTo) {
    const layerId = deriveId('layer', { time: Date.parse(entry.at), sequence: 0, of: entry.commitId })
    yield createEvent(commits.layerCreated, {
      sheetId,
      workbookId,
      layerId,
      commitId: origin.inReplyTo,
    })
  }
  const counts = { ...effect.counts, updated: touched + deleted }
  yield createEvent(records.countsUpdated, { sheetId, workbookId, counts }, () => ({
    attributes: { created, updated, deleted } satisfies CommitRecordCounts,
  }))
  const calculations = toCalculations(effect.numberFields.filter((key) => created + deleted > 0 || fields.has(key)))
  if (calculations.length > 0) yield createEvent(cells.calculationUpdated, { sheetId, workbookId, calculations })
}

function* buildCompletionEvents(
  entry: LogEntry,
  { context }: CommitOrigin,
  createEvent: EventFactory,
): Generator<Event> {
  const { sheetId, workbookId } = context
  const ids = { sheetId, workbookId, versionId: entry.commitId, commitId: entry.commitId }
  yield createEvent(commits.updated, { ...ids, changes: buildCompletionChanges(entry.actorId, entry.at) })
  yield createEvent(commits.completed, ids)
}

const toCalculations = (fields: readonly string[]) =>
  fields.flatMap((field) => FORMULAS.map((formula) => ({ field, formula, updated: true })))

export const buildCommitPayload = (
  commitId: string,
  { context, trackChanges }: Omit<CommitOrigin, 'namespaces'>,
  part: CommitPart,
) => ({
  sheetId: context.sheetId,
  workbookId: context.workbookId,
  versionId: commitId,
  sheetSlug: context.sheetSlug,
  trackChanges,
  ...part,
})

type EventFactory = (
  topic: Topic,
  payload: object,
  extras?: (id: string) => EventExtras & { context?: object },
) => Event

function deriveEventId({ commitId, seq, at }: LogEntry, { grouped }: CommitOrigin, topic: string, index: number) {
  const time = Date.parse(at)
  if (grouped) return deriveGroupId('event', { time, sequence: seq, of: commitId }, index)
  return deriveId('event', { time, sequence: seq * IDS_PER_GROUP + index, of: `${commitId} ${topic}` })
}

function createEventFactory(entry: LogEntry, origin: CommitOrigin, cause: TraceFields = {}): EventFactory {
  const context = { ...origin.context, actorId: entry.actorId, commitId: entry.commitId, versionId: entry.commitId }
  let eventIndex = 0
  return (topic, payload, extras = () => ({})) => {
    const id = deriveEventId(entry, origin, topic.topic, eventIndex++)
    const { context: extraContext, ...otherExtras } = extras(id)
    return buildEvent(topic, { ...context, ...extraContext } as never, payload as never, {
      id,
      namespaces: origin.namespaces,
      cause,
      ...otherExtras,
    })
  }
}

/** Validating each id that the engine made would take longer than making it. */
const withIds = (event: Event, runs: IdRange[]): Event => ({
  ...event,
  payload: withUnreadIds(event.payload as { recordIds: string[] }, runs),
})

const getIdLimit = (chunks: number): number => (chunks < INLINE_ID_EVENTS ? INLINE_IDS_PER_EVENT : MAX_IDS_PER_EVENT)

function* splitIds(ids: RecordIds): Generator<IdRange[]> {
  if (ids.ranges) {
    yield* splitRanges(ids.ranges)
    return
  }
  let chunk: string[] = []
  let chunks = 0
  for (const id of ids) {
    chunk.push(id)
    if (chunk.length < getIdLimit(chunks)) continue
    yield packIds(chunk).runs
    chunk = []
    chunks++
  }
  if (chunk.length > 0) yield packIds(chunk).runs
}

function* splitRanges(ranges: NonNullable<RecordIds['ranges']>): Generator<IdRange[]> {
  let runs: IdRange[] = []
  let [chunks, space] = [0, getIdLimit(0)]
  for (const { prefix, count } of ranges)
    for (let first = 0; first < count; ) {
      const size = Math.min(count - first, space)
      runs.push([prefix, first, size])
      first += size
      space -= size
      if (space > 0) continue
      yield runs
      runs = []
      space = getIdLimit(++chunks)
    }
  if (runs.length > 0) yield runs
}
