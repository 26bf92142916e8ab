/** Recomputes messages that are stale because constraints or referenced sheets changed, once per change. */

import { loadEngines } from '../fields/engines.ts'
import { rulesOf } from '../fields/rules.ts'
import { sync } from '../log/log.ts'
import { processStore, type Store } from '../log/store.ts'
import { compact } from '../segments/compact.ts'
import type { SheetRef } from '../sheet.ts'
import { isValidatedBy, type State } from '../state/state.ts'
import { loadTargets, revalidateReferences } from './references.ts'
import { revalidate } from './revalidate.ts'

export async function loadValidatedState(store: Store, sheet: SheetRef): Promise<State> {
  const rules = rulesOf(sheet)
  if (rules.engines.size) await loadEngines(rules.engines)
  if (!rules.references.length) return loadWithCurrentRules(store, sheet)
  const [state, targets] = await Promise.all([loadWithCurrentRules(store, sheet), loadTargets(store, sheet, rules)])
  return revalidateReferences(store, sheet, state, rules, targets)
}

async function loadWithCurrentRules(store: Store, sheet: SheetRef): Promise<State> {
  const rules = rulesOf(sheet)
  const state = await sync(store, sheet.sheetId)
  return isValidatedBy(state, rules.signature) ? state : revalidate(store, state, rules)
}

export async function revalidateSheet(sheet: SheetRef, store: Store = processStore): Promise<void> {
  await compact(store, sheet, await loadValidatedState(store, sheet))
}
