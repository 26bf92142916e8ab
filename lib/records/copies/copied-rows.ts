/** Reads records as rows to write, one segment at a time: values, messages from hooks, metadata and config. */

import { toStoredInput } from '../fields/notes.ts'
import type { SheetRules } from '../fields/rules.ts'
import { CONFIG, MESSAGES, METADATA } from '../format/column-names.ts'
import { processStore, type Store } from '../log/store.ts'
import { listSelectedRows, type Selected, selectRows } from '../read/select.ts'
import { openView } from '../read/view.ts'
import {
  getCellTexts,
  getColumnValues,
  mergeCellMessages,
  type OpenSegment,
  openAll,
  readBaseMessages,
} from '../segments/open.ts'
import type { RowExtras } from '../segments/segment-writer.ts'
import type { Message, Selection, SheetRef } from '../sheet.ts'

export interface CopiedBatch {
  length: number
  columns: ReadonlyMap<string, readonly unknown[]>
  extras: RowExtras[]
}

/** Fills another sheet with the same fields; the copies get new ids. */
export async function* readCopyBatches(
  sheet: SheetRef,
  selection: Selection = {},
  store: Store = processStore,
): AsyncGenerator<CopiedBatch> {
  const { state, rules } = await openView(store, sheet)
  const selections: Selected[] = []
  for await (const selected of selectRows(store, state, rules, selection)) selections.push(selected)
  yield* readBatches(store, rules, selections)
}

export async function* readBatches(
  store: Store,
  rules: SheetRules,
  selected: readonly Selected[],
): AsyncGenerator<CopiedBatch> {
  const names = [...rules.fields.map(({ column }) => column), METADATA, CONFIG, MESSAGES]
  const segments = selected.map(({ segment }) => segment)
  let at = 0
  for await (const open of openAll(store, segments, names)) {
    const rows = listSelectedRows(selected[at++]!)
    const columns = rules.fields.map(({ key, column }): [string, unknown[]] => {
      const values = getColumnValues(open, column)
      return [key, rows.map((row) => values[row])]
    })
    const batch = { length: rows.length, columns: new Map(columns) }
    yield { ...batch, extras: readExtras(open, rows, batch.columns) }
  }
}

function readExtras(open: OpenSegment, rows: readonly number[], columns: ReadonlyMap<string, unknown[]>): RowExtras[] {
  const base = readBaseMessages(open)
  const metadata = getCellTexts(open, METADATA, rows)
  const config = getCellTexts(open, CONFIG, rows)
  return rows.map((row, i): RowExtras => {
    const messages = new Map<string, readonly Message[]>()
    for (const [field, { hooks }] of mergeCellMessages(base.get(row), open.segment.edits.get(row)))
      if (hooks?.length) {
        const column = columns.get(field)
        const input = toStoredInput(column?.[i], hooks)
        if (column) column[i] = input.value
        messages.set(field, input.messages)
      }
    return { metadata: JSON.parse(metadata[i]!), config: JSON.parse(config[i]!), messages }
  })
}
