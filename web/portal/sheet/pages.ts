/** Record cache of a sheet, in pages by position. Changed pages stay visible while they reload. */
import { api, type Shape, unwrap } from '../../shared/api/client.ts'

export type SheetRecord = Shape<'Record'>

export interface Query {
  filter?: 'valid' | 'error'
  filterField?: string
  searchValue?: string
  searchField?: string
  q?: string
  sortField?: string
  sortDirection?: 'asc' | 'desc'
}

export const RECORDS_PER_PAGE = 200
/** Enough for a few screens of scrolling, with constant memory. */
const MAX_CACHED_PAGES = 40
/** Pages that scroll by faster are not requested. */
const SCROLL_DEBOUNCE_MS = 40

interface Page {
  records: SheetRecord[]
  stale: boolean
}

interface PageRequest {
  stop: AbortController
  sequence: number
  stale: boolean
}

/** An edited value, shown until a response to a later request arrives. */
interface PendingEdit {
  value: unknown
  writtenAt?: number
}

export class RecordPages {
  readonly #sheetId: string
  readonly #query: Query
  readonly #changed: () => void
  readonly #failed: (error: unknown) => void
  #pages = new Map<number, Page>()
  #asked = new Map<number, PageRequest>()
  #typed = new Map<string, Map<string, PendingEdit>>()
  #clock = 0
  #sight: [number, number] = [0, 0]
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(sheetId: string, query: Query, changed: () => void, failed: (error: unknown) => void) {
    this.#sheetId = sheetId
    this.#query = query
    this.#changed = changed
    this.#failed = failed
  }

  at(row: number): SheetRecord | undefined {
    return this.#pages.get(Math.floor(row / RECORDS_PER_PAGE))?.records[row % RECORDS_PER_PAGE]
  }

  setVisibleRows(from: number, to: number): void {
    this.#sight = [Math.floor(Math.max(0, from) / RECORDS_PER_PAGE), Math.floor(Math.max(0, to) / RECORDS_PER_PAGE)]
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => this.#fetchSight(),
      this.#asked.size === 0 && this.#pages.size === 0 ? 0 : SCROLL_DEBOUNCE_MS,
    )
  }

  /** Does not abort pending requests, which would starve under frequent changes. */
  markStale(): void {
    for (const page of this.#pages.values()) page.stale = true
    for (const request of this.#asked.values()) request.stale = true
    this.#fetchSight()
  }

  /** Shows an edit optimistically, until `confirmEdits` is called. */
  setValue(row: number, fieldKey: string, value: unknown): void {
    const record = this.at(row)
    if (!record) return
    const pendingEdits = this.#typed.get(record.id) ?? new Map<string, PendingEdit>()
    this.#typed.set(record.id, pendingEdits.set(fieldKey, { value }))
    this.#pages.get(Math.floor(row / RECORDS_PER_PAGE))!.records[row % RECORDS_PER_PAGE] = this.#withTyped(record, 0)
    this.#changed()
  }

  confirmEdits(cells: readonly { recordId: string; fieldKey: string; value: unknown }[]): void {
    const writtenAt = ++this.#clock
    for (const { recordId, fieldKey, value } of cells) {
      const pendingEdits = this.#typed.get(recordId)?.get(fieldKey)
      if (pendingEdits && pendingEdits.value === value) pendingEdits.writtenAt = writtenAt
    }
    this.markStale()
  }

  async fetchRows(rows: readonly number[]): Promise<SheetRecord[]> {
    const pages = [...new Set(rows.map((row) => Math.floor(row / RECORDS_PER_PAGE)))]
    const recordsByPage = new Map<number, SheetRecord[]>()
    for (const page of pages) recordsByPage.set(page, this.#pages.get(page)?.records ?? (await this.#get(page)))
    return rows.flatMap((row) => recordsByPage.get(Math.floor(row / RECORDS_PER_PAGE))?.[row % RECORDS_PER_PAGE] ?? [])
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const { stop } of this.#asked.values()) stop.abort()
  }

  get cachedPageCount(): number {
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
      const cachedPage = this.#pages.get(page)
      if ((!cachedPage || cachedPage.stale) && !this.#asked.has(page)) void this.#fetch(page)
    }
  }

  async #fetch(page: number): Promise<void> {
    const request: PageRequest = { stop: new AbortController(), sequence: ++this.#clock, stale: false }
    const { signal } = request.stop
    this.#asked.set(page, request)
    try {
      const records = await this.#get(page, signal)
      if (signal.aborted || this.#closed) return
      this.#keep(page, records, request)
      this.#changed()
    } catch (error) {
      if (!signal.aborted && !this.#closed) this.#failed(error)
    } finally {
      if (this.#asked.get(page) === request) this.#asked.delete(page)
    }
    if (request.stale && !signal.aborted && !this.#closed) this.#fetchSight()
  }

  #withTyped(record: SheetRecord, sequence: number): SheetRecord {
    const pendingEdits = this.#typed.get(record.id)
    if (!pendingEdits) return record
    const values = { ...record.values }
    for (const [fieldKey, { value, writtenAt }] of pendingEdits) {
      if (writtenAt !== undefined && writtenAt < sequence) pendingEdits.delete(fieldKey)
      else values[fieldKey] = { value, messages: [], valid: true }
    }
    if (pendingEdits.size === 0) this.#typed.delete(record.id)
    return { ...record, values }
  }

  #keep(page: number, records: SheetRecord[], { sequence, stale }: PageRequest): void {
    this.#pages.delete(page)
    this.#pages.set(page, { records: records.map((each) => this.#withTyped(each, sequence)), stale })
    for (const oldPage of this.#pages.keys()) {
      if (this.#pages.size <= MAX_CACHED_PAGES) return
      if (oldPage < this.#sight[0] || oldPage > this.#sight[1]) this.#pages.delete(oldPage)
    }
  }

  async #get(page: number, signal?: AbortSignal): Promise<SheetRecord[]> {
    const query = { ...this.#query, pageSize: RECORDS_PER_PAGE, pageNumber: page + 1 }
    const path = { sheetId: this.#sheetId }
    const { data } = await unwrap(api.GET('/api/v1/sheets/{sheetId}/records', { params: { path, query }, signal }))
    return data.records
  }
}
