/** Compares updates of most rows of a segment column by column, which builds no objects for each row. */
import type { SheetRules } from '../fields/rules.ts'
import type { OpenSegment } from '../segments/open.ts'
import type { ColumnChange, ColumnChanges } from '../segments/rewrite.ts'
import { type ColumnInputs, findColumnChanges, isChanged } from './compare-columns.ts'
import { isCompared, type Target } from './compare-rows.ts'

/** Undefined if the changes are needed row by row: values compared with other rows or fields, metadata or config. */
export function findChangedColumns(
  open: OpenSegment,
  rules: SheetRules,
  targets: readonly Target[],
): ColumnChanges | undefined {
  if (targets.some(({ update }) => update.metadata !== undefined || update.config !== undefined)) return undefined
  const inputs: ColumnInputs = {
    rows: targets.map(({ row }) => row),
    getCell: (field, index) => {
      const { values } = targets[index]!.update
      return values && Object.hasOwn(values, field) ? values[field] : undefined
    },
  }
  const fields = listFields(rules, targets)
  const find = (keys: readonly string[]): [string, ColumnChange][] =>
    [...findColumnChanges(open, rules, inputs, keys)].filter(([, change]) => isChanged(change))
  if (find(fields.filter((key) => isCompared(rules, key))).length > 0) return undefined
  return new Map(find(fields.filter((key) => !isCompared(rules, key))))
}

function listFields({ byKey }: SheetRules, targets: readonly Target[]): string[] {
  const fields = new Set<string>()
  for (const { update } of targets) for (const key in update.values) if (byKey.has(key)) fields.add(key)
  return [...fields]
}
