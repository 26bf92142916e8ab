/** Capacity units of requests, and their `ConsumedCapacity` in responses. Pure. */
import type { Item } from './types.ts'
import { measureItem } from './values.ts'

export type CapacityDetail = string | undefined

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
  tableName: string
  units: number
}

export function toConsumedCapacity(detail: CapacityDetail, { tableName, units }: Consumption) {
  return detail === 'TOTAL' ? { TableName: tableName, CapacityUnits: units } : undefined
}

export function sumByTable(consumptions: Consumption[]): Consumption[] {
  const sums = new Map<string, number>()
  for (const { tableName, units } of consumptions) sums.set(tableName, (sums.get(tableName) ?? 0) + units)
  return [...sums].map(([tableName, units]) => ({ tableName, units }))
}
