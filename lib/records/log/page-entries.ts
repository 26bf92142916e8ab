/** The entries of log pages, with times in the order of the log. Pure. */
import type { LogPage } from '../../table/record-log.ts'
import { ENTRIES_PER_PAGE, type Entry, parseEntry } from '../format/entries.ts'

export interface PageEntry {
  seq: number
  entry: Entry
}

/**
 * Writers read the time before they append, and start with that of the pages before. So a commit is at least as late as
 * those before it on its page, and events have ids in the order of the log.
 */
export function listEntries({ page, entries }: LogPage): PageEntry[] {
  let latest = 0
  return entries.map((text, i) => {
    const entry = parseEntry(text)
    const seq = page * ENTRIES_PER_PAGE + i
    if (entry.x) return { seq, entry }
    latest = Math.max(latest, entry.t)
    return { seq, entry: { ...entry, t: latest } }
  })
}

/** An append retried after a lost response is on its page twice, so writers read a full page before moving on. */
export function listEffectiveEntries(page: LogPage): PageEntry[] {
  const seenOps = new Set<string>()
  return listEntries(page).filter(({ entry }) => {
    const isRepeated = seenOps.has(entry.o)
    seenOps.add(entry.o)
    return !isRepeated
  })
}

/** Serialized, but not before the commits that the writer has seen. */
export function postponeEntry(text: string, latest: number): string {
  const entry = parseEntry(text)
  return entry.t >= latest ? text : text.replace(`"t":${entry.t}`, `"t":${latest}`)
}
