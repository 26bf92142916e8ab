import type { Decision } from '../../../lib/values/decision.ts'
import { gatherColumn, type ReadableField, type ReadValue, readValue } from '../../../lib/values/read-column.ts'

export const THIS_YEAR = 2026

export interface ReadColumn extends Decision {
  values: ReadValue[]
}

export function readColumn(field: ReadableField, texts: readonly (string | null)[], columnName?: string): ReadColumn {
  const evidence = gatherColumn(field, { columnName })!
  for (const text of texts) evidence.add(text)
  const decision = evidence.decide(THIS_YEAR)
  return { ...decision, values: texts.map((text) => readValue(decision.reading, text ?? '')) }
}

export const summarize = ({ values }: ReadColumn): unknown[] =>
  values.map((read) => ('value' in read ? read.value : `(${read.problem})`))
