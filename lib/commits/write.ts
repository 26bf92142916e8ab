/**
 * Writes records and tells of it: every verb of the record engine that changes records, with the events of its commit.
 * Used over HTTP and by jobs.
 */
import { randomUUID } from 'node:crypto'
import type { Principal } from '../auth/principal.ts'
import { conflict } from '../core/errors.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import * as engine from '../records/index.ts'
import type { Actor } from '../tx.ts'
import { type CommitOrigin, originOf } from './events.ts'
import { publishWrite } from './publish.ts'
import { sheetRef } from './sheet-ref.ts'

export interface WriteOptions {
  /** Tells nobody. */
  silent?: boolean | undefined
  /** The event that the write answers. */
  precedingEventId?: string | undefined
  /** The deployed agent that was called for that event: it is not called for its own answer. */
  answeredBy?: string | undefined
  /** The commit that the write answers. */
  answers?: string | undefined
  /** The same operation id written twice counts once; a new one unless told. */
  op?: string | undefined
  /** Milliseconds of the epoch: what is not told of by then is left to the sweep (publish.ts). */
  tellUntil?: number | undefined
}

/** A request ends after 29 s: it tells of a commit as long as it surely can. */
const TELLING_MS = 15_000
/** Until when a request that begins now tells of its commit, in milliseconds of the epoch; the rest is left to the sweep. */
export const tellingUntil = (): number => Date.now() + TELLING_MS

/**
 * Whom a request's write tells. Public clients send `X-Disable-Hooks` with every call, also with writes whose commit they
 * wait for: it suppresses nothing for listeners. Their loops end because a write that changes no value makes no commit. A
 * deployed agent is not called for its own answer to an event (`for`), unless `X-Force-Hooks` asks for it.
 */
export const told = (
  { headers }: { headers: Readonly<Record<string, string | undefined>> },
  query: { silent?: boolean | undefined; for?: string | undefined },
  { role, actorId }: Pick<Principal, 'role' | 'actorId'>,
): WriteOptions => ({
  silent: query.silent,
  tellUntil: tellingUntil(),
  precedingEventId: query.for,
  answeredBy: query.for !== undefined && role === 'agent' && headers['x-force-hooks'] !== 'true' ? actorId : undefined,
})

/** @throws ApiError conflict when the sheet is locked */
export function refuseLocked(sheet: StoredSheet): void {
  if (sheet.lockedAt) throw conflict(`The sheet ${sheet.id} is locked: unlock it to change its records.`)
}

/** What a write of one sheet by one actor needs: the sheet, its context, and telling of what it did. */
export function writing(sheet: StoredSheet, by: { actor: Actor }, options: WriteOptions = {}) {
  const ref = sheetRef(sheet)
  const context: engine.WriteContext & { event: CommitOrigin } = {
    op: options.op ?? randomUUID(),
    actorId: by.actor.actorId,
    at: () => new Date(),
    event: originOf(sheet, options),
    ...(options.silent ? { silent: true } : {}),
  }
  /** Tells of a write that was made, with what it did. */
  async function tell<R extends engine.WriteResult>(result: R, effect: Parameters<typeof publishWrite>[2]): Promise<R> {
    await publishWrite(ref, result, effect, options.tellUntil)
    return result
  }
  return { ref, context, tell }
}

/** The usual writing verbs for one sheet and one actor; each is one commit with its events. Rarer ones: bulk.ts, restore.ts. */
export function writeRecords(sheet: StoredSheet, by: { actor: Actor }, options: WriteOptions = {}) {
  const { ref, context, tell } = writing(sheet, by, options)
  return {
    async insert(rows: readonly engine.RecordInput[]) {
      const result = await engine.insert(ref, rows, context)
      return tell(result, { created: result.ids })
    },
    /** Streams any number of rows into one commit: all of them become visible together. */
    async importRows(batches: AsyncIterable<engine.RowsPart>) {
      const result = await engine.importRows(ref, batches, context)
      return tell(result, { created: result.ids })
    },
    async update(changes: readonly engine.RecordUpdate[]) {
      const result = await engine.update(ref, changes, context)
      return tell(result, { changes: [result.changes] })
    },
    async remove(what: readonly string[] | engine.Selection) {
      const result = await engine.remove(ref, what, context)
      return tell(result, { deleted: result.ids })
    },
    /** Inserts, changes and deletes in one commit. */
    async write(parts: AsyncIterable<engine.WritePart>, how: engine.WriteOptions = {}) {
      const result = await engine.write(ref, parts, context, how)
      return tell(result, { created: result.createdIds, changes: result.changes, deleted: result.removedIds })
    },
  }
}
