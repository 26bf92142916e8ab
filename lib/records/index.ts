/** Public API of the record engine: a sheet's rows as an append-only log over immutable column chunks. */

export {
  type ByteWriter,
  copyRange,
  createByteWriter,
  createSnippet,
  recycleBytes,
  reserve,
  type Snippet,
  writeNumber,
  writeSnippet,
  writeString,
} from './columns/byte-writer.ts'
export { joinTexts, splitTexts } from './columns/columns.ts'
export { type ColumnConverter, type ConvertedCell, createColumnConverter } from './columns/convert-column.ts'
export { equalsBytes } from './columns/equal-bytes.ts'
export {
  type Column,
  createNullColumn,
  type JsonColumn,
  readValues,
  selectRows,
  toJsonColumn,
} from './columns/json-column.ts'
export { revalidateSheet } from './constraints/validated-state.ts'
export { type CopiedBatch, readCopyBatches } from './copies/copied-rows.ts'
export { type CopyOptions, copyRecords } from './copies/copy.ts'
export type { Difference } from './copies/differences.ts'
export { type DecideMerge, type MergeDecision, mergeCopy } from './copies/merge.ts'
export { readCopyDifferences, readThreeWayRecords, type ThreeWayRecord } from './copies/read.ts'
export type { CellBytes } from './fields/cell-bytes.ts'
export { createCellTest } from './fields/ffql/compare.ts'
export { assertQuery, type Condition as QueryCondition, parseQuery } from './fields/ffql/parser.ts'
export { findRuleProblems, type RuleProblem } from './fields/find-rule-problems.ts'
export { createCellValidator, evaluateCell, type ValidatedCell } from './fields/rules.ts'
export { formatCommitId, parseCommitSeq, parseSheetId } from './format/ids.ts'
export { loadContext, storeContext } from './log/log.ts'
export { createStore, processStore, type Store, type StoreOptions } from './log/store.ts'
export { type Calculation, type CalculationType, calculate } from './read/calculations.ts'
export { listColumns } from './read/column-page.ts'
export { type CountedProblems, countProblems } from './read/count-problems.ts'
export { countRecords, type SheetCounts } from './read/counts.ts'
export {
  type DistinctColumn,
  type DistinctQuery,
  type DistinctValue,
  listDistinctValues,
  listDistinctValuesByField,
  readDistinctColumns,
} from './read/distinct.ts'
export { type EqualRecords, findEqualRecords, type KeyedField } from './read/equal-records.ts'
export { findIndices, type RecordIndex } from './read/indices.ts'
export { type ListResult, listRecords, PAGE_SIZE, readRecords, type ScanBatch, scanRecords } from './read/list.ts'
export { type MessageCells, type MessageQuery, scanMessages } from './read/messages.ts'
export { readLinkedCommitIds, readNewestCommitId } from './read/positions.ts'
export { readPart } from './read/read-part.ts'
export {
  type JsonBatch,
  type PackedBatch,
  type RowRange,
  restoreBatch,
  scanColumns,
  unpackBatch,
} from './read/scan-columns.ts'
export { countTask, listWrittenValuesByField } from './read/written-values.ts'
export { addToRuns, type ChangeBatch, sliceValues } from './segments/change-batch.ts'
export { compact } from './segments/compact.ts'
export type * from './sheet.ts'
export { type AddCell, type CellBatch, streamCells } from './stream/cells.ts'
export { buildHeaders, type CsvOptions, formatMessages, streamCsv } from './stream/csv.ts'
export { createMemberStarts, createObjectEnd, type ObjectMarks } from './stream/json-objects.ts'
export { type JsonlOptions, type LinkLoader, streamJsonl } from './stream/jsonl.ts'
export { type JsonlBytes, type JsonlPart, type NamedSheet, parseJsonl, peekSheet } from './stream/jsonl-input.ts'
export { canWriteLinesInThreads, lineTask, streamCsvInThreads, streamObjectsInThreads } from './stream/line-task.ts'
export { type CellRange, type RowFormat, streamRows } from './stream/rows.ts'
export { listSegments, type SheetSegment } from './stream/segments.ts'
export {
  type CommitQuery,
  type CommitRecords,
  completeCommit,
  countCommitRecords,
  findCommitOfOperation,
  type LaterCommit,
  listCommits,
  listLaterCommits,
  listPendingPages,
  loadUnpublished,
  markPublished,
  PENDING_SHARDS,
  planCompletion,
  readCommit,
  readCommitRecords,
} from './versions/commits.ts'
export { deleteSheetData } from './versions/delete-sheet.ts'
export {
  type ChangeType,
  type DiffCell,
  type DiffQuery,
  type DiffRange,
  type DiffRecord,
  type DiffSummary,
  diffRecords,
  diffVersions,
  readVersion,
  type Version,
} from './versions/diff.ts'
export { collectGarbage, type GarbageStats, listSheetsWithObjects } from './versions/garbage-collect.ts'
export { readRecordHistory } from './versions/record-history.ts'
export { type RestoreOptions, restoreVersion } from './versions/restore.ts'
export { findChangesAfter, type LaterChange, type UndoneCommit, type UndoResult, undoCommit } from './versions/undo.ts'
export {
  type CellsPart,
  type ColumnBatch,
  createSegmentBuilder,
  type RowBatch,
  type RowsPart,
  restoreSegments,
  type SegmentsPart,
} from './write/build-segments.ts'
export {
  type BulkResult,
  bulkUpdate,
  createReplacer,
  findReplace,
  type MutateBatch,
  mutate,
  type Replacement,
  replaceValues,
  type TextBatch,
  type ValueReplacement,
} from './write/bulk.ts'
export {
  importByKey,
  type KeyedImport,
  type KeyedImportResult,
  type KeyedPreview,
  previewByKey,
  type ReadBatches,
} from './write/import-by-key.ts'
export { type InsertResult, importParts, importRows, insert, MAX_RECORDS_PER_INSERT } from './write/insert.ts'
export type { RepeatedKeys } from './write/match-keys.ts'
export type { LogEntry, Outbox } from './write/outbox.ts'
export { previewWrite, type WritePreview } from './write/preview.ts'
export { type RemoveResult, remove } from './write/remove.ts'
export { buildInThreads, segmentTask, toPlainSheet } from './write/segment-task.ts'
export { type StoredPart, storePart } from './write/stored-part.ts'
export { type UpdateResult, update } from './write/update.ts'
export { type WriteOptions, type WritePart, type WriteResult, write } from './write/write.ts'
export type { CommitResult, RecordIds } from './write/write-result.ts'
