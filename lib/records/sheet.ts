/**
 * The shapes the record engine speaks: what a sheet is to it, what goes in and what comes out. Structural on purpose, so
 * the zod shapes of schemas/ fit without a conversion. Knows no storage, no HTTP and no accounts.
 */

/** A field of a sheet. `type` is one of the public field types; an unknown type takes any value. */
export interface Field {
  key: string
  type: string
  label?: string | null
  constraints?: readonly { type: string; config?: unknown }[] | null
  config?: unknown
  isArray?: boolean | null
  multi?: boolean | null
}

/** A constraint over several fields; only `unique` is enforced here, others are run by listeners. */
export interface SheetConstraint {
  type: string
  name?: string | null
  fields?: readonly string[] | null
  requiredFields?: readonly string[] | null
  strategy?: string | null
  config?: unknown
}

/** All the engine knows of a sheet. Field order is the order of the cells in answers. */
export interface SheetRef {
  sheetId: string
  fields: readonly Field[]
  constraints?: readonly SheetConstraint[] | null
  /** The sheet a reference field names by its slug; undefined when there is none. Asked once a request at most. */
  linked?: (slug: string) => Promise<SheetRef | undefined>
}

export type Level = 'error' | 'warn' | 'info'

/** A message on a cell. `source` says who made it; only `custom-logic` ones are stored as given. */
export interface Message {
  type: Level
  source: string
  message: string
  field?: string
  path?: string
}

/** A message as a client sends it; sources the platform computes itself are ignored. */
export interface MessageInput {
  type?: string | null
  source?: string | null
  message?: string | null
  field?: string | null
  path?: string | null
}

/** A cell as it comes in: without `value` the value stays, `null` clears it; `messages` replace the hooks' messages. */
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

/** A partial change of one record: what is absent stays. */
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
  /** With `includeLinks`, in reference fields. */
  links?: WireRecord[]
}

/** A record as answers carry it: every field of the sheet has a cell. */
export interface WireRecord {
  id: string
  values: { [field: string]: Cell }
  valid: boolean
  metadata: JsonObject
  config: JsonObject
}

/** Who writes, when, and under which operation id: the same `op` appended twice counts once. */
export interface WriteContext {
  op: string
  actorId: string
  /** A function is asked when the entry is appended: a long import then has the time of its commit, not of its start. */
  at: string | Date | (() => Date)
  /** Small JSON kept on the log entry, from which the commit's events are rebuilt after a crash. */
  event?: object
  /** Kept on the entry: the events of this commit are not to be emitted. */
  silent?: boolean
}

export interface Counts {
  total: number
  valid: number
  error: number
}

/** Of one field: cells in all, without and with an error, and empty ones. */
export interface FieldCounts extends Counts {
  empty: number
}

/** One cell a commit changed. */
export interface CellChange {
  recordId: string
  fieldKey: string
  previousValue: unknown
  newValue: unknown
}

/** A commit as the API lists it. Times are ISO-8601 UTC. */
export interface Commit {
  id: string
  sheetId: string
  createdBy: string
  createdAt: string
  completedBy?: string
  completedAt?: string
}

/** Which records a read or a removal means. */
export interface Selection {
  /** `error`: records with an error; `valid`: without; `all`: every one; `none`: not any. */
  filter?: 'valid' | 'error' | 'all' | 'none'
  /** Restricts `filter` to the cells of one field. */
  filterField?: string
  /** Without a `filter` of valid, error or all, a search and `q`: only these; with one of them: all but these. */
  ids?: readonly string[]
  /** Only records created or changed in this commit. */
  commitId?: string
  /** Only records created or changed after this commit. */
  sinceCommitId?: string
  /** A text to find, ignoring case; in double quotes the whole value; `""` finds empty cells; no text, no search. */
  search?: { value: string; field?: string }
  /** A condition in the query language FFQL, see ffql/parser.ts; a blank one counts as none. */
  q?: string
  /**
   * A commit id of this sheet: the records as they were right after that commit. Only for reads; cells of fields that came
   * later are empty.
   */
  asOf?: string
  /** A further test on the values of the named fields. */
  where?: { fields: readonly string[]; test: (values: (field: string) => unknown) => boolean }
}

export interface ListQuery extends Selection {
  /** Default 10,000. */
  pageSize?: number
  /** From 1, the default. */
  pageNumber?: number
  sort?: { field: string; direction: 'asc' | 'desc' }
  /** Only these fields' cells; default all. */
  fields?: readonly string[]
  /** Default true; false answers empty `messages` (`valid` stays true to them). */
  includeMessages?: boolean
  /** Gives cells of reference fields the records they refer to as `links`: of each value the first 10. */
  /** `found`: a cell has `links` only where it links. */
  includeLinks?: boolean | 'found'
  /** Also count the selected records over all pages. */
  includeLength?: boolean
}
