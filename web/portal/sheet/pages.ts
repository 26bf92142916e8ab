/** Record cache of a sheet, in pages by position. Changed pages stay visible while they reload. */
import { api, type Shape, unwrap } from '../../shared/api/client.ts'
import type { paths } from '../../shared/api/schema.generated.ts'

export type SheetRecord = Shape<'Record'>

export interface Query {
  filter?: 'valid' | 'error' | 'warning'
  filterField?: string
  searchValue?: string
  searchField?: string
  q?: string
  sortField?: string
  sortDirection?: 'asc' | 'desc'
}

export type Selection = Omit<Query, 'filter' | 'sortField' | 'sortDirection'> & {
  filter?: 'valid' | 'error' | undefined
}

/** The API finds warnings by the query language. */
export function toSelection({ sortField: _field, sortDirection: _direction, ...query }: Query): Selection {
  const { filter, filterField, q, ...search } = query
  if (filter !== 'warning') return { ...query, filter }
  const warning = filterField ? `${JSON.stringify(filterField)} is warning` : 'is warning'
  return { ...search, q: q ? `(${q}) and ${warning}` : warning }
}

const MAX_IDS_PER_CALL = 100
export const RECORDS_PER_PAGE = 200
const MAX_CACHED_PAGES = 40
const SCROLL_DEBOUNCE_MS = 40

type RecordsQuery = paths['/api/v1/sheets/{sheetId}/records']['get']['parameters']['query']

interface Page {
  records: SheetRecord[]
  stale: boolean
}

interface PageRequest {
  stop: AbortController
  sequence: number
  stale: boolean
}

interface PendingEdit {
  value: unknown
  writtenAt?: number
}

export class RecordPages {
  readonly #sheetId: string
  readonly #query: Query
  readonly #onChange: () => void
  readonly #onError: (error: unknown) => void
  #pages = new Map<number, Page>()
  #requests = new Map<number, PageRequest>()
  #edits = new Map<string, Map<string, PendingEdit>>()
  #clock = 0
  #visiblePages: [number, number] = [0, 0]
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false
  #version: string | undefined
  #heldVersion: string | undefined

  constructor(sheetId: string, query: Query, onChange: () => void, onError: (error: unknown) => void) {
    this.#sheetId = sheetId
    this.#query = query
    this.#onChange = onChange
    this.#onError = onError
  }

  at(row: number): SheetRecord | undefined {
    return this.#pages.get(Math.floor(row / RECORDS_PER_PAGE))?.records[row % RECORDS_PER_PAGE]
  }

