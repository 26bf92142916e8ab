/**
 * Keeps messages true to the sheet's constraints: a state whose messages were made by other rules (a constraint was added,
 * an option removed) is judged anew before anything is read or written. Stored, so it happens once a change.
 */

import { sync } from './log.ts'
import { revalidate } from './revalidate.ts'
import { rulesOf } from './rules.ts'
import type { SheetRef } from './sheet.ts'
import { isValidatedBy, type State } from './state.ts'
import type { Store } from './store.ts'

/** The sheet's newest state, its messages made by the sheet's present rules. */
export async function validated(store: Store, sheet: SheetRef): Promise<State> {
  const state = await sync(store, sheet.sheetId)
  const rules = rulesOf(sheet)
  return isValidatedBy(state, rules.signature) ? state : revalidate(store, state, rules)
}
