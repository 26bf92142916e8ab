/** Streams columns as they are stored, one segment at a time, for mappings. */
import { type JsonColumn, selectRows } from '../columns/json-column.ts'
import { processStore, type Store } from '../log/store.ts'
import { readJsonColumn } from '../segments/json-columns.ts'
import { openAll } from '../segments/open.ts'
import type { SheetRef } from '../sheet.ts'
import { countLiveRows, listLiveRows } from '../state/state.ts'
import { openView } from './view.ts'

export interface JsonBatch {
  length: number
  columns: Map<string, JsonColumn>
}

/** @param asOf a commit id: the live records right after it */
export async function* scanColumns(
  sheet: SheetRef,
  { fields: keys, asOf }: { fields: readonly string[]; asOf?: string },
  store: Store = processStore,
): AsyncGenerator<JsonBatch> {
  const { state, rules } = await openView(store, sheet, asOf)
  const fields = rules.fields.filter(({ key }) => keys.includes(key))
  const segments = state.segments.filter((segment) => countLiveRows(segment) > 0)
  const names = fields.map(({ column }) => column)
  for await (const open of openAll(store, segments, names)) {
    const rows = open.segment.deletedCount > 0 ? listLiveRows(open.segment) : undefined
    yield {
      length: countLiveRows(open.segment),
      columns: new Map(
        fields.map((field) => {
          const column = readJsonColumn(open, field)
          return [field.key, rows ? selectRows(column, rows) : column]
        }),
      ),
    }
  }
}
