/** Data types of the record engine. They are structural, so that the zod types of schemas/ fit without conversion. */

import type { PossibleRule } from '../../schemas/sheets/rules.ts'

/** `type` is one of the public field types; an unknown type accepts any value. */
export interface Field {
  key: string
  type: string
  label?: string | null
  constraints?: readonly PossibleRule[] | null
  config?: unknown
  isArray?: boolean | null
  multi?: boolean | null
}

/** `unique` and rules are enforced here; other constraints are run by listeners. */
export interface SheetConstraint extends PossibleRule {
  name?: string | null
  fields?: readonly string[] | null
  requiredFields?: readonly string[] | null
  strategy?: string | null
}

/** A sheet as the engine sees it. Field order is the cell order in responses. */
export interface SheetRef {
  sheetId: string
  fields: readonly Field[]
  constraints?: readonly SheetConstraint[] | null
  /** The sheet a reference field refers to by slug; called at most once per request. */
  findLinkedSheet?: (slug: string) => Promise<SheetRef | undefined>
  /** Reads part of a large sheet in another function; without it, one function reads the whole sheet. */
  readPart?: ((request: PartRequest) => Promise<unknown>) | undefined
}

export interface PartRequest {
  read: string
  sheet: Pick<SheetRef, 'sheetId' | 'fields' | 'constraints'>
  /** A manifest in base64: all parts read the version that the caller read. */
  segments: string
  selection: Selection
  query: unknown
}

export type Level = 'error' | 'warn' | 'info'

/** Clients can only store messages of source `custom-logic`. */
export interface Message {
  type: Level
  source: string
  message: string
  field?: string
  path?: string
  original?: string
}

export interface MessageInput {
  type?: string | null
  source?: string | null
  message?: string | null
  field?: string | null
  path?: string | null
}

/** Without `value` the value is unchanged, `null` clears it; `messages` replaces the hooks' messages. */
export interface CellInput {
  value?: unknown
  messages?: readonly MessageInput[] | null
}

export type JsonObject = { [key: string]: unknown }
export type CellInputs = { readonly [field: string]: CellInput }

export interface RecordInput {
  values: CellInputs
  metadata?: JsonObject | null
  config?: JsonObject | null
}

export interface RecordUpdate {
  id: string
  values?: CellInputs | null
  metadata?: JsonObject | null
  config?: JsonObject | null
}

export interface Cell {
  value: unknown
  messages: Message[]
  valid: boolean
  links?: WireRecord[]
}

export interface WireRecord {
  id: string
  values: { [field: string]: Cell }
  valid: boolean
  metadata: JsonObject
  config: JsonObject
}

/** The same `op` appended twice counts once. */
export interface WriteContext {
  op: string
  actorId: string
  /** A function is called at append time, so a long import gets the time of its commit. */
  at: string | Date | (() => Date)
  /** Small JSON on the log entry, from which events are rebuilt after a crash. */
  event?: object
  silent?: boolean
  /** Throws if the write must not follow this state. Called before the rows are read and before each append. */
  assertUnchanged?: ((newest: SheetPosition) => Promise<void>) | undefined
}

/** The version changes with every entry of the log, the newest commit only with those that change values. */
export interface SheetPosition {
  version: number
  commitId: string | undefined
}

export interface Counts {
  total: number
  valid: number
  error: number
}

export interface FieldCounts extends Counts {
  empty: number
}

export interface CellChange {
  recordId: string
  fieldKey: string
  previousValue: unknown
  newValue: unknown
}

/** Times are ISO-8601 UTC. */
export interface Commit {
  id: string
  sheetId: string
  createdBy: string
  createdAt: string
  completedBy?: string
  completedAt?: string
  op: string
}

export interface Selection {
  filter?: 'valid' | 'error' | 'all' | 'none'
  filterField?: string
  /** Only these records; with a `filter` of valid, error or all, a search or `q`, all records except these. */
  ids?: readonly string[]
  commitId?: string
  part?: { number: number; of: number }
  sinceCommitId?: string
  /** Ignores case; double quotes match the whole value, `""` finds empty cells, an empty text matches all rows. */
  search?: { value: string; field?: string }
  q?: string
  /** A commit id: reads the sheet as it was right after that commit; fields added later are empty. */
  asOf?: string
  where?: { fields: readonly string[]; test: (values: (field: string) => unknown) => boolean }
}

export interface ListQuery extends Selection {
  /** Default 10,000. */
  pageSize?: number
  /** From 1, the default. */
  pageNumber?: number
  sort?: { field: string; direction: 'asc' | 'desc' }
  fields?: readonly string[]
  /** Default true; false returns empty `messages`, while `valid` still reflects them. */
  includeMessages?: boolean
  /** Adds at most 10 referenced records per value as `links`; with `found`, only where there are some. */
  includeLinks?: boolean | 'found'
  includeLength?: boolean
}
