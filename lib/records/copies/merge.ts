/** Takes what was changed in a copy over into the sheet it was made of, as one commit that nothing can come in between. */
import { conflict } from '../../core/errors.ts'
import { getOrMake } from '../bytes/maps.ts'
import { type Coordinate, recordIdOf } from '../log/ids.ts'
import { placeOf, type Segment, type State, totalRows } from '../log/state.ts'
import { processStore, type Store } from '../log/store.ts'
import type { Selected } from '../read/select.ts'
import { rulesOf } from '../rules/rules.ts'
import { validated } from '../rules/validate.ts'
import type { RecordUpdate, SheetRef, WriteContext } from '../sheet.ts'
import { compareUpdates } from '../write/compare.ts'
import { batchesOf } from '../write/copy.ts'
import { type Added, ingest } from '../write/ingest.ts'
import type { RecordsWritten } from '../write/outcome.ts'
import { begin, type Comparison, commitWrites } from '../write/write.ts'
import { type Difference, differencesOf } from './differences.ts'

/** What is to be done about a difference; nothing leaves the source as it is. */
export interface Verdict {
  /** New texts of the source's cells, by field. */
  cells?: ReadonlyMap<string, string>
  /** The copy's record is added to the source. */
  add?: boolean
}

/** Asked for every difference. What it throws ends the merge before anything is written. */
export type Judge = (differences: readonly Difference[]) => (Verdict | undefined)[]

/**
 * Writes the verdicts to the source. They are asked for again whenever the source has changed before the commit is made; the
 * same `op` again writes nothing and answers what the first did.
 */
export async function mergeCopy(
  sheets: { source: SheetRef; copy: SheetRef },
  judge: Judge,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<RecordsWritten> {
  const { source, copy } = sheets
  const [begun, copyState] = await Promise.all([begin(store, source, ctx), validated(store, copy)])
  if ('earlier' in begun) return begun.earlier
  const sourceRules = rulesOf(source)
  const copyRules = rulesOf(copy)
  const judged = async (state: State) => {
    const differences = await differencesOf(store, { source: state, sourceRules, copy: copyState, copyRules })
    const verdicts = judge(differences)
    const updates = differences.flatMap(({ source: at }, i): RecordUpdate[] => {
      const cells = verdicts[i]?.cells
      return at && cells?.size ? [{ id: recordIdOf(source.sheetId, at), values: valuesOf(cells) }] : []
    })
    return { updates, added: differences.filter((_, i) => verdicts[i]?.add).map(({ at }) => at) }
  }
  const first = await judged(begun.state)
  const added = await rowsOf(store, { source, copy, copyState }, first.added, totalRows(begun.state))
  const compare: Comparison = async (state, removed) => {
    const now = state === begun.state ? first : await judged(state)
    if (JSON.stringify(now.added) !== JSON.stringify(first.added))
      throw conflict('Records of the source were deleted at the same time: repeat the request.')
    const options = { rewrite: true, keep: true }
    return {
      ...(await compareUpdates(store, state, sourceRules, now.updates, removed, options, new Map())),
      exact: true,
    }
  }
  return commitWrites(store, source, begun.state, ctx, { added, compare })
}

function valuesOf(cells: ReadonlyMap<string, string>): RecordUpdate['values'] {
  const values: { [field: string]: { value: unknown } } = {}
  for (const [field, text] of cells)
    Object.defineProperty(values, field, { value: { value: JSON.parse(text) }, enumerable: true })
  return values
}

/** Rows of the copy, stored as rows of the source. */
async function rowsOf(
  store: Store,
  { source, copy, copyState }: { source: SheetRef; copy: SheetRef; copyState: State },
  records: readonly Coordinate[],
  live: number,
): Promise<Added | undefined> {
  if (!records.length) return undefined
  const bySegment = new Map<Segment, number[]>()
  for (const at of records) {
    const place = placeOf(copyState, at)!
    getOrMake(bySegment, place.segment, (): number[] => []).push(place.row)
  }
  const selected = [...bySegment].map(
    ([segment, rows]): Selected => ({ segment, rows: rows.toSorted((a, b) => a - b) }),
  )
  const into = ingest(store, rulesOf(source), store.sheetRows, live)
  for await (const batch of batchesOf(store, rulesOf(copy), selected)) await into.add(batch)
  return into.finish()
}
