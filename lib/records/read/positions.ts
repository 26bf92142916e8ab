import { loadTargets } from '../constraints/references.ts'
import { rulesOf } from '../fields/rules.ts'
import { sync } from '../log/log.ts'
import { processStore, type Store } from '../log/store.ts'
import type { SheetRef } from '../sheet.ts'
import { getNewestCommitId } from '../state/state.ts'

export const readNewestCommitId = async (
  { sheetId }: SheetRef,
  store: Store = processStore,
): Promise<string | undefined> => getNewestCommitId(await sync(store, sheetId))

export async function readLinkedCommitIds(
  sheet: SheetRef,
  store: Store = processStore,
): Promise<[sheetId: string, commitId: string | undefined][]> {
  const targets = await loadTargets(store, sheet, rulesOf(sheet))
  const linked = new Map(
    [...targets.values()].flatMap(({ ref, state }) => (state ? [[ref.sheetId, getNewestCommitId(state)]] : [])),
  )
  return [...linked].sort(([a], [b]) => (a < b ? -1 : 1))
}
