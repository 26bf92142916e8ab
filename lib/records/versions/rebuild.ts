/** Judges a sheet by its present rules, and does what is due on it then. */
import { processStore, type Store } from '../log/store.ts'
import { validated } from '../rules/validate.ts'
import type { SheetRef } from '../sheet.ts'
import { maintain } from './compact.ts'

export async function rebuild(sheet: SheetRef, store: Store = processStore): Promise<void> {
  await maintain(store, sheet, await validated(store, sheet))
}
