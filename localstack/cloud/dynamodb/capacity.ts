/** Capacity units of requests, and their `ConsumedCapacity` in responses. Pure. */
import type { Item, TableDescription } from './types.ts'
import { measureItem } from './values.ts'

export type CapacityDetail = 'NONE' | 'TOTAL' | 'INDEXES' | string | undefined

const WRITE_UNIT_BYTES = 1024
const READ_UNIT_BYTES = 4096

const measureOptional = (item: Item | undefined) => (item ? measureItem(item) : 0)
const toUnits = (bytes: number, unitBytes: number) => Math.max(1, Math.ceil(bytes / unitBytes))

export const countWriteUnits = (before: Item | undefined, after: Item | undefined) =>
  toUnits(Math.max(measureOptional(before), measureOptional(after)), WRITE_UNIT_BYTES)

interface Entry {
  key: string
  item: Item
}

/** A moved entry is deleted and put; one that keeps its key is written once. */
export function countIndexUnits(oldEntry: Entry | undefined, newEntry: Entry | undefined): number {
  if (oldEntry && newEntry && oldEntry.key !== newEntry.key)
    return countWriteUnits(oldEntry.item, undefined) + countWriteUnits(undefined, newEntry.item)
  return countWriteUnits(oldEntry?.item, newEntry?.item)
}

/** Eventually consistent reads cost half; reading nothing costs the minimum. */
export const countReadUnits = (bytes: number, consistent: boolean) =>
  toUnits(bytes, READ_UNIT_BYTES) * (consistent ? 1 : 0.5)

export interface Consumption {
  table: TableDescription
  tableUnits: number
  indexUnits: Record<string, number>
}

const toIndexCapacity = (entries: [string, number][]) =>
  entries.length ? Object.fromEntries(entries.map(([name, CapacityUnits]) => [name, { CapacityUnits }])) : undefined

export function toConsumedCapacity(detail: CapacityDetail, { table, tableUnits, indexUnits }: Consumption) {
  if (detail !== 'TOTAL' && detail !== 'INDEXES') return undefined
  const entries = Object.entries(indexUnits)
  const total = entries.reduce((sum, [, count]) => sum + count, tableUnits)
  const consumed = { TableName: table.TableName, CapacityUnits: total }
  if (detail === 'TOTAL') return consumed
  const isLocal = (name: string) => table.LocalSecondaryIndexes?.some((index) => index.IndexName === name)
  return {
    ...consumed,
    Table: { CapacityUnits: tableUnits },
    GlobalSecondaryIndexes: toIndexCapacity(entries.filter(([name]) => !isLocal(name))),
    LocalSecondaryIndexes: toIndexCapacity(entries.filter(([name]) => isLocal(name))),
  }
}

export function sumByTable(consumptions: Consumption[]): Consumption[] {
  const sums = new Map<string, Consumption>()
  for (const consumption of consumptions) {
    const sum = sums.get(consumption.table.TableName) ?? { table: consumption.table, tableUnits: 0, indexUnits: {} }
    sum.tableUnits += consumption.tableUnits
    for (const [name, count] of Object.entries(consumption.indexUnits)) {
      sum.indexUnits[name] = (sum.indexUnits[name] ?? 0) + count
    }
    sums.set(consumption.table.TableName, sum)
  }
  return [...sums.values()]
}

/** Transactions cost twice: once to prepare, once to commit. */
export const doubleConsumption = ({ table, tableUnits, indexUnits }: Consumption): Consumption => ({
  table,
  tableUnits: tableUnits * 2,
  indexUnits: Object.fromEntries(Object.entries(indexUnits).map(([name, count]) => [name, count * 2])),
})
