/**
 * How each sheet is shown: which records, without which columns. Kept while the tab is open, and changed from outside by what
 * follows a job.
 */
import { useSyncExternalStore } from 'react'
import type { Query } from './sheet/pages.ts'

export interface Showing {
  query: Query
  hidden: readonly string[]
  /** A snapshot that is to be looked at. */
  snapshotId?: string
  /** Grows when somebody else than the toolbar changed the query. */
  revision: number
}

const PLAIN: Showing = { query: {}, hidden: [], revision: 0 }
const kept = new Map<string, Showing>()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const showing = (sheetId: string): Showing => kept.get(sheetId) ?? PLAIN

export const useShowing = (sheetId: string): Showing => useSyncExternalStore(subscribe, () => showing(sheetId))

export function show(sheetId: string, next: Partial<Omit<Showing, 'revision'>>, byToolbar = false): void {
  const before = showing(sheetId)
  kept.set(sheetId, { ...before, ...next, revision: before.revision + (byToolbar ? 0 : 1) })
  for (const listener of listeners) listener()
}

/** All records in their own order; columns stay as they are. */
export function clearFilters(sheetIds: readonly string[] | null | undefined): void {
  for (const sheetId of sheetIds ?? [...kept.keys()]) show(sheetId, { query: {} })
}
