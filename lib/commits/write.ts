/** Writes records and publishes the commit's events, for HTTP requests and jobs. */
import { randomUUID } from 'node:crypto'
import { message } from '../../schemas/messages/index.ts'
import type { Principal } from '../auth/principal.ts'
import { conflict } from '../core/errors.ts'
import { measure } from '../core/stopwatch.ts'
import type { StoredSheet } from '../entities/sheets.ts'
import { readIsProd } from '../entities/usage.ts'
import * as engine from '../records/index.ts'
import type { Actor } from '../tx.ts'
import { buildCommitOrigin, type CommitOrigin } from './events.ts'
import { publishWrite } from './publish.ts'
import type { RecordedChange } from './recorded-change.ts'
import { toSheetRef } from './sheet-ref.ts'

export interface WriteOptions {
  silent?: boolean | undefined
  precedingEventId?: string | undefined
  answeredBy?: string | undefined
  inReplyTo?: string | undefined
  change?: RecordedChange | undefined
  /** Idempotency key: writing the same operation id twice counts once. A new one by default. */
  op?: string | undefined
  assertUnchanged?: engine.WriteContext['assertUnchanged']
  /** Epoch milliseconds. Events not published by then are left to the sweep (publish.ts). */
  publishUntil?: number | undefined
}

const PUBLISH_MS = 15_000
export const getPublishDeadline = (): number => Date.now() + PUBLISH_MS

/**
 * Public clients send `X-Disable-Hooks` with every call, so it does not suppress listeners. A deployed agent is not
 * called for its own reply (`for`), or for any of its commits if it ignores them, unless it sends `X-Force-Hooks`.
 */
export const writeOptionsFrom = (
  { headers }: { headers: Readonly<Record<string, string | undefined>> },
  query: { silent?: boolean | undefined; for?: string | undefined; ifVersionId?: string | undefined },
  { role, actorId, ignoresOwnCommits = false }: Pick<Principal, 'role' | 'actorId' | 'ignoresOwnCommits'>,
): WriteOptions => ({
  silent: query.silent,
  publishUntil: getPublishDeadline(),
  precedingEventId: query.for,
  answeredBy:
    role === 'agent' && (query.for !== undefined || ignoresOwnCommits) && headers['x-force-hooks'] !== 'true'
      ? actorId
      : undefined,
  ...(query.ifVersionId === undefined ? {} : { assertUnchanged: requireCommit(query.ifVersionId) }),
})

const requireCommit =
  (commitId: string): WriteOptions['assertUnchanged'] =>
  async (newest) => {
    if (newest.commitId !== commitId) throw conflict(message('records.changedSincePreview'))
  }

/** For a change that was previewed, or planned, at this version of the sheet. */
export const requireVersion = (version: number | undefined): WriteOptions['assertUnchanged'] =>
  version === undefined
    ? undefined
    : async (newest) => {
        if (newest.version !== version) throw conflict(message('records.changedSincePreview'))
      }

export function assertUnlocked(sheet: StoredSheet): void {
  if (sheet.lockedAt) throw conflict(message('records.sheetLocked', { sheet: sheet.id }))
}

export function prepareWrite(sheet: StoredSheet, by: { actor: Actor }, options: WriteOptions = {}) {
  const ref = toSheetRef(sheet)
  const context: engine.WriteContext & { event: CommitOrigin } = {
    op: options.op ?? randomUUID(),
    actorId: by.actor.actorId,
    at: () => new Date(),
    event: buildCommitOrigin(sheet, options),
    ...(options.silent ? { silent: true } : {}),
    assertUnchanged: options.assertUnchanged,
  }
  const isProd = options.publishUntil === undefined ? undefined : readIsProd(sheet.environmentId)
  isProd?.catch(() => {})
  async function publishResult<R extends engine.CommitResult>(
    result: R,
    effect: Parameters<typeof publishWrite>[2],
  ): Promise<R> {
    await measure('events', () =>
      publishWrite(ref, result, { ...effect, ...(isProd ? { isProd } : {}) }, options.publishUntil),
    )
    return result
  }
  return { ref, context, tell: publishResult }
}

/** The common write operations, each as one commit with its events. Rarer ones are in bulk.ts and restore.ts. */
export function createRecordWriter(sheet: StoredSheet, by: { actor: Actor }, options: WriteOptions = {}) {
  const { ref, context, tell: publishResult } = prepareWrite(sheet, by, options)
  return {
    async insert(rows: readonly engine.RecordInput[]) {
      const result = await engine.insert(ref, rows, context)
      return publishResult(result, { created: result.ids })
    },
    async importRows(batches: AsyncIterable<engine.RowsPart>) {
      const result = await engine.importRows(ref, batches, context)
      return publishResult(result, { created: result.ids })
    },
    async importParts(parts: readonly engine.StoredPart[], engineOptions: Pick<engine.WriteOptions, 'truncate'> = {}) {
      const result = await engine.importParts(ref, parts, context, engineOptions)
      return publishResult(result, { created: result.createdIds, deleted: result.removedIds })
    },
    async importByKey(readBatches: engine.ReadBatches, keyedImport: engine.KeyedImport) {
      const result = await engine.importByKey(ref, readBatches, keyedImport, context)
      return publishResult(result, { created: result.createdIds, changes: result.changes })
    },
    async update(changes: readonly engine.RecordUpdate[]) {
      const result = await engine.update(ref, changes, context)
      return publishResult(result, { changes: result.changes })
    },
    async remove(target: readonly string[] | engine.Selection) {
      const result = await engine.remove(ref, target, context)
      return publishResult(result, { deleted: result.ids })
    },
    async write(parts: AsyncIterable<engine.WritePart>, engineOptions: engine.WriteOptions = {}) {
      const result = await engine.write(ref, parts, context, engineOptions)
      return publishResult(result, { created: result.createdIds, changes: result.changes, deleted: result.removedIds })
    },
  }
}
