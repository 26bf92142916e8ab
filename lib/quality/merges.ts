import { message } from '../../schemas/messages/index.ts'
import type { Merge, MergePreview } from '../../schemas/quality/shape.ts'
import { conflict, invalid, notFound } from '../core/errors.ts'
import {
  type RecordUpdate,
  readRecords,
  readVersion,
  type SheetRef,
  type WireRecord,
  type WritePart,
} from '../records/index.ts'

export interface MergePlan extends MergePreview {
  updates: RecordUpdate[]
  deletes: string[]
}

const READ_RECORDS = 10_000

export async function planMerges(
  ref: SheetRef,
  merges: readonly Merge[],
  version: number | undefined,
): Promise<MergePlan> {
  assertConsistent(ref, merges)
  const { seq } = await readVersion(ref)
  if (version !== undefined && version !== seq) throw conflict(message('records.changedSincePreview'))
  const records = await readAll(ref, merges)
  const updates: RecordUpdate[] = []
  const previews = merges.map(({ keep, remove, values = {} }): MergePreview['merges'][number] => {
    const changes = Object.entries(values).flatMap(([key, from]) => {
      const before = records.get(keep)!.values[key]!.value
      const after = records.get(from)!.values[key]!.value
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [[key, { before, after }] as const]
    })
    if (changes.length > 0)
      updates.push({ id: keep, values: Object.fromEntries(changes.map(([key, { after }]) => [key, { value: after }])) })
    return { keep, remove, values: Object.fromEntries(changes) }
  })
  const deletes = merges.flatMap(({ remove }) => remove)
  return { version: seq, records: updates.length, deleted: deletes.length, merges: previews, updates, deletes }
}

export async function* toWriteParts({ updates, deletes }: MergePlan): AsyncGenerator<WritePart> {
  yield { updates }
  yield { deletes }
}

async function readAll(ref: SheetRef, merges: readonly Merge[]): Promise<Map<string, WireRecord>> {
  const ids = merges.flatMap(({ keep, remove }) => [keep, ...remove])
  const byId = new Map<string, WireRecord>()
  for (let from = 0; from < ids.length; from += READ_RECORDS) {
    const { records } = await readRecords(ref, { ids: ids.slice(from, from + READ_RECORDS) })
    for (const record of records) byId.set(record.id, record)
  }
  const missing = ids.find((id) => !byId.has(id))
  if (missing !== undefined) throw notFound('record', missing)
  return byId
}

function assertConsistent(ref: SheetRef, merges: readonly Merge[]): void {
  const keys = new Set(ref.fields.map(({ key }) => key))
  const used = new Set<string>()
  const problems: { key: string; message: string }[] = []
  for (const [index, { keep, remove, values = {} }] of merges.entries()) {
    const addProblem = (path: string, text: string) => problems.push({ key: `merges.${index}.${path}`, message: text })
    const members = [keep, ...remove]
    for (const [at, id] of members.entries()) {
      if (used.has(id)) addProblem(at === 0 ? 'keep' : `remove.${at - 1}`, message('quality.mergedTwice'))
      used.add(id)
    }
    for (const [field, id] of Object.entries(values)) {
      if (!keys.has(field)) addProblem(`values.${field}`, message('records.noField', { field }))
      if (!members.includes(id)) addProblem(`values.${field}`, message('quality.notInGroup'))
    }
  }
  if (problems.length > 0) throw invalid(problems)
}
