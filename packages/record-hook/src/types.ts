import type { FlatfileEvent } from '@flatfile/listener'

export type Primitive = string | number | boolean | null
export type RecordValue = Primitive | Primitive[]
export type LinkedRecord = { [field: string]: Primitive }

export type MessageLevel = 'error' | 'warn' | 'info'
export type MessageStage = 'cast' | 'empty' | 'required' | 'compute' | 'validate' | 'apply' | 'other'

export interface RecordMessage {
  level: MessageLevel
  field: string
  message: string
  stage: MessageStage
  path?: string | undefined
}

export interface FlatfileRecord {
  readonly rowId: string | number
  readonly originalValue: Record<string, unknown>
  readonly value: Record<string, unknown>
  readonly obj: Record<string, RecordValue>
  get(field: string): RecordValue
  set(field: string, value: RecordValue): this | undefined
  getLinks(field: string): LinkedRecord[] | null
  getLinkedValue(field: string, linkedField: string): unknown
  setLinkedValue(field: string, linkedField: string, value: Primitive): this
  getMetadata(): object
  setMetadata(metadata: object): this
  setReadOnly(...fields: string[]): void
  setWritable(...fields: string[]): void
  getErrors(fields?: string | string[]): RecordMessage[]
  addInfo(fields: string | string[], message: string, listItem?: string): this
  addComment(fields: string | string[], message: string, listItem?: string): this
  addError(fields: string | string[], message: string, listItem?: string): this
  addWarning(fields: string | string[], message: string, listItem?: string): this
  pushInfoMessage(
    fields: string | string[],
    message: string,
    level: MessageLevel,
    stage: MessageStage,
    listItem?: string,
  ): this
  compute(field: string, compute: (value: RecordValue, record: this) => RecordValue, message?: string): this
  computeIfPresent(field: string, compute: (value: RecordValue, record: this) => RecordValue, message?: string): this
  validate(field: string, isValid: (value: RecordValue, record: this) => boolean, message: string): this
  toJSON(): {
    row: { rawData: Record<string, unknown>; rowId: string | number; metadata: object }
    config: Record<string, unknown>
    info: RecordMessage[]
  }
}

/** Written as methods, so that a callback may declare its records as `FlatfileRecord` of `@flatfile/hooks`. */
interface Callbacks {
  record(record: FlatfileRecord, event: FlatfileEvent): unknown
  records(records: FlatfileRecord[], event: FlatfileEvent): unknown
}
export type RecordCallback = Callbacks['record']
export type BulkRecordCallback = Callbacks['records']

export interface RecordHookOptions {
  concurrency?: number
  debug?: boolean
}

export interface BulkRecordHookOptions {
  chunkSize?: number
  parallel?: number
  debug?: boolean
}
