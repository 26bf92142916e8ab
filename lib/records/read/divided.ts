/** Reads of large sheets that several functions share: each reads some segments, and the caller folds their results. */
import { mapConcurrent } from '../../core/concurrency.ts'
import { countParts } from '../../core/count-parts.ts'
import { processEnv } from '../../core/env.ts'
import type { Store } from '../log/store.ts'
import type { Selection, SheetRef } from '../sheet.ts'
import { packManifest } from '../state/manifest.ts'
import { countLiveRows, countRows, emptyState, type Segment } from '../state/state.ts'
import { listCandidates } from './select.ts'
import type { View } from './view.ts'

/** The query and the result are JSON. */
export interface DividedRead<Query, Result> {
  name: string
  read(store: Store, view: View, selection: Selection, query: Query): Promise<Result>
}

/** Views of the segments that can contain selected rows; one view if the read is not shared. */
export async function divideView(store: Store, sheet: SheetRef, view: View, selection: Selection): Promise<View[]> {
  const size = processEnv().PART_RECORDS
  const isLarge = (total: number): boolean => countParts(total, size) > 1
  if (!sheet.readPart || !isDivisible(selection) || !isLarge(countRows(view.state))) return [view]
  const segments = await listCandidates(store, view, selection)
  if (!isLarge(countRows({ segments }))) return [view]
  return sliceSegments(segments, size).map((slice) => narrowView(view, slice))
}

/** Changes of commits are found in the log, which parts do not read. */
const isDivisible = ({ commitId, sinceCommitId, part, where }: Selection): boolean =>
  [commitId, sinceCommitId, part, where].every((criterion) => criterion === undefined)

function sliceSegments(segments: readonly Segment[], size: number): Segment[][] {
  const slices: Segment[][] = []
  let rows = size
  for (const segment of segments) {
    if (rows >= size) {
      slices.push([])
      rows = 0
    }
    slices.at(-1)!.push(segment)
    rows += countLiveRows(segment)
  }
  return slices
}

export function narrowView({ state, rules }: View, segments: readonly Segment[]): View {
  const { sheetId, seq, lastCommit, moved } = state
  const positions = new Map(segments.map(({ key }, i) => [key, i]))
  return { rules, state: { ...emptyState(sheetId), seq, lastCommit, moved, segments, positions } }
}

/** Lambda accepts 6 MB. */
const MAX_SEGMENT_BYTES = 4_000_000

/** Results in the order of the views; `isEnough` skips the remaining ones. */
export async function readParts<Query, Result>(
  { store, sheet, selection }: { store: Store; sheet: SheetRef; selection: Selection },
  views: readonly View[],
  { name, read }: DividedRead<Query, Result>,
  buildQuery: (part: number) => Query,
  {
    onResult = () => {},
    isEnough = () => false,
  }: { onResult?: (result: Result) => void; isEnough?: () => boolean } = {},
): Promise<Result[]> {
  function* takeViews() {
    for (const [part, view] of views.entries()) if (!isEnough()) yield { view, query: buildQuery(part) }
  }
  const { sheetId, fields, constraints } = sheet
  const readView = async (view: View, query: Query): Promise<Result> => {
    const packed = views.length > 1 ? packManifest(view.state) : undefined
    if (!packed || packed.length > MAX_SEGMENT_BYTES / 1.34) return read(store, view, selection, query)
    const segments = packed.toString('base64')
    return (await sheet.readPart!({
      read: name,
      sheet: { sheetId, fields, constraints },
      segments,
      selection,
      query,
    })) as Result
  }
  return mapConcurrent(processEnv().PARTS_AT_ONCE, takeViews(), async ({ view, query }) => {
    const result = await readView(view, query)
    onResult(result)
    return result
  })
}
