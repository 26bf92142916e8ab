import { createHash } from 'node:crypto'
import { rulesOf } from '../fields/rules.ts'
import { sync } from '../log/log.ts'
import { processStore, type Store } from '../log/store.ts'
import { getEditedCells } from '../segments/cells.ts'
import { openSegments } from '../segments/open.ts'
import type { Field, SheetRef } from '../sheet.ts'
import { countLiveRows, findChunk, getNewestCommitId, listLiveRows, type Segment } from '../state/state.ts'
import { type CellBatch, createCellBatch } from './cells.ts'

export interface SheetSegment {
  /** The same as long as no cell of the segment changes. */
  identity: string
  rows: number
  open(): Promise<CellBatch>
}

export async function listSegments(
  sheet: SheetRef,
  store: Store = processStore,
): Promise<{ commitId: string | undefined; segments: SheetSegment[] }> {
  const rules = rulesOf(sheet)
  const state = await sync(store, sheet.sheetId)
  const columns = sheet.fields.map(({ key }: Field) => rules.byKey.get(key)!.column)
  const segments = state.segments.filter((segment) => countLiveRows(segment) > 0)
  return {
    commitId: getNewestCommitId(state),
    segments: segments.map((segment) => ({
      identity: identify(segment, columns),
      rows: countLiveRows(segment),
      async open() {
        const [open] = await openSegments({ ...store, cacheBytes: 0 }, [segment], columns)
        return createCellBatch(open!, listLiveRows(segment), columns)
      },
    })),
  }
}

function identify(segment: Segment, columns: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([segment.key, segment.rows]))
  if (segment.deleted) hash.update('deleted').update(segment.deleted)
  for (const column of columns) {
    const chunk = findChunk(segment, column)
    const cells = getEditedCells(segment, column) ?? []
    const edits = [...cells].sort(([a], [b]) => a - b).map(([row, cell]) => [row, cell.toString()])
    hash.update(JSON.stringify([column, chunk?.blob.id, chunk?.index, segment.inline?.get(column), edits]))
  }
  return hash.digest('hex').slice(0, 32)
}
