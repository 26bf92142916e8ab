/** Streams the cells that have messages of a level, one segment at a time. */

import { getOrInsert } from '../columns/maps.ts'
import { MESSAGES } from '../format/column-names.ts'
import { formatRecordId } from '../format/ids.ts'
import { processStore, type Store } from '../log/store.ts'
import { parseCellValue } from '../segments/cells.ts'
import { createMessageLookup, getCellTexts, listMessageRows, openAll, openSegments } from '../segments/open.ts'
import type { Level, Message, Selection, SheetRef } from '../sheet.ts'
import { type Segment, toCoordinate } from '../state/state.ts'
import { selectRows } from './select.ts'
import { openView } from './view.ts'

export interface MessageQuery extends Selection {
  level: Level
  /** Default: all fields. */
  field?: string
}

/** Cells of one segment with the same message, in sheet order. */
export interface MessageCells {
  field: string
  message: Message
  count: number
  getValue: (index: number) => unknown
  getRecordId: (index: number) => string
}

export async function* scanMessages(
  sheet: SheetRef,
  { level, field, ...selection }: MessageQuery,
  store: Store = processStore,
): AsyncGenerator<MessageCells> {
  const { state, rules } = await openView(store, sheet, selection.asOf)
  const selectedRows = new Map<Segment, readonly number[] | undefined>()
  for await (const { segment, rows } of selectRows(store, state, rules, selection)) selectedRows.set(segment, rows)
  for await (const open of openAll(store, [...selectedRows.keys()], [MESSAGES])) {
    const { segment } = open
    const getMessages = createMessageLookup(open, rules)
    const selected = selectedRows.get(segment)
    const isSelected = selected && new Set(selected)
    const rowsByField = new Map<string, Map<Message, number[]>>()
    for (const row of listMessageRows(open)) {
      if (isSelected && !isSelected.has(row)) continue
      for (const [key, messages] of getMessages(row) ?? [])
        if ((field === undefined || key === field) && rules.byKey.has(key))
          for (const message of messages)
            if (message.type === level) {
              const rowsByMessage = getOrInsert(rowsByField, key, () => new Map<Message, number[]>())
              getOrInsert(rowsByMessage, message, (): number[] => []).push(row)
            }
    }
    const columns = [...rowsByField.keys()].map((key) => rules.byKey.get(key)!.column)
    const [values] = await openSegments(store, [segment], columns)
    for (const [key, rowsByMessage] of rowsByField)
      for (const [message, rows] of rowsByMessage) {
        const texts = getCellTexts(values!, rules.byKey.get(key)!.column, rows)
        yield {
          field: key,
          message,
          count: rows.length,
          getValue: (index) => parseCellValue(texts[index]!),
          getRecordId: (index) => formatRecordId(state.sheetId, toCoordinate(segment, rows[index]!)),
        }
      }
  }
}
