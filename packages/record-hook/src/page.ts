import type { LinkedRecord, RecordValue } from './types.ts'

export interface WireMessage {
  type: string
  source: string
  message: string
  path?: string
}

interface WireRecord {
  values: Record<string, { value: RecordValue }>
}

export interface ColumnReply {
  count: number
  ids: readonly { prefix: string; first: number; count: number }[]
  columns: Record<string, RecordValue[]>
  messages: readonly { row: number; field: string; messages: WireMessage[] }[]
  metadata: readonly { row: number; value: object }[]
  config: readonly { row: number; value: object }[]
  links: readonly { row: number; field: string; links: WireRecord[] }[]
}

export interface Column {
  readonly key: string
  readonly original: readonly unknown[]
  values: readonly unknown[]
}

export interface Page {
  readonly count: number
  readonly columns: ReadonlyMap<string, Column>
  readonly hookMessages: ReadonlyMap<number, ReadonlyMap<string, readonly WireMessage[]>>
  readonly metadata: ReadonlyMap<number, object>
  readonly config: ReadonlyMap<number, object>
  readonly links: ReadonlyMap<string, ReadonlyMap<number, LinkedRecord[]>>
  getId(row: number): string
}

const HOOK_SOURCE = 'custom-logic'

export function readPage(reply: ColumnReply): Page {
  const hookMessages = new Map<number, Map<string, WireMessage[]>>()
  for (const { row, field, messages } of reply.messages) {
    const own = messages.filter(({ source }) => source === HOOK_SOURCE)
    if (own.length) getOrInsert(hookMessages, row, () => new Map<string, WireMessage[]>()).set(field, own)
  }
  const links = new Map<string, Map<number, LinkedRecord[]>>()
  for (const { row, field, links: found } of reply.links) {
    if (!found.length || !reply.columns[field]?.[row]) continue
    getOrInsert(links, field, () => new Map<number, LinkedRecord[]>()).set(row, found.map(toLinkedRecord))
  }
  return {
    count: reply.count,
    columns: new Map(
      Object.entries(reply.columns).map(([key, values]) => [key, { key, original: values, values } satisfies Column]),
    ),
    hookMessages,
    metadata: new Map(reply.metadata.map(({ row, value }) => [row, value])),
    config: new Map(reply.config.map(({ row, value }) => [row, value])),
    links,
    getId: createIdLookup(reply.ids),
  }
}

const toLinkedRecord = ({ values }: WireRecord): LinkedRecord =>
  Object.fromEntries(Object.entries(values).map(([key, cell]) => [key, cell.value as LinkedRecord[string]]))

function createIdLookup(ranges: ColumnReply['ids']): (row: number) => string {
  const starts: number[] = []
  let total = 0
  for (const { count } of ranges) {
    starts.push(total)
    total += count
  }
  return (row) => {
    let low = 0
    for (let high = starts.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= row) low = middle
      else high = middle - 1
    }
    const { prefix, first } = ranges[low]!
    return `${prefix}${first + row - starts[low]!}`
  }
}

function getOrInsert<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const value = create()
  map.set(key, value)
  return value
}

export function writeCell(column: Column, row: number, value: unknown): void {
  if (column.values === column.original) column.values = column.original.slice()
  ;(column.values as unknown[])[row] = value
}
