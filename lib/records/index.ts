/**
 * The public face of the record engine: rows of a sheet as an append-only log of commits over immutable column chunks.
 * Every function takes a store last; without it, the process's own.
 */

export type { CellBytes } from './bytes/cell-bytes.ts'
export { type CopyOptions, copyInto } from './copies/copy.ts'
export type { Difference } from './copies/differences.ts'
export { type Judge, mergeCopy, type Verdict } from './copies/merge.ts'
export { copyDifferences, type ThreeRecord, threeVersions } from './copies/read.ts'
export { commitIdOf, sheetIdOf } from './log/ids.ts'
export { keep, kept } from './log/log.ts'
export { newStore, processStore, type Store, type StoreOptions } from './log/store.ts'
export { type Calculation, type CalculationType, calculations } from './read/calculations.ts'
export { counts, type SheetCounts } from './read/counts.ts'
export { type DistinctQuery, type DistinctValue, distinct, distinctValues } from './read/distinct.ts'
export { cellTest } from './read/ffql/compare.ts'
export { assertQuery, type Condition as QueryCondition, parseQuery } from './read/ffql/parser.ts'
export { indices, type RecordIndex } from './read/indices.ts'
export { type ListResult, list, PAGE_SIZE, read, scan } from './read/list.ts'
export { cellOf, type JudgedCell } from './rules/rules.ts'
export type * from './sheet.ts'
export { type CsvOptions, headersOf, messagesText, streamCsv } from './stream/csv.ts'
export { type JsonlOptions, type LinksOf, streamJsonl } from './stream/jsonl.ts'
export { type JsonlBytes, type JsonlPart, jsonlParts, type NamedSheet, peekSheet } from './stream/jsonl-input.ts'
export { type RowsOptions, streamRows } from './stream/rows.ts'
export { type Collected, collect, sheetsWithObjects } from './versions/collect.ts'
export {
  type CommitQuery,
  type CommitRecords,
  commit,
  commitOfOperation,
  commits,
  completeCommit,
  markPublished,
  PENDING_SHARDS,
  pendingPages,
  recordsOfCommit,
  unpublished,
} from './versions/commits.ts'
export { maintain } from './versions/compact.ts'
export {
  type ChangeType,
  type DiffCell,
  type DiffQuery,
  type DiffRange,
  type DiffRecord,
  type DiffSummary,
  diff,
  diffRecords,
  type Version,
  versionOf,
} from './versions/diff.ts'
export { erase } from './versions/erase.ts'
export { rebuild } from './versions/rebuild.ts'
export { recordHistory } from './versions/record-history.ts'
export { type RestoreOptions, restore } from './versions/restore.ts'
export {
  type BulkResult,
  bulkUpdate,
  findReplace,
  type Mutate,
  mutate,
  type Replacement,
  type TextBatch,
} from './write/bulk.ts'
export { type CopiedBatch, copyOf } from './write/copy.ts'
export type { ColumnBatch, RowBatch, RowsPart } from './write/ingest.ts'
export { INSERT_LIMIT, type InsertResult, importRows, insert } from './write/insert.ts'
export { type RemoveResult, remove } from './write/remove.ts'
export type { LogEntry, Outbox, WriteResult } from './write/results.ts'
export { type UpdateResult, update } from './write/update.ts'
export { type WriteOptions, type WriteOutcome, type WritePart, write } from './write/write.ts'
