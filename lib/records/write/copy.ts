/** Records of a sheet as rows to write: values, hooks' messages, metadata and config, a segment at a time. */

import { processStore, type Store } from '../log/store.ts'
import { viewOf } from '../log/view.ts'
import { baseMessages, cellsAt, columnValues, mergedCells, type OpenSegment, openAll } from '../read/reader.ts'
import { type Selected, select, selectedRows } from '../read/select.ts'
import type { SheetRules } from '../rules/rules.ts'
import type { Message, Selection, SheetRef } from '../sheet.ts'
import type { ColumnBatch } from './ingest.ts'
import { CONFIG, MESSAGES, METADATA, type RowExtras } from './segment.ts'

export type CopiedBatch = ColumnBatch & { extras: RowExtras[] }

/** What another sheet with the same fields is filled from; it becomes records of its own, under new ids. */
export async function* copyOf(
  sheet: SheetRef,
  selection: Selection = {},
  store: Store = processStore,
): AsyncGenerator<CopiedBatch> {
  const { state, rules } = await viewOf(store, sheet)
  const chosen: Selected[] = []
  for await (const selected of select(store, state, rules, selection)) chosen.push(selected)
  yield* batchesOf(store, rules, chosen)
}

/** The same of some rows, in their order. */
export async function* batchesOf(
  store: Store,
  rules: SheetRules,
  selected: readonly Selected[],
): AsyncGenerator<CopiedBatch> {
  const names = [...rules.fields.map(({ column }) => column), METADATA, CONFIG, MESSAGES]
  const segments = selected.map(({ segment }) => segment)
  let at = 0
  for await (const open of openAll(store, segments, names)) {
    const rows = selectedRows(selected[at++]!)
    const columns = rules.fields.map(({ key, column }): [string, unknown[]] => {
      const values = columnValues(open, column)
      return [key, rows.map((row) => values[row])]
    })
    yield { length: rows.length, columns: new Map(columns), extras: extrasOf(open, rows) }
  }
}

function extrasOf(open: OpenSegment, rows: readonly number[]): RowExtras[] {
  const base = baseMessages(open)
  const metadata = cellsAt(open, METADATA, rows)
  const config = cellsAt(open, CONFIG, rows)
  return rows.map((row, i): RowExtras => {
    const messages = new Map<string, readonly Message[]>()
    for (const [field, { hooks }] of mergedCells(base.get(row), open.segment.edits.get(row)))
      if (hooks?.length) messages.set(field, hooks)
    return { metadata: JSON.parse(metadata[i]!), config: JSON.parse(config[i]!), messages }
  })
}
