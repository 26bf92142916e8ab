import type { Segment } from '../../lib/records/log/state.ts'

/** A segment as states hold it, without a row. */
export const NO_SEGMENT: Segment = {
  key: '0.0',
  rows: 0,
  blobs: [],
  inline: null,
  signature: '',
  quiet: 0,
  nulls: new Map(),
  errors: new Map(),
  deleted: null,
  deletedCount: 0,
  edits: new Map(),
  flags: new Map(),
  rewrittenAt: 0,
  runs: null,
}
