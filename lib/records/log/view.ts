/** What a read looks at: the sheet as it is now, or as it was right after one of its commits. */
import { invalidField } from '../../core/errors.ts'
import { resolve, settle } from '../read/reader.ts'
import { type FlagRule, rulesOf, type SheetRules } from '../rules/rules.ts'
import { validated } from '../rules/validate.ts'
import type { Level, SheetRef } from '../sheet.ts'
import { entryAt } from './history.ts'
import { seqOfCommit } from './ids.ts'
import { stateAt, sync } from './log.ts'
import type { State } from './state.ts'
import type { Store } from './store.ts'

export interface View {
  /** Its counts are exact. */
  state: State
  rules: SheetRules
}

/**
 * The state and the rules a read is answered from.
 * @param asOf a commit id: the state right after it, with the messages of its time; nothing is judged anew or stored
 * @throws ApiError invalid when the sheet has no such commit
 */
export async function viewOf(store: Store, sheet: SheetRef, asOf?: string): Promise<View> {
  const rules = rulesOf(sheet)
  if (asOf === undefined) return { rules, state: await resolve(store, await validated(store, sheet)) }
  const state = await pastState(store, sheet.sheetId, asOf)
  return { state, rules: { ...rules, flagRules: [...rules.flagRules, ...formerRules(state, rules)] } }
}

/** Past states at hand: the pages of one read ask for the same one. */
const PAST_KEPT = 4
const pastStates = new WeakMap<Store, Map<string, State>>()

async function pastState(store: Store, sheetId: string, commitId: string): Promise<State> {
  const seq = seqOfCommit(sheetId, commitId)
  const newest = await sync(store, sheetId)
  const kept = pastStates.get(store) ?? new Map<string, State>()
  pastStates.set(store, kept)
  const known = kept.get(commitId)
  if (known) return known
  const entry = seq === undefined || seq >= newest.seq ? undefined : await entryAt(sheetId, seq)
  if (seq === undefined || !entry || entry.x || (newest.ops.get(entry.o) ?? seq) !== seq)
    throw invalidField('asOf', `The sheet has no commit "${commitId}".`)
  const state = await settle(store, await stateAt(store, sheetId, seq + 1))
  kept.set(commitId, state)
  if (kept.size > PAST_KEPT) kept.delete(kept.keys().next().value!)
  return state
}

/**
 * Rules that flagged rows then and are no more: their flags still count as errors of their time. A rule's id names its
 * level, its kind and its field, see rules.ts; of a rule over several fields only the record shows the error.
 */
function formerRules(state: State, rules: SheetRules): FlagRule[] {
  const known = new Set(rules.flagRules.map(({ id }) => id))
  const former = new Set(state.segments.flatMap(({ flags }) => [...flags.keys()].filter((id) => !known.has(id))))
  return [...former].map((id) => {
    const [level, kind, ...rest] = id.split(':')
    const field = rest.join(':')
    const link = kind === 'link'
    const message = link ? 'This value is not in the sheet it refers to' : 'This value is not unique'
    const source = link ? 'unlinked' : 'unique-constraint'
    return { id, fields: [field], marks: [field], message: { type: level as Level, source, message, field } }
  })
}
