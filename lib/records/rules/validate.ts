/**
 * Keeps messages true to the sheet's constraints and to the sheets it refers to: a state whose messages were made by other
 * rules (a constraint was added, an option removed) or against other values is judged anew before anything is read or
 * written. Stored, so it happens once a change.
 */

import { sync } from '../log/log.ts'
import { isValidatedBy, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import type { SheetRef } from '../sheet.ts'
import { relinked, targetsOf } from './references.ts'
import { revalidate } from './revalidate.ts'
import { rulesOf } from './rules.ts'

/** The sheet's newest state, its messages made by the sheet's present rules and true to the sheets it refers to. */
export async function validated(store: Store, sheet: SheetRef): Promise<State> {
  const rules = rulesOf(sheet)
  if (!rules.references.length) return revalidated(store, sheet)
  const [state, targets] = await Promise.all([revalidated(store, sheet), targetsOf(store, sheet, rules)])
  return relinked(store, sheet, state, rules, targets)
}

async function revalidated(store: Store, sheet: SheetRef): Promise<State> {
  const rules = rulesOf(sheet)
  const state = await sync(store, sheet.sheetId)
  return isValidatedBy(state, rules.signature) ? state : revalidate(store, state, rules)
}
