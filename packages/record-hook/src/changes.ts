import type { Page, WireMessage } from './page.ts'
import type { PageRecord } from './record.ts'

interface ColumnChange {
  rows: number[]
  values: unknown[]
}

export interface Changes {
  ids: string[]
  columns: Record<string, ColumnChange>
  messages: { row: number; field: string; messages: WireMessage[] }[]
  metadata: { row: number; value: object }[]
  config: { row: number; value: object }[]
}

export function findChanges(page: Page, records: readonly PageRecord[]): Changes | undefined {
  const changes: Changes = { ids: [], columns: {}, messages: [], metadata: [], config: [] }
  const positions = new Int32Array(page.count).fill(-1)
  const toPosition = (row: number): number => {
    if (positions[row]! < 0) positions[row] = changes.ids.push(page.getId(row)) - 1
    return positions[row]!
  }
  addCells(page, records, changes, toPosition)
  for (const record of records) {
    addMessages(page, record, changes, toPosition)
    addObjects(page, record, changes, toPosition)
  }
  return changes.ids.length ? changes : undefined
}

type ToPosition = (row: number) => number

function addCells(page: Page, records: readonly PageRecord[], { columns }: Changes, toPosition: ToPosition): void {
  const withData = records.filter(({ data }) => data)
  for (const { key, original, values } of page.columns.values()) {
    const change: ColumnChange = { rows: [], values: [] }
    const add = (row: number, raw: unknown) => {
      const value = toWritten(raw)
      if (value === undefined || isEqual(value, original[row])) return
      change.rows.push(toPosition(row))
      change.values.push(value)
    }
    if (values !== original)
      for (let row = 0; row < values.length; row++)
        if (values[row] !== original[row] && !records[row]!.data) add(row, values[row])
    for (const { row, data } of withData) add(row, data![key])
    if (change.rows.length) columns[key] = change
  }
}

const toWritten = (raw: unknown): unknown =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as { value?: unknown }).value : raw

const isEqual = (a: unknown, b: unknown): boolean =>
  a === b ||
  (typeof a === 'object' &&
    typeof b === 'object' &&
    a !== null &&
    b !== null &&
    JSON.stringify(a) === JSON.stringify(b))

function addMessages(page: Page, record: PageRecord, changes: Changes, toPosition: ToPosition): void {
  const { row, messages } = record
  const before = page.hookMessages.get(row)
  if (!before && !messages) return
  const fields = new Set([...(before?.keys() ?? []), ...(messages ?? []).map(({ field }) => field)])
  for (const field of fields) {
    const old = before?.get(field) ?? []
    const own = (messages ?? []).filter((message) => message.field === field).map(toWireMessage)
    const isSame = old.length === own.length && own.every((message, i) => isSameMessage(message, old[i]!))
    // A new value clears the messages of hooks, so they are written again.
    if (!isSame || isChanged(page, record, field)) changes.messages.push({ row: toPosition(row), field, messages: own })
  }
}

function isChanged(page: Page, { row, data }: PageRecord, field: string): boolean {
  const { original, values } = page.columns.get(field)!
  const value = toWritten(data ? data[field] : values[row])
  return value !== undefined && !isEqual(value, original[row])
}

const toWireMessage = ({
  level,
  message,
  path,
}: {
  level: string
  message: string
  path?: string | undefined
}): WireMessage => ({ type: level, source: 'custom-logic', message, ...(path === undefined ? {} : { path }) })

const isSameMessage = (a: WireMessage, b: WireMessage): boolean =>
  a.type === b.type && a.message === b.message && a.path === b.path

function addObjects(page: Page, { row, metadata, config = {} }: PageRecord, changes: Changes, toPosition: ToPosition) {
  if (metadata && !isSameObject(metadata, page.metadata.get(row) ?? {}))
    changes.metadata.push({ row: toPosition(row), value: metadata })
  if (!isSameObject(config, page.config.get(row) ?? NO_CONFIG))
    changes.config.push({ row: toPosition(row), value: config })
}

const NO_CONFIG = {}

function isSameObject(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => isSameObject((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  )
}