  setVisibleRows(from: number, to: number): void {
    this.#visiblePages = [
      Math.floor(Math.max(0, from) / RECORDS_PER_PAGE),
      Math.floor(Math.max(0, to) / RECORDS_PER_PAGE),
    ]
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => this.#fetchVisible(),
      this.#requests.size === 0 && this.#pages.size === 0 ? 0 : SCROLL_DEBOUNCE_MS,
    )
  }

  /** Does not abort pending requests, which would starve under frequent changes. */
  markStale(): void {
    for (const page of this.#pages.values()) page.stale = true
    for (const request of this.#requests.values()) request.stale = true
    this.#fetchVisible()
  }

  /** Records keep their positions, also those that the query no longer selects. */
  get isHeld(): boolean {
    return this.#heldVersion !== undefined
  }

  setValue(row: number, fieldKey: string, value: unknown): void {
    const record = this.at(row)
    if (!record) return
    if (Object.keys(this.#query).length > 0) this.#heldVersion ??= this.#version
    const pendingEdits = this.#edits.get(record.id) ?? new Map<string, PendingEdit>()
    this.#edits.set(record.id, pendingEdits.set(fieldKey, { value }))
    this.#pages.get(Math.floor(row / RECORDS_PER_PAGE))!.records[row % RECORDS_PER_PAGE] = this.#withEdits(record, 0)
    this.#onChange()
  }

  confirmEdits(cells: readonly { recordId: string; fieldKey: string; value: unknown }[]): void {
    const writtenAt = ++this.#clock
    for (const { recordId, fieldKey, value } of cells) {
      const pendingEdits = this.#edits.get(recordId)?.get(fieldKey)
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
    for (const { stop } of this.#requests.values()) stop.abort()
  }

  get cachedPageCount(): number {
    return this.#pages.size
  }

  #fetchVisible(): void {
    const [from, to] = this.#visiblePages
    for (const [page, { stop }] of this.#requests)
      if (page < from - 1 || page > to + 1) {
        stop.abort()
        this.#requests.delete(page)
      }
    for (let page = from; page <= to; page++) {
      const cachedPage = this.#pages.get(page)
      if ((!cachedPage || cachedPage.stale) && !this.#requests.has(page)) void this.#fetch(page)
    }
  }

  async #fetch(page: number): Promise<void> {
    const request: PageRequest = { stop: new AbortController(), sequence: ++this.#clock, stale: false }
    const { signal } = request.stop
    this.#requests.set(page, request)
    try {
      const records = await this.#get(page, signal)
      if (signal.aborted || this.#closed) return
      this.#cache(page, records, request)
      this.#onChange()
    } catch (error) {
      if (!signal.aborted && !this.#closed) this.#onError(error)
    } finally {
      if (this.#requests.get(page) === request) this.#requests.delete(page)
    }
    if (request.stale && !signal.aborted && !this.#closed) this.#fetchVisible()
  }

  #withEdits(record: SheetRecord, sequence: number): SheetRecord {
    const pendingEdits = this.#edits.get(record.id)
    if (!pendingEdits) return record
    const values = { ...record.values }
    for (const [fieldKey, { value, writtenAt }] of pendingEdits) {
      if (writtenAt !== undefined && writtenAt < sequence) pendingEdits.delete(fieldKey)
      else values[fieldKey] = { value, messages: [], valid: true }
    }
    if (pendingEdits.size === 0) this.#edits.delete(record.id)
    return { ...record, values }
  }

  #cache(page: number, records: SheetRecord[], { sequence, stale }: PageRequest): void {
    this.#pages.delete(page)
    this.#pages.set(page, { records: records.map((record) => this.#withEdits(record, sequence)), stale })
    for (const oldPage of this.#pages.keys()) {
      if (this.#pages.size <= MAX_CACHED_PAGES) return
      if (oldPage < this.#visiblePages[0] || oldPage > this.#visiblePages[1]) this.#pages.delete(oldPage)
    }
  }

  async #get(page: number, signal?: AbortSignal): Promise<SheetRecord[]> {
    const { sortField, sortDirection } = this.#query
    const asOfCommitId = this.#heldVersion
    const query = {
      ...toSelection(this.#query),
      ...{ sortField, sortDirection, asOfCommitId, pageSize: RECORDS_PER_PAGE, pageNumber: page + 1 },
    }
    const { records, commitId } = await this.#request(query, signal)
    if (asOfCommitId === undefined) {
      this.#version = commitId
      return records
    }
    const current = await this.#getCurrent(records, signal)
    return records.map((record) => current.get(record.id) ?? record)
  }

  async #getCurrent(records: readonly SheetRecord[], signal?: AbortSignal): Promise<Map<string, SheetRecord>> {
    const batches: string[][] = []
    for (let from = 0; from < records.length; from += MAX_IDS_PER_CALL)
      batches.push(records.slice(from, from + MAX_IDS_PER_CALL).map(({ id }) => id))
    const lists = await Promise.all(batches.map((ids) => this.#request({ ids }, signal)))
    return new Map(lists.flatMap((list) => list.records.map((record) => [record.id, record] as const)))
  }

  async #request(query: RecordsQuery, signal?: AbortSignal) {
    const params = { path: { sheetId: this.#sheetId }, query }
    return (await unwrap(api.GET('/api/v1/sheets/{sheetId}/records', { params, signal }))).data
  }
}
