/**
 * Tells of commits: the log is the outbox. A commit's events are derived from its log entry, stored, put on the bus, and only
 * then is the entry taken off the outbox; what a crash interrupts the sweeper repeats with the same event ids.
 */
import * as commits from '../../schemas/commits.ts'
import type { Event } from '../../schemas/events.ts'
import { IDS_PER_EVENT } from '../../schemas/records.ts'
import { log } from '../core/log.ts'
import { onDemand } from '../core/on-demand.ts'
import { Sheets } from '../entities/sheets.ts'
import { publish } from '../events/publish.ts'
import { storeEvents } from '../events/store.ts'
import {
  completeCommit,
  counts,
  type LogEntry,
  markPublished,
  PENDING_SHARDS,
  pendingPages,
  recordsOfCommit,
  type SheetRef,
  unpublished,
  type WriteResult,
} from '../records/index.ts'
import { type CommitEffect, type CommitOrigin, eventsOf } from './events.ts'
import type { Hold } from './hold.ts'
import { sheetRef } from './sheet-ref.ts'

const NOTHING = { created: [], deleted: [], changes: [] }

const numbersOf = ({ fields }: SheetRef): string[] =>
  fields.filter(({ type }) => type === 'number').map(({ key }) => key)

/** Few commits have so many events, or are left by their writer. */
const holds = onDemand(() => import('./hold.ts'))
const silent = onDemand(() => import('./silent.ts'))

/** The writer has no time left: the sweep tells of the commit, of all of it. */
class Left extends Error {}

/**
 * Tells of the commit just made. A bus that cannot be reached does not fail the write: the sweeper tells of it later.
 * @param until milliseconds of the epoch: what is not told of by then is left to the sweeper, too
 */
export async function publishWrite(
  sheet: SheetRef,
  result: WriteResult,
  effect: Partial<Omit<CommitEffect, 'counts' | 'numbers'>>,
  until = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { outbox, commitId } = result
  if (!outbox) return
  let hold: Hold | undefined
  try {
    const own = outbox.entries.find((entry) => entry.commitId === commitId)
    if (!own) return
    const whole = { ...NOTHING, ...effect, counts: result.counts, numbers: numbersOf(sheet) }
    await tell(completing(sheet.sheetId, own, whole), async () => {
      if (Date.now() > until) throw new Left()
      hold ??= (await holds()).holdOf(own.commitId)
      await hold.keep()
    })
    await markPublished(sheet.sheetId, [own])
  } catch (error) {
    if (error instanceof Left) return
    log.error('The events of a commit stay in the log until the next sweep', {
      sheetId: sheet.sheetId,
      commitId,
      error: error as Error,
    })
  } finally {
    await hold?.end().catch(() => log.warn('A commit stays held for a while', { commitId }))
  }
}

/** Publishes what is left in the logs of all sheets and is older than `before`. Returns how many commits were told of. */
export async function publishLeftCommits(before: Date): Promise<number> {
  const shards = await Promise.all(
    Array.from({ length: PENDING_SHARDS }, (_, shard) => pendingPages(shard, { before })),
  )
  let told = 0
  for (const { sheetId, page } of shards.flat())
    try {
      told += await publishPage(sheetId, page, before)
    } catch (error) {
      // One sheet's trouble keeps nobody else waiting.
      log.error('Commits of a sheet could not be told of', { sheetId, page, error: error as Error })
    }
  return told
}

async function publishPage(sheetId: string, page: number, before: Date): Promise<number> {
  const stored = await Sheets.get(sheetId)
  const { entries } = await unpublished(sheetId, page)
  // Of a sheet that is gone nothing is told; its entries are only taken off.
  const left = entries.filter((entry) => !stored || Date.parse(entry.at) < before.getTime())
  let told = 0
  for (const entry of left) if (!stored || (await tellLeft(sheetRef(stored), entry))) told++
  if (!stored) await markPublished(sheetId, left)
  return told
}

/** False when another process is telling of it. */
async function tellLeft(sheet: SheetRef, entry: LogEntry): Promise<boolean> {
  const { holdOf, Held } = await holds()
  const hold = holdOf(entry.commitId)
  try {
    await hold.keep()
    await tell(await rebuilt(sheet, entry), hold.keep)
    await markPublished(sheet.sheetId, [entry])
    return true
  } catch (error) {
    if (error instanceof Held) return false
    throw error
  } finally {
    await hold.end()
  }
}

/** The events of an entry whose writer is gone: its effect is read back from the log. */
async function rebuilt(sheet: SheetRef, entry: LogEntry): Promise<AsyncIterable<Event> | Event[]> {
  const effect = await recordsOfCommit(sheet, entry.commitId)
  if (!effect) return []
  const { created, changes, deleted } = effect
  const whole = { created, changes, deleted, counts: await counts(sheet), numbers: numbersOf(sheet) }
  return completing(sheet.sheetId, entry, whole)
}

/** A commit told of as completed is so first; a silent one, of which nobody is told, is so too, and counted here. */
async function* completing(sheetId: string, entry: LogEntry, effect: CommitEffect): AsyncGenerator<Event> {
  const events = eventsOf(entry, effect)
  if (entry.silent) {
    if ((entry.event as CommitOrigin | undefined)?.trackChanges) await completeCommit(sheetId, entry.commitId, entry)
    await (await silent()).countSilent(entry, effect)
  }
  for await (const event of events) {
    if (event.topic === commits.updated.topic) await completeCommit(sheetId, entry.commitId, entry)
    yield event
  }
}

/** Events told of at a time, and ids of records they have: a commit of a million has hundreds, and memory holds only these. */
const TOLD_TOGETHER = { events: 25, ids: IDS_PER_EVENT }

const idsIn = ({ payload }: Event): number => (payload as { recordIds?: string[] } | null)?.recordIds?.length ?? 0

/**
 * Stored first: who is called by an event can read it.
 * @param goOn asked each time there are more than are told of at a time
 */
export async function tell(
  events: Iterable<Event> | AsyncIterable<Event>,
  goOn: () => Promise<void> = async () => {},
): Promise<void> {
  let some: Event[] = []
  let ids = 0
  for await (const event of events) {
    if (some.length === TOLD_TOGETHER.events || (ids > 0 && ids + idsIn(event) > TOLD_TOGETHER.ids)) {
      await goOn()
      await tellNow(some)
      some = []
      ids = 0
    }
    some.push(event)
    ids += idsIn(event)
  }
  if (some.length > 0) await tellNow(some)
}

async function tellNow(events: Event[]): Promise<void> {
  await storeEvents(events)
  await publish(events, { marked: false })
}
