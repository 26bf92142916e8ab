/** View state of each sheet besides its query, in memory while the tab is open. */
import { useSyncExternalStore } from 'react'
import { createValueStore } from '../shared/storage.ts'

export interface SheetViewState {
  hidden: readonly string[]
  /** Remembered by the browser. */
  freezesFirst: boolean
  snapshotId?: string
  revision: number
}

const createFrozenStore = (sheetId: string) => createValueStore(() => localStorage, `wharf.frozen.${sheetId}`)
const viewStates = new Map<string, SheetViewState>()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function sheetView(sheetId: string): SheetViewState {
  const known = viewStates.get(sheetId)
  if (known) return known
  const state = { hidden: [], freezesFirst: createFrozenStore(sheetId).get() !== undefined, revision: 0 }
  viewStates.set(sheetId, state)
  return state
}

export function setFreezesFirst(sheetId: string, freezesFirst: boolean): void {
  const store = createFrozenStore(sheetId)
  if (freezesFirst) store.set('first')
  else store.remove()
  setSheetView(sheetId, { freezesFirst }, true)
}

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
