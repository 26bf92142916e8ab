/**
 * The public face of the record engine: rows of a sheet as an append-only log of commits over immutable column chunks.
 * Every function takes a store last; without it, the process's own.
 */
export {
  type CommitQuery,
  type CommitRecords,
  commit,
  commits,
  completeCommit,
  markPublished,
  PENDING_SHARDS,
  pendingPages,
  recordsOfCommit,
  unpublished,
} from './commits.ts'
export { counts, distinct, type SheetCounts } from './counts.ts'
export { erase } from './erase.ts'
export { commitIdOf, sheetIdOf } from './ids.ts'
export { type ColumnBatch, INSERT_LIMIT, type InsertResult, importRows, insert, type RowBatch } from './insert.ts'
export { type ListResult, list, PAGE_SIZE, read, type ScanBatch, scan } from './list.ts'
export { type RemoveResult, remove } from './remove.ts'
export type { LogEntry, Outbox, WriteResult } from './results.ts'
export type * from './sheet.ts'
export { newStore, processStore, type Store, type StoreOptions } from './store.ts'
export { type UpdateResult, update } from './update.ts'
