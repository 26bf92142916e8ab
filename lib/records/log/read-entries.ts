import { type LogPage, readPage, readPagesFrom } from '../../table/record-log.ts'
import { ENTRIES_PER_PAGE, type Entry, type LoadedEntry, parseEntry } from '../format/entries.ts'
import type { State } from '../state/state.ts'
import { loadEntries } from './log.ts'
import type { Store } from './store.ts'

export interface PageEntry {
  seq: number
  text: string
  entry: Entry
}

/** An append retried after a lost response is on its page twice, so writers read a full page before moving on. */
export function listEffectiveEntries({ page, entries }: LogPage): PageEntry[] {
  const seenOps = new Set<string>()
  return entries.flatMap((text, i) => {
    const entry = parseEntry(text)
    if (seenOps.has(entry.o)) return []
    seenOps.add(entry.o)
    return [{ seq: page * ENTRIES_PER_PAGE + i, text, entry }]
  })
}

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
    const texts = pages.flatMap(({ page: at, entries }) =>
      entries.map((text, i) => ({ seq: at * ENTRIES_PER_PAGE + i, text })),
    )
    if (texts.length) yield await loadEntries(store, sheetId, texts)
    if (pages.length < PAGES_PER_BATCH) return
  }
}
