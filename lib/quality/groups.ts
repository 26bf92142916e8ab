/** Groups the messages of a sheet by field, message and pattern of the value. */
import { MAX_EXAMPLES_PER_GROUP, MAX_QUALITY_GROUPS } from '../../schemas/quality/limits.ts'
import type { ErrorGroup } from '../../schemas/quality/shape.ts'
import { type MessageCells, type MessageQuery, type SheetRef, scanMessages } from '../records/index.ts'
import { toPattern } from './patterns.ts'

export async function listErrorGroups(
  ref: SheetRef,
  query: MessageQuery,
  limit = MAX_QUALITY_GROUPS,
): Promise<ErrorGroup[]> {
  const groups = new Map<string, ErrorGroup>()
  for await (const cells of scanMessages(ref, query)) addCells(groups, cells, limit)
  const positions = new Map(ref.fields.map(({ key }, index) => [key, index]))
  return [...groups.values()].sort(
    (a, b) => b.count - a.count || positions.get(a.fieldKey)! - positions.get(b.fieldKey)!,
  )
}

function addCells(groups: Map<string, ErrorGroup>, cells: MessageCells, limit: number): void {
  const patterns = new Map<unknown, ErrorGroup>()
  for (let i = 0; i < cells.count; i++) {
    const value = cells.getValue(i)
    let group = patterns.get(value)
    if (!group) {
      group = findGroup(groups, cells, toPattern(value), limit)
      patterns.set(value, group)
    }
    group.count++
    if (isNewExample(group, value)) group.examples.push({ recordId: cells.getRecordId(i), value })
  }
}

function isNewExample({ examples }: ErrorGroup, value: unknown): boolean {
  if (examples.length >= MAX_EXAMPLES_PER_GROUP) return false
  const text = JSON.stringify(value)
  return examples.every((example) => JSON.stringify(example.value) !== text)
}

function findGroup(
  groups: Map<string, ErrorGroup>,
  { field, message: { source, message } }: MessageCells,
  pattern: string,
  limit: number,
): ErrorGroup {
  const key = JSON.stringify([field, source, message, pattern])
  const isOther = !groups.has(key) && groups.size >= limit
  const usedKey = isOther ? JSON.stringify([field, source]) : key
  const known = groups.get(usedKey)
  if (known) return known
  const group: ErrorGroup = {
    ...{ fieldKey: field, source, message: isOther ? null : message, pattern: isOther ? null : pattern },
    ...{ count: 0, examples: [] },
  }
  groups.set(usedKey, group)
  return group
}
