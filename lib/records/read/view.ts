import { message } from '../../../schemas/messages/index.ts'
import { invalidField } from '../../core/errors.ts'
import { memoize } from '../../core/memo.ts'
import { loadValidatedState } from '../constraints/validated-state.ts'
import { type FlagRule, rulesOf, type SheetRules } from '../fields/rules.ts'
import { RULE_SOURCE } from '../fields/value-rules.ts'
import { parseCommitSeq } from '../format/ids.ts'
import { stateAt, sync } from '../log/log.ts'
import { readEntry } from '../log/read-entries.ts'
import type { Store } from '../log/store.ts'
import { computeErrorCounts, resolveErrorCounts } from '../segments/open.ts'
import type { Level, SheetRef } from '../sheet.ts'
import type { State } from '../state/state.ts'

export interface View {
  state: State
  rules: SheetRules
}

/** @param asOf a commit id: the state right after it with its messages, not revalidated */
export async function openView(store: Store, sheet: SheetRef, asOf?: string): Promise<View> {
  const rules = rulesOf(sheet)
  if (asOf === undefined)
    return { rules, state: await resolveErrorCounts(store, await loadValidatedState(store, sheet)) }
  return createPastView(await loadPastState(store, sheet.sheetId, asOf), rules)
}

export const createPastView = (state: State, rules: SheetRules): View => ({
  state,
  rules: { ...rules, flagRules: [...rules.flagRules, ...deriveFormerRules(state, rules)] },
})

const MAX_CACHED_PAST_STATES = 4
const getPastStates = memoize<Store, Map<string, State>>(() => new Map())

async function loadPastState(store: Store, sheetId: string, commitId: string): Promise<State> {
  const seq = parseCommitSeq(sheetId, commitId)
  const newest = await sync(store, sheetId)
  const cache = getPastStates(store)
  const cached = cache.get(commitId)
  if (cached) return cached
  const entry = seq === undefined || seq >= newest.seq ? undefined : await readEntry(sheetId, seq)
  if (seq === undefined || !entry || entry.x || (newest.ops.get(entry.o) ?? seq) !== seq)
    throw invalidField('asOf', message('records.noCommit', { commit: commitId }))
  const state = await computeErrorCounts(store, await stateAt(store, sheetId, seq + 1))
  cache.set(commitId, state)
  if (cache.size > MAX_CACHED_PAST_STATES) cache.delete(cache.keys().next().value!)
  return state
}

const FORMER_RULES: { readonly [kind: string]: { text: string; source: string } } = {
  link: { text: message('records.unlinked'), source: 'unlinked' },
  rule: { text: message('records.formerRule'), source: RULE_SOURCE },
  field: { text: message('records.notUnique'), source: 'unique-constraint' },
}

/** Flags of deleted rules still count as errors in past states; level, kind and field are parsed from the rule's id. */
function deriveFormerRules(state: State, rules: SheetRules): FlagRule[] {
  const currentIds = new Set(rules.flagRules.map(({ id }) => id))
  const former = new Set(state.segments.flatMap(({ flags }) => [...flags.keys()].filter((id) => !currentIds.has(id))))
  return [...former].map((id) => {
    const [level, kind, ...fieldParts] = id.split(':')
    // A row rule's id has its hash before its field.
    const field = fieldParts.slice(kind === 'rule' ? 1 : 0).join(':')
    const { text, source } = FORMER_RULES[kind!] ?? FORMER_RULES.field!
    return { id, fields: [field], marks: [field], message: { type: level as Level, source, message: text, field } }
  })
}
