/** The maximum number of records per sheet, exact even with concurrent writes. */
import { message } from '../../../schemas/messages/index.ts'
import { conflict } from '../../core/errors.ts'
import { ENTRIES_PER_PAGE } from '../format/entries.ts'
import type { Store } from '../log/store.ts'
import { countRows, type Segment, type State } from '../state/state.ts'

export function assertWithinLimit(limit: number, remaining: number, added: number, current = remaining): void {
  if (added > 0 && remaining + added > limit) throw conflict(message('records.sheetFull', { count: limit, current }))
}

/** Larger adds are appended as guarded entries, so concurrent adds cannot exceed the limit together. */
export const MAX_UNGUARDED_ADD = 10_000

/** Room for a page of small adds that other writers append before this one, so that an append need not be exact. */
const CONCURRENT_ADDS_MARGIN = (ENTRIES_PER_PAGE - 1) * MAX_UNGUARDED_ADD

export const hasRoom = (limit: number, state: State, added: number): boolean =>
  countRows(state) + added + CONCURRENT_ADDS_MARGIN <= limit

export const exceedsEditLimit = (
  { editedRows }: Pick<Store, 'editedRows'>,
  { edits }: Segment,
  rows: number,
): boolean => edits.size + rows > editedRows
