/** Deleting records, by id or by selection: a bitmap over the segments, nothing is rewritten. */
import { hasBit, storeRows } from './bits.ts'
import { commonForm, newNames, rowsBySegment } from './body.ts'
import { type FlagChange, flagEffects } from './effects.ts'
import type { DeleteBody } from './entries.ts'
import { type Coordinate, coordinateOf, recordIdOf } from './ids.ts'
import { append, type Plan } from './log.ts'
import { getOrMake } from './maps.ts'
import { cellsAt, type OpenSegment, openSegments, resolve, rowsInError } from './reader.ts'
import { type WriteResult, writeResult } from './results.ts'
import { rulesOf, type SheetRules, uniqueText, valueColumn } from './rules.ts'
import { MESSAGES } from './segment.ts'
import { select, selectedRows } from './select.ts'
import type { Selection, SheetRef, WriteContext } from './sheet.ts'
import { coordinateIn, isLive, placeOf, type Segment, type State } from './state.ts'
import { processStore, type Store } from './store.ts'
import { hashesOf, noHashes, uniqueOutcome } from './unique.ts'
import { validated } from './validate.ts'

export interface RemoveResult extends WriteResult {
  removed: number
  /** Ids of the removed records; made on demand. */
  ids: Iterable<string>
  /** Given ids of no record of the sheet. */
  missing: string[]
}

type Rows = Map<Segment, readonly number[]>

/** Deletes records as one commit: the given ids, or all a selection means. */
export async function remove(
  sheet: SheetRef,
  what: readonly string[] | Selection,
  ctx: WriteContext,
  store: Store = processStore,
): Promise<RemoveResult> {
  const rules = rulesOf(sheet)
  const state = await validated(store, sheet)
  const earlier = state.ops.get(ctx.op)
  if (earlier !== undefined) {
    const result = await writeResult(store, state, ctx, { seq: earlier, state, page: undefined }, true)
    return { ...result, removed: 0, ids: [], missing: [] }
  }
  let rows: Rows = new Map()
  let missing: string[] = []
  const appended = await append(store, state, ctx, async (now) => {
    const settled = await resolve(store, now)
    ;({ rows, missing } = await rowsOf(store, settled, rules, what))
    return rows.size ? planRemoval(store, settled, rules, rows) : undefined
  })
  const result = await writeResult(store, state, ctx, appended, rows.size > 0)
  const removed = [...rows.values()].reduce((sum, list) => sum + list.length, 0)
  return { ...result, removed, ids: { [Symbol.iterator]: () => idsOf(sheet.sheetId, rows) }, missing }
}

function* idsOf(sheetId: string, rows: Rows): Generator<string> {
  for (const [segment, list] of rows) for (const row of list) yield recordIdOf(sheetId, coordinateIn(segment, row))
}

async function rowsOf(
  store: Store,
  state: State,
  rules: SheetRules,
  what: readonly string[] | Selection,
): Promise<{ rows: Rows; missing: string[] }> {
  const rows: Rows = new Map()
  if (!isIds(what)) {
    for await (const selected of select(store, state, rules, what)) rows.set(selected.segment, selectedRows(selected))
    return { rows, missing: [] }
  }
  const missing: string[] = []
  const found = new Map<Segment, Set<number>>()
  for (const id of what) {
    const at = coordinateOf(state.sheetId, id)
    const place = at && placeOf(state, at)
    if (!place || !isLive(place.segment, place.row)) missing.push(id)
    else getOrMake(found, place.segment, () => new Set<number>()).add(place.row)
  }
  for (const [segment, set] of found)
    rows.set(
      segment,
      [...set].sort((a, b) => a - b),
    )
  return { rows, missing }
}

const isIds = (what: readonly string[] | Selection): what is readonly string[] => Array.isArray(what)

async function planRemoval(store: Store, state: State, rules: SheetRules, rows: Rows): Promise<Plan> {
  const names = newNames()
  const columns = rules.unique.flatMap((rule) => rule.fields.map(valueColumn))
  const gone = (at: Coordinate): boolean => {
    const place = placeOf(state, at)
    return place !== undefined && (removedRows.get(place.segment)?.has(place.row) ?? false)
  }
  const removedRows = new Map([...rows].map(([segment, list]) => [segment, new Set(list)]))
  const d: DeleteBody['d'] = []
  const lost = new Map<string, string[]>()
  for (const [segment, list] of rows) {
    const flagged = [...segment.flags.keys()].length > 0
    const needed = segment.quiet > 0 || flagged ? [...(flagged ? columns : []), MESSAGES] : []
    const [open] = await openSegments(store, [segment], needed)
    for (const form of deleteForms(open!, rules, list)) d.push(form)
    if (flagged) collectLost(open!, rules, list, lost)
  }
  const changes: FlagChange[] = []
  for (const rule of rules.unique) {
    const texts = lost.get(rule.id)
    if (!texts) continue
    const change = { added: noHashes, lost: hashesOf(texts), changed: gone }
    const { cleared } = await uniqueOutcome(store, state, rules, rule, change)
    changes.push({ rule: rule.id, flagged: [], cleared })
  }
  const effects = await flagEffects(store, state, names, changes, {
    patched: [],
    counted: new Set(),
    isGone: (segment, row) => removedRows.get(segment)?.has(row) ?? false,
  })
  return { kind: 'd', body: { d, ...effects, ...commonForm(rules, names) }, mode: 'exact' }
}

/** Rows by name, with how many of them count among the segment's quiet errors. */
function deleteForms(open: OpenSegment, rules: SheetRules, rows: readonly number[]): DeleteBody['d'] {
  const { segment } = open
  const quiet = new Set(segment.quiet > 0 ? rowsInError(open, rules).filter((row) => !segment.edits.has(row)) : [])
  const byName = rowsBySegment(rows.map((row) => coordinateIn(segment, row)))
  const quietByName = rowsBySegment(rows.filter((row) => quiet.has(row)).map((row) => coordinateIn(segment, row)))
  return [...byName].map(([key, list]) => [key, storeRows(list), quietByName.get(key)?.length ?? 0])
}

/** What the flagged ones of these rows were compared by. */
function collectLost(open: OpenSegment, rules: SheetRules, rows: readonly number[], lost: Map<string, string[]>): void {
  for (const rule of rules.unique) {
    const bits = open.segment.flags.get(rule.id)
    const flagged = bits ? rows.filter((row) => hasBit(bits, row)) : []
    if (!flagged.length) continue
    const texts = new Map(rule.fields.map((key) => [key, cellsAt(open, valueColumn(key), flagged)]))
    const list = getOrMake(lost, rule.id, (): string[] => [])
    flagged.forEach((_, i) => {
      const text = uniqueText(rule, (key) => JSON.parse(texts.get(key)![i]!))
      if (text !== undefined) list.push(text)
    })
  }
}
