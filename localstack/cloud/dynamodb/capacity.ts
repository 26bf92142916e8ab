/**
 * What requests cost in capacity units, and how that is answered. Pure; knows items and sizes, not how they are read.
 */
import type { Item, TableDescription } from './types.ts'
import { itemBytes } from './values.ts'

export type CapacityDetail = 'NONE' | 'TOTAL' | 'INDEXES' | string | undefined

const WRITE_UNIT_BYTES = 1024
const READ_UNIT_BYTES = 4096

const sizeOf = (item: Item | undefined) => (item ? itemBytes(item) : 0)
const units = (bytes: number, unitBytes: number) => Math.max(1, Math.ceil(bytes / unitBytes))

/** The larger of the two states counts. */
export const writeUnits = (before: Item | undefined, after: Item | undefined) =>
  units(Math.max(sizeOf(before), sizeOf(after)), WRITE_UNIT_BYTES)

interface Entry {
  key: string
  item: Item
}

/** An entry that moves is deleted and put; one that stays is written once. */
export function indexUnits(old: Entry | undefined, next: Entry | undefined): number {
  if (old && next && old.key !== next.key) return writeUnits(old.item, undefined) + writeUnits(undefined, next.item)
  return writeUnits(old?.item, next?.item)
}

/** Half the price for a read that need not be consistent; a read of nothing costs as the smallest one. */
export const readUnits = (bytes: number, consistent: boolean) => units(bytes, READ_UNIT_BYTES) * (consistent ? 1 : 0.5)

/** The units of one request on one table. */
export interface Consumption {
  table: TableDescription
  tableUnits: number
  indexUnits: Record<string, number>
}

const perIndex = (entries: [string, number][]) =>
  entries.length ? Object.fromEntries(entries.map(([name, CapacityUnits]) => [name, { CapacityUnits }])) : undefined

/** The `ConsumedCapacity` of an answer; nothing unless asked for. */
export function consumedCapacity(detail: CapacityDetail, { table, tableUnits, indexUnits }: Consumption) {
  if (detail !== 'TOTAL' && detail !== 'INDEXES') return undefined
  const entries = Object.entries(indexUnits)
  const total = entries.reduce((sum, [, count]) => sum + count, tableUnits)
  const consumed = { TableName: table.TableName, CapacityUnits: total }
  if (detail === 'TOTAL') return consumed
  const isLocal = (name: string) => table.LocalSecondaryIndexes?.some((index) => index.IndexName === name)
  return {
    ...consumed,
    Table: { CapacityUnits: tableUnits },
    GlobalSecondaryIndexes: perIndex(entries.filter(([name]) => !isLocal(name))),
    LocalSecondaryIndexes: perIndex(entries.filter(([name]) => isLocal(name))),
  }
}

/** Sums what several items of one request cost, per table and in the order the tables came. */
export function byTable(parts: Consumption[]): Consumption[] {
  const sums = new Map<string, Consumption>()
  for (const part of parts) {
    const sum = sums.get(part.table.TableName) ?? { table: part.table, tableUnits: 0, indexUnits: {} }
    sum.tableUnits += part.tableUnits
    for (const [name, count] of Object.entries(part.indexUnits)) {
      sum.indexUnits[name] = (sum.indexUnits[name] ?? 0) + count
    }
    sums.set(part.table.TableName, sum)
  }
  return [...sums.values()]
}

/** Transactions cost twice: once to prepare, once to commit. */
export const twice = ({ table, tableUnits, indexUnits }: Consumption): Consumption => ({
  table,
  tableUnits: tableUnits * 2,
  indexUnits: Object.fromEntries(Object.entries(indexUnits).map(([name, count]) => [name, count * 2])),
})
