/** How many records a sheet may hold, judged exactly also when several write at once. Pure. */
import { conflict } from '../../core/errors.ts'
import { PAGE_ENTRIES } from '../log/fold.ts'
import { type State, totalRows } from '../log/state.ts'

/** @throws ApiError conflict when the rows do not fit beside the `kept` ones */
export function refusePastLimit(limit: number, kept: number, added: number, has = kept): void {
  if (added > 0 && kept + added > limit) throw conflict(`A sheet holds at most ${limit} records; this one has ${has}.`)
}

/** A write that adds more never goes into the log unnoticed by other writers that add. */
export const SMALL_ADD = 10_000

/**
 * Between a writer's look at the log and its append others may append, up to a page's entries. They are small adds, all
 * others being guarded: with room for them all an add needs not be appended exactly.
 */
const MARGIN = (PAGE_ENTRIES - 1) * SMALL_ADD

export const hasRoom = (limit: number, state: State, added: number): boolean =>
  totalRows(state) + added + MARGIN <= limit
