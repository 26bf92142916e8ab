/**
 * The records of a sheet as a grid needs them: by position, fetched in pages as they come into sight, the youngest few kept.
 * What changed is fetched anew while the old stays in sight. Knows no screen.
 */
import { api, ask, type Shape } from '../../shared/api/client.ts'

export type SheetRecord = Shape<'Record'>

/** Which records, in which order: the query of a list. */
export interface Query {
  filter?: 'valid' | 'error'
  filterField?: string
  searchValue?: string
  searchField?: string
  q?: string
  sortField?: string
  sortDirection?: 'asc' | 'desc'
}

export const PAGE_RECORDS = 200
/** At 200 records a page this is what a few screens of scrolling need; memory stays flat however far one scrolls. */
const PAGES_KEPT = 40
/** Pages scrolled over faster than this are never asked for. */
const SETTLE_MS = 40

interface Page {
  records: SheetRecord[]
  stale: boolean
}

interface Asked {
  stop: AbortController
  /** In the order of requests and changes. */
  began: number
  /** Something changed since it was asked: its answer may be of before. */
  stale: boolean
}

/** A value that was typed: shown over what answers say, until one that was asked for after it was written. */
interface Typed {
  value: unknown
  /** Unknown while it is on its way. */
  writtenAt?: number
}

export class RecordPages {
  readonly #sheetId: string
  readonly #query: Query
  readonly #changed: () => void
  readonly #failed: (error: unknown) => void
  #pages = new Map<number, Page>()
  #asked = new Map<number, Asked>()
  /** By record, then by field. */
  #typed = new Map<string, Map<string, Typed>>()
  #clock = 0
  #sight: [number, number] = [0, 0]
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  /** @param changed called when records came or changed */
  constructor(sheetId: string, query: Query, changed: () => void, failed: (error: unknown) => void) {
    this.#sheetId = sheetId
    this.#query = query
    this.#changed = changed
    this.#failed = failed
  }

  at(row: number): SheetRecord | undefined {
    return this.#pages.get(Math.floor(row / PAGE_RECORDS))?.records[row % PAGE_RECORDS]
  }

  /** The rows that are looked at, from one to another. */
  see(from: number, to: number): void {
    this.#sight = [Math.floor(Math.max(0, from) / PAGE_RECORDS), Math.floor(Math.max(0, to) / PAGE_RECORDS)]
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fetchSight(), this.#asked.size === 0 && this.#pages.size === 0 ? 0 : SETTLE_MS)
  }

  /** Something in the sheet changed. What is on its way comes first: where much happens, nothing else would ever come. */
  stale(): void {
    for (const page of this.#pages.values()) page.stale = true
    for (const asked of this.#asked.values()) asked.stale = true
    this.#fetchSight()
  }

  /** Shows a change before the server has it; `written` ends that. */
  set(row: number, fieldKey: string, value: unknown): void {
    const record = this.at(row)
    if (!record) return
    const typed = this.#typed.get(record.id) ?? new Map<string, Typed>()
    this.#typed.set(record.id, typed.set(fieldKey, { value }))
    this.#pages.get(Math.floor(row / PAGE_RECORDS))!.records[row % PAGE_RECORDS] = this.#withTyped(record, 0)
    this.#changed()
  }

  /** The server has these changes, or refused them: what it says from now on is shown. */
  written(cells: readonly { recordId: string; fieldKey: string; value: unknown }[]): void {
    const writtenAt = ++this.#clock
    for (const { recordId, fieldKey, value } of cells) {
      const typed = this.#typed.get(recordId)?.get(fieldKey)
      if (typed && typed.value === value) typed.writtenAt = writtenAt
    }
    this.stale()
  }

  /** The records at some rows, fetched where they are not here. */
  async all(rows: readonly number[]): Promise<SheetRecord[]> {
    const pages = [...new Set(rows.map((row) => Math.floor(row / PAGE_RECORDS)))]
    const found = new Map<number, SheetRecord[]>()
    for (const page of pages) found.set(page, this.#pages.get(page)?.records ?? (await this.#get(page)))
    return rows.flatMap((row) => found.get(Math.floor(row / PAGE_RECORDS))?.[row % PAGE_RECORDS] ?? [])
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const { stop } of this.#asked.values()) stop.abort()
  }

  get kept(): number {
    return this.#pages.size
  }

  #fetchSight(): void {
    const [from, to] = this.#sight
    for (const [page, { stop }] of this.#asked)
      if (page < from - 1 || page > to + 1) {
        stop.abort()
        this.#asked.delete(page)
      }
    for (let page = from; page <= to; page++) {
      const known = this.#pages.get(page)
      if ((!known || known.stale) && !this.#asked.has(page)) void this.#fetch(page)
    }
  }

  async #fetch(page: number): Promise<void> {
    const asked: Asked = { stop: new AbortController(), began: ++this.#clock, stale: false }
    const { signal } = asked.stop
    this.#asked.set(page, asked)
    try {
      const records = await this.#get(page, signal)
      if (signal.aborted || this.#closed) return
      this.#keep(page, records, asked)
      this.#changed()
    } catch (error) {
      if (!signal.aborted && !this.#closed) this.#failed(error)
    } finally {
      if (this.#asked.get(page) === asked) this.#asked.delete(page)
    }
    if (asked.stale && !signal.aborted && !this.#closed) this.#fetchSight()
  }

  /** The record with what was typed into it, as far as an answer that was asked for then cannot know of it. */
  #withTyped(record: SheetRecord, began: number): SheetRecord {
    const typed = this.#typed.get(record.id)
    if (!typed) return record
    const values = { ...record.values }
    for (const [fieldKey, { value, writtenAt }] of typed) {
      if (writtenAt !== undefined && writtenAt < began) typed.delete(fieldKey)
      else values[fieldKey] = { value, messages: [], valid: true }
    }
    if (typed.size === 0) this.#typed.delete(record.id)
    return { ...record, values }
  }

  /** The page longest out of sight goes first. */
  #keep(page: number, records: SheetRecord[], { began, stale }: Asked): void {
    this.#pages.delete(page)
    this.#pages.set(page, { records: records.map((each) => this.#withTyped(each, began)), stale })
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= PAGES_KEPT) return
      if (old < this.#sight[0] || old > this.#sight[1]) this.#pages.delete(old)
    }
  }

  async #get(page: number, signal?: AbortSignal): Promise<SheetRecord[]> {
    const query = { ...this.#query, pageSize: PAGE_RECORDS, pageNumber: page + 1 }
    const path = { sheetId: this.#sheetId }
    const { data } = await ask(api.GET('/api/v1/sheets/{sheetId}/records', { params: { path, query }, signal }))
    return data.records
  }
}
