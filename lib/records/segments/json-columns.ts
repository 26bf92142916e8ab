/** Columns of an open segment as JSON text, with the edits of the log. */
import { joinColumn } from '../columns/columns.ts'
import { createJsonColumn, createNullColumn, type JsonColumn } from '../columns/json-column.ts'
import { isEdited } from '../state/state.ts'
import { countEmptyCells } from './cells.ts'
import { getColumnTexts, type OpenSegment } from './open.ts'

export function readJsonColumn(open: OpenSegment, field: { key: string; column: string }): JsonColumn {
  const { segment, raw } = open
  if (isEdited(segment, field.column))
    return createJsonColumn(joinColumn(getColumnTexts(open, field.column)!), segment.rows)
  const stored = raw.get(field.column)
  if (!stored) return createNullColumn(segment.rows)
  return createJsonColumn(stored, segment.rows, countEmptyCells(segment, field))
}
