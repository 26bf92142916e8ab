import { readPage, readPagesFrom } from '../../table/record-log.ts'
import { ENTRIES_PER_PAGE, type Entry, type LoadedEntry } from '../format/entries.ts'
import type { State } from '../state/state.ts'
import { loadEntries } from './log.ts'
import { listEffectiveEntries, listEntries } from './page-entries.ts'
import type { Store } from './store.ts'

export async function readEntry(sheetId: string, seq: number): Promise<Entry | undefined> {
  const page = await readPage(sheetId, Math.floor(seq / ENTRIES_PER_PAGE))
  return page && listEffectiveEntries(page).find((candidate) => candidate.seq === seq)?.entry
}

export async function readEntries(
  store: Store,
  state: State,
  from: number,
  to = state.seq,
  isWanted: (seq: number) => boolean = () => true,
): Promise<LoadedEntry[]> {
  if (from >= to) return []
  const pages = await readPagesFrom(
    state.sheetId,
    Math.floor(from / ENTRIES_PER_PAGE),
    Math.floor((to - 1) / ENTRIES_PER_PAGE),
  )
  const effective = pages.flatMap(listEffectiveEntries).filter(({ seq }) => seq >= from && seq < to && isWanted(seq))
  return loadEntries(store, state.sheetId, effective)
}

const PAGES_PER_BATCH = 64

export async function* readAllEntries(store: Store, sheetId: string): AsyncGenerator<LoadedEntry[]> {
  for (let page = 0; ; page += PAGES_PER_BATCH) {
    const pages = await readPagesFrom(sheetId, page, page + PAGES_PER_BATCH - 1)
    const entries = pages.flatMap(listEntries)
    if (entries.length) yield await loadEntries(store, sheetId, entries)
    if (pages.length < PAGES_PER_BATCH) return
  }
}
