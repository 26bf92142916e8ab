/**
 * Writes records and tells of it: every verb of the record engine that changes records, with the events of its commit.
 * Used over HTTP and by jobs.
 */
import { randomUUID } from 'node:crypto'
import type { StoredSheet } from '../entities/sheets.ts'
import * as engine from '../records/index.ts'
import type { Actor } from '../tx.ts'
import { type CommitOrigin, originOf } from './events.ts'
import { publishWrite } from './publish.ts'
import { sheetRef } from './sheet-ref.ts'

export interface WriteOptions {
  /** Tells nobody. */
  silent?: boolean | undefined
  /** Does not call the listeners of commits. */
  quiet?: boolean | undefined
  /** The same operation id written twice counts once; a new one unless told. */
  op?: string | undefined
}

/** The writing verbs for one sheet and one actor; each is one commit with its events. */
export function writeRecords(sheet: StoredSheet, by: { actor: Actor }, options: WriteOptions = {}) {
  const ref = sheetRef(sheet)
  const context: engine.WriteContext & { event: CommitOrigin } = {
    op: options.op ?? randomUUID(),
    actorId: by.actor.actorId,
    at: () => new Date(),
    event: originOf(sheet, options.quiet ?? false),
    ...(options.silent ? { silent: true } : {}),
  }
  return {
    async insert(rows: readonly engine.RecordInput[]) {
      const result = await engine.insert(ref, rows, context)
      await publishWrite(ref, result, { created: [...result.ids] })
      return result
    },
    /** Streams any number of rows into one commit: all of them become visible together. */
    async importRows(batches: AsyncIterable<engine.ColumnBatch | engine.RowBatch>) {
      const result = await engine.importRows(ref, batches, context)
      await publishWrite(ref, result, { created: [...result.ids] })
      return result
    },
    async update(changes: readonly engine.RecordUpdate[]) {
      const result = await engine.update(ref, changes, context)
      await publishWrite(ref, result, { updated: result.updated, changes: result.changes })
      return result
    },
    async remove(what: readonly string[] | engine.Selection) {
      const result = await engine.remove(ref, what, context)
      await publishWrite(ref, result, { deleted: [...result.ids] })
      return result
    },
  }
}
