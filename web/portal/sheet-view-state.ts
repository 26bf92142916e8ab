/** View state of each sheet (query and hidden columns), in memory while the tab is open. */
import { useSyncExternalStore } from 'react'
import type { Query } from './sheet/pages.ts'

export interface SheetViewState {
  query: Query
  hidden: readonly string[]
  snapshotId?: string
  revision: number
}

const DEFAULT_VIEW: SheetViewState = { query: {}, hidden: [], revision: 0 }
const viewStates = new Map<string, SheetViewState>()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const sheetView = (sheetId: string): SheetViewState => viewStates.get(sheetId) ?? DEFAULT_VIEW

export const useSheetView = (sheetId: string): SheetViewState =>
  useSyncExternalStore(subscribe, () => sheetView(sheetId))

export function setSheetView(
  sheetId: string,
  next: Partial<Omit<SheetViewState, 'revision'>>,
  isFromToolbar = false,
): void {
  const previous = sheetView(sheetId)
  viewStates.set(sheetId, { ...previous, ...next, revision: previous.revision + (isFromToolbar ? 0 : 1) })
  for (const listener of listeners) listener()
}

export function clearFilters(sheetIds: readonly string[] | null | undefined): void {
  for (const sheetId of sheetIds ?? [...viewStates.keys()]) setSheetView(sheetId, { query: {} })
}
