import type { FlatfileEvent, FlatfileListener } from '@flatfile/listener'
import { BulkRecordHook, RecordHook } from './hook.ts'
import type { BulkRecordCallback, BulkRecordHookOptions, RecordCallback, RecordHookOptions } from './types.ts'

export const recordHook =
  (sheetSlug: string, callback: RecordCallback, options: RecordHookOptions = {}) =>
  (listener: FlatfileListener): void => {
    listener.on('commit:created', { sheetSlug }, (event: FlatfileEvent) => RecordHook(event, callback, options))
  }

export const bulkRecordHook =
  (sheetSlug: string, callback: BulkRecordCallback, options: BulkRecordHookOptions = {}) =>
  (listener: FlatfileListener): void => {
    listener.on('commit:created', { sheetSlug }, (event: FlatfileEvent) => BulkRecordHook(event, callback, options))
  }

export type * from './types.ts'
export { BulkRecordHook, bulkRecordHook as bulkRecordHookPlugin, RecordHook, recordHook as recordHookPlugin }
