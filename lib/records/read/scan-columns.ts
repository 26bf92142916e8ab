/** Streams columns as they are stored, one segment at a time, for mappings. */
import { measure } from '../../core/stopwatch.ts'
import { type JsonColumn, selectRows } from '../columns/json-column.ts'
import { processStore, type Store } from '../log/store.ts'
import { readJsonColumn } from '../segments/json-columns.ts'
import { type OpenSegment, openPacked } from '../segments/open.ts'
import type { SheetRef } from '../sheet.ts'
import { countLiveRows, listLiveRows, type Segment } from '../state/state.ts'
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
  for await (const open of openInOrder(segments, names)) {
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

const PREFETCHED_SEGMENTS = 3

async function* openInOrder(segments: readonly Segment[], names: readonly string[]): AsyncGenerator<OpenSegment> {
  const opening: Promise<OpenSegment>[] = []
  for (let at = 0; at < segments.length; at++) {
    while (opening.length <= PREFETCHED_SEGMENTS && at + opening.length < segments.length) {
      const open = openPacked(segments[at + opening.length]!, names)
      // A failed prefetch surfaces when it is awaited, not as an unhandled rejection.
      open.catch(() => {})
      opening.push(open)
    }
    yield await measure('reading', () => opening.shift()!)
  }
}
