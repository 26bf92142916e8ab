import { type DraftSheet, getLabel } from './draft.ts'
import type { Field } from './shape.ts'

export interface SheetChanges {
  sheet: string
  isNew: boolean
  added: string[]
  removed: string[]
  changed: string[]
  isReordered: boolean
  rulesChanged: boolean
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export function compareSheets(before: readonly DraftSheet[], after: readonly DraftSheet[]): SheetChanges[] {
  const previous = new Map(before.map((sheet) => [sheet.id, sheet]))
  return after.map((sheet) => compareSheet(previous.get(sheet.id), sheet)).filter(hasChanges)
}

function compareSheet(before: DraftSheet | undefined, after: DraftSheet): SheetChanges {
  const [old, current] = [indexFields(before), indexFields(after)]
  const added = [...current].filter(([id]) => !old.has(id)).map(([, field]) => getLabel(field))
  const removed = [...old].filter(([id]) => !current.has(id)).map(([, field]) => getLabel(field))
  const changed = [...current].flatMap(([id, field]) => {
    const previous = old.get(id)
    return previous && !isSame(previous, field) ? [getLabel(field)] : []
  })
  const [oldOrder, order] = [
    [...old.keys()].filter((id) => current.has(id)),
    [...current.keys()].filter((id) => old.has(id)),
  ]
  return {
    sheet: after.name,
    isNew: before === undefined,
    ...{ added, removed, changed },
    isReordered: !isSame(oldOrder, order),
    rulesChanged:
      before !== undefined && (!isSame(before.constraints, after.constraints) || before.name !== after.name),
  }
}

const indexFields = (sheet: DraftSheet | undefined): Map<number, Field> =>
  new Map((sheet?.fields ?? []).map(({ id, field }) => [id, field]))

const hasChanges = ({ added, removed, changed, isNew, isReordered, rulesChanged }: SheetChanges): boolean =>
  isNew || isReordered || rulesChanged || added.length + removed.length + changed.length > 0
