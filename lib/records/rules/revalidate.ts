/**
 * Judges a whole sheet by changed rules: messages, counts, hashes and flags anew, values and hooks' messages as they are.
 * One entry; no commit for users, since no value changes. Segments stream through; memory holds their hashes.
 */
import { ulid } from 'ulid'
import { type Bits, emptyBits, rowsIn, setBit, storeRows } from '../bytes/bits.ts'
import { getOrMake } from '../bytes/maps.ts'
import { commonForm, newNames } from '../log/body.ts'
import type { ColumnsBody } from '../log/entries.ts'
import { append, type Plan } from '../log/log.ts'
import { coordinateIn, isLive, isValidatedBy, type Segment, type State } from '../log/state.ts'
import type { Store } from '../log/store.ts'
import { openAll } from '../read/reader.ts'
import { editedColumns, quietCount, type Rewritten, rewrite, storeRewritten } from '../write/rewrite.ts'
import { CONFIG, MESSAGES, METADATA } from '../write/segment.ts'
import type { SheetRules } from './rules.ts'
import { locator, noHashes, sortedUnion } from './unique.ts'

/** The sheet's state once all messages are made by these rules. */
export async function revalidate(store: Store, state: State, rules: SheetRules): Promise<State> {
  const ctx = { op: `revalidate-${ulid()}`, actorId: 'system', at: new Date() }
  let newest = state
  await append(store, state, ctx, async (now) => {
    newest = now
    return isValidatedBy(now, rules.signature) ? undefined : planRevalidation(store, now, rules)
  }).then((appended) => {
    if (appended) newest = appended.state
  })
  return newest
}

async function planRevalidation(store: Store, state: State, rules: SheetRules): Promise<Plan> {
  const names = newNames()
  const columns = rules.fields.map((field) => field.column)
  const edited = new Set(state.segments.flatMap((segment) => [...editedColumns(segment)]))
  const open = openAll(store, state.segments, [...new Set([...columns, ...edited, METADATA, CONFIG, MESSAGES])])
  const parts: { rewritten: Omit<Rewritten, 'chunks'>; stored: Awaited<ReturnType<typeof storeRewritten>> }[] = []
  for await (const segment of open) {
    const { chunks, ...rewritten } = rewrite(segment, rules, { rejudge: true, hashRules: rules.unique })
    const stored = await storeRewritten(store, rules, names, { chunks, ...rewritten })
    parts.push({ rewritten, stored })
  }
  const flags = flagsOf(
    rules,
    parts.map(({ rewritten }) => rewritten),
  )
  const body: ColumnsBody = {
    c: parts.map(({ rewritten, stored }) => ({
      ...stored.form,
      q: quietCount(rewritten, flags.get(rewritten.segment.key) ?? new Map()),
      w: [],
    })),
    runs: parts.flatMap(({ stored }) => stored.runs),
    flags: flagForms(
      parts.map(({ rewritten }) => rewritten.segment),
      flags,
    ),
    revalidated: 1,
    ...commonForm(rules, names),
  }
  return { kind: 'c', body, mode: 'exact', quiet: true }
}

/** Duplicates over the whole sheet: segment key -> rule -> rows. */
function flagsOf(rules: SheetRules, parts: readonly Omit<Rewritten, 'chunks'>[]): Map<string, Map<string, Bits>> {
  const segments = new Map(parts.map(({ segment }) => [segment.key, segment]))
  const locate = locator(parts.map(({ segment }) => ({ key: segment.key, rows: segment.rows, firstRow: 0 })))
  const flags = new Map<string, Map<string, Bits>>()
  for (const rule of rules.unique) {
    const all = sortedUnion(
      parts.map(({ segment, hashes }) => ({ hashes: hashes.get(rule.id) ?? noHashes, rows: segment.rows })),
    )
    for (let start = 0; start < all.hi.length; ) {
      let end = start + 1
      while (end < all.hi.length && all.hi[end] === all.hi[start] && all.lo[end] === all.lo[start]) end++
      const places = Array.from(all.at.subarray(start, end), locate).filter(({ key, row }) =>
        isLive(segments.get(key)!, row),
      )
      if (places.length > 1) for (const { key, row } of places) setBit(bitsIn(flags, segments.get(key)!, rule.id), row)
      start = end
    }
  }
  return flags
}

function bitsIn(flags: Map<string, Map<string, Bits>>, segment: Segment, rule: string): Bits {
  const byRule = getOrMake(flags, segment.key, () => new Map<string, Bits>())
  return getOrMake(byRule, rule, () => emptyBits(segment.rows))
}

/** In record coordinates, as entries name rows. */
function flagForms(
  segments: readonly Segment[],
  flags: ReadonlyMap<string, ReadonlyMap<string, Bits>>,
): ColumnsBody['flags'] {
  return segments.flatMap((segment) =>
    [...(flags.get(segment.key) ?? [])].flatMap(([rule, bits]) => {
      const byKey = new Map<string, number[]>()
      for (const row of rowsIn(bits)) {
        const at = coordinateIn(segment, row)
        getOrMake(byKey, at.key, (): number[] => []).push(at.row)
      }
      return [...byKey].map(([key, rows]): [string, string, ReturnType<typeof storeRows>] => [
        rule,
        key,
        storeRows(rows.sort((a, b) => a - b)),
      ])
    }),
  )
}
