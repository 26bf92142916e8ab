import type { PageRequest } from '../../schemas/kit/page.ts'
import { MAX_RECORDS_PER_DUPLICATE_GROUP } from '../../schemas/quality/limits.ts'
import type { DuplicateGroup, DuplicateSearch, Merge } from '../../schemas/quality/shape.ts'
import {
  findEqualRecords,
  readDistinctColumns,
  readRecords,
  type Selection,
  type SheetRef,
  type WireRecord,
} from '../records/index.ts'
import { createKey, type Nearness } from './clusters.ts'

export interface DuplicateQuery extends Nearness {
  fields: readonly string[]
  selection: Selection
}

export async function listDuplicates(
  ref: SheetRef,
  query: DuplicateQuery,
  { pageSize, pageNumber }: PageRequest,
): Promise<{ groups: DuplicateGroup[]; version: number; total: number }> {
  const found = await findEqualRecords(ref, await createKeyedFields(ref, query), query.selection)
  const first = (pageNumber - 1) * pageSize
  const page = Array.from({ length: Math.max(0, Math.min(pageSize, found.groups - first)) }, (_, i) =>
    found.getGroup(first + i, MAX_RECORDS_PER_DUPLICATE_GROUP),
  )
  const ids = page.flatMap((group) => group.ids)
  const { asOf } = query.selection
  const { records } = ids.length > 0 ? await readRecords(ref, { ids, ...(asOf ? { asOf } : {}) }) : { records: [] }
  const byId = new Map(records.map((record) => [record.id, record]))
  const groups = page.flatMap(({ count, ids: groupIds }) => {
    const members = groupIds.flatMap((id) => byId.get(id) ?? [])
    const merge = suggestMerge(members)
    return merge ? [{ count, records: members.map(toShownRecord), merge }] : []
  })
  return { groups, version: found.version, total: found.groups }
}

export interface FoundMerges {
  merges: Merge[]
  version: number
  exceeds: 'groups' | 'records' | undefined
}

const READ_RECORDS = 10_000

export async function listMerges(
  ref: SheetRef,
  search: DuplicateSearch,
  isWanted: (recordId: string) => boolean,
  maxGroups: number,
): Promise<FoundMerges> {
  const found = await findEqualRecords(ref, await createKeyedFields(ref, { ...search, selection: {} }))
  const groups: string[][] = []
  for (let index = 0; index < found.groups; index++) {
    const { ids, count } = found.getGroup(index, Number.POSITIVE_INFINITY)
    if (!ids.some(isWanted)) continue
    if (count > MAX_RECORDS_PER_DUPLICATE_GROUP) return { merges: [], version: found.version, exceeds: 'records' }
    groups.push(ids)
    if (groups.length > maxGroups) return { merges: [], version: found.version, exceeds: 'groups' }
  }
  const merges: Merge[] = []
  const groupsPerRead = Math.floor(READ_RECORDS / MAX_RECORDS_PER_DUPLICATE_GROUP)
  for (let from = 0; from < groups.length; from += groupsPerRead) {
    const part = groups.slice(from, from + groupsPerRead)
    const { records } = await readRecords(ref, { ids: part.flat(), pageSize: READ_RECORDS })
    const byId = new Map(records.map((record) => [record.id, record]))
    merges.push(...part.flatMap((ids) => suggestMerge(ids.flatMap((id) => byId.get(id) ?? [])) ?? []))
  }
  return { merges, version: found.version, exceeds: undefined }
}

async function createKeyedFields(ref: SheetRef, query: Nearness & Pick<DuplicateQuery, 'fields' | 'selection'>) {
  const { fields, selection } = query
  const columns = query.method === 'distance' ? (await readDistinctColumns(ref, { ...selection, fields })).columns : []
  return fields.map((field) => {
    const { toKey: toTextKey } = createKey(
      query,
      columns.find((column) => column.field === field),
    )
    return { field, toKey: (value: unknown) => (value === null ? '' : toTextKey(toText(value))) }
  })
}

const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const toShownRecord = ({ id, values }: WireRecord): DuplicateGroup['records'][number] => ({
  id,
  values: Object.fromEntries(Object.entries(values).map(([key, { value }]) => [key, value])),
})

function suggestMerge(records: readonly WireRecord[]): Merge | undefined {
  const [first, ...others] = records
  if (!first || others.length === 0) return undefined
  const kept = others.reduce((best, record) => (countGoodCells(record) > countGoodCells(best) ? record : best), first)
  const remaining = records.filter((record) => record !== kept)
  const values = Object.entries(kept.values).flatMap(([key, cell]) => {
    const source = isGood(cell) ? undefined : remaining.find((record) => isGood(record.values[key]))
    return source ? [[key, source.id] as const] : []
  })
  return {
    keep: kept.id,
    remove: remaining.map(({ id }) => id),
    ...(values.length > 0 ? { values: Object.fromEntries(values) } : {}),
  }
}

type Cell = WireRecord['values'][string]

/** A duplicate value stops being one when the other records are deleted. */
const isGood = (cell: Cell | undefined): boolean =>
  cell !== undefined &&
  cell.value !== null &&
  cell.messages.every(({ type, source }) => type !== 'error' || source === 'unique-constraint')

const countGoodCells = ({ values }: WireRecord): number => Object.values(values).filter(isGood).length
