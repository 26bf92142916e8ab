/** The rows that a query selects, found by several functions if the sheet is large. */
import { decodeRows, encodeRows, type StoredRows } from '../columns/bits.ts'
import type { Store } from '../log/store.ts'
import type { Selection, SheetRef } from '../sheet.ts'
import { type DividedRead, divideView, readParts } from './divided.ts'
import { countSelected, readsSegments, type Selected, selectRows } from './select.ts'
import type { View } from './view.ts'

interface PartRows {
  total: number
  segments: (readonly [index: number, rows: StoredRows | null])[]
}

export const selectRead: DividedRead<null, PartRows> = {
  name: 'select',
  async read(store, { state, rules }, selection) {
    const indices = new Map(state.segments.map((segment, index) => [segment, index]))
    const part: PartRows = { total: 0, segments: [] }
    for await (const selected of selectRows(store, state, rules, selection)) {
      part.total += countSelected(selected)
      part.segments.push([indices.get(selected.segment)!, selected.rows ? encodeRows(selected.rows) : null])
    }
    return part
  },
}

export async function* selectShared(
  store: Store,
  sheet: SheetRef,
  view: View,
  selection: Selection,
  needed = Number.POSITIVE_INFINITY,
): AsyncGenerator<Selected> {
  const views = readsSegments(selection) ? await divideView(store, sheet, view, selection) : [view]
  // Most first pages are complete before other functions would have started.
  const ownViews = needed === Number.POSITIVE_INFINITY && views.length > 1 ? [] : views.splice(0, 1)
  let found = 0
  for (const { state, rules } of ownViews)
    for await (const selected of selectRows(store, state, rules, selection)) {
      found += countSelected(selected)
      yield selected
    }
  const parts = await readParts({ store, sheet, selection }, views, selectRead, () => null, {
    onResult: ({ total }) => {
      found += total
    },
    isEnough: () => found >= needed,
  })
  for (const [i, { segments }] of parts.entries())
    for (const [index, rows] of segments)
      yield { segment: views[i]!.state.segments[index]!, rows: rows === null ? undefined : decodeRows(rows) }
}
