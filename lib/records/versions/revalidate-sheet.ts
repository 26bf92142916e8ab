/** Revalidates a sheet by its current rules and compacts it. */
import { processStore, type Store } from '../log/store.ts'
import { loadValidatedState } from '../rules/validate.ts'
import type { SheetRef } from '../sheet.ts'
import { compact } from './compact.ts'

export async function revalidateSheet(sheet: SheetRef, store: Store = processStore): Promise<void> {
  await compact(store, sheet, await loadValidatedState(store, sheet))
}
