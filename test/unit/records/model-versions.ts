/** Versions of the naive model: diffs and restores. */
import type { CellChange } from '../../../lib/records/sheet.ts'
import { copyModel, forgetMessages, type Model, type ModelRow } from './model.ts'

export interface Effect {
  created: string[]
  updated: string[]
  deleted: string[]
  changes: CellChange[]
}

const getCell = (row: ModelRow, key: string): unknown => row.values.get(key) ?? null
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
const indexById = ({ rows }: Model): Map<string, ModelRow> => new Map(rows.map((row) => [row.id, row]))

export function computeEffect(before: Model, after: Model): Effect {
  const was = indexById(before)
  const is = indexById(after)
  const changes = after.rows.flatMap((row): CellChange[] => {
    const old = was.get(row.id)
    if (!old) return []
    return [...new Set([...old.values.keys(), ...row.values.keys()])].flatMap((fieldKey) => {
      const change = {
        recordId: row.id,
        fieldKey,
        previousValue: getCell(old, fieldKey),
        newValue: getCell(row, fieldKey),
      }
      return isSame(change.previousValue, change.newValue) ? [] : [change]
    })
  })
  return {
    created: [...is.keys()].filter((id) => !was.has(id)),
    updated: [...new Set(changes.map(({ recordId }) => recordId))],
    deleted: [...was.keys()].filter((id) => !is.has(id)),
    changes,
  }
}

export const isEmptyEffect = ({ created, updated, deleted }: Effect): boolean =>
  created.length + updated.length + deleted.length === 0

export function computeDiff(before: Model, after: Model) {
  const { created, deleted, changes } = computeEffect(before, after)
  const byField: { [field: string]: number } = {}
  const seen = changes.filter(({ fieldKey }) => after.fields.some(({ key }) => key === fieldKey))
  for (const { fieldKey } of seen) byField[fieldKey] = (byField[fieldKey] ?? 0) + 1
  return {
    createdSince: { total: created.length },
    updatedSince: { total: new Set(seen.map(({ recordId }) => recordId)).size, byField },
    deletedSince: { total: deleted.length },
  }
}

export interface Parts {
  created?: boolean
  updated?: boolean
  deleted?: boolean
}

export function restoreRows(model: Model, saved: Model, { created, updated, deleted }: Parts): void {
  const old = copyModel(saved)
  if (Boolean(created) === Boolean(updated) && Boolean(updated) === Boolean(deleted)) {
    model.rows = old.rows
    forgetMessages(model)
    return
  }
  const before = indexById(old)
  const now = indexById(model)
  if (created) model.rows = model.rows.filter(({ id }) => before.has(id))
  if (updated)
    for (const row of model.rows) {
      const was = before.get(row.id)
      if (was) undoChanges(model, row, was)
    }
  if (deleted) {
    model.rows.push(...old.rows.filter(({ id }) => !now.has(id)))
    model.rows.sort((a, b) => compareIds(a.id, b.id))
    forgetMessages(model)
  }
}

function undoChanges(model: Model, row: ModelRow, was: ModelRow): void {
  for (const { key } of model.fields) {
    if (isSame(getCell(was, key), getCell(row, key))) continue
    row.values.set(key, getCell(was, key))
    row.hooks.delete(key)
    if (was.hooks.has(key)) row.hooks.set(key, was.hooks.get(key)!)
  }
}

function compareIds(a: string, b: string): number {
  const [x, y] = [a, b].map((id) => id.split('_').slice(-3).map(Number))
  return x![0]! - y![0]! || x![1]! - y![1]! || x![2]! - y![2]!
}
