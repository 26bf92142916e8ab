/** Revalidates a whole sheet after a rule change. Segments are streamed; no value changes, so there is no commit. */
import { ulid } from 'ulid'
import { type Bits, bitsToRows, emptyBits, encodeRows, setBit } from '../columns/bits.ts'
import { noHashes, sortedUnion } from '../columns/hash.ts'
import { getOrInsert } from '../columns/maps.ts'
import type { SheetRules } from '../fields/rules.ts'
import { CONFIG, MESSAGES, METADATA } from '../format/column-names.ts'
import type { ColumnsBody } from '../format/entries.ts'
import { createDictionaries, encodeCommon } from '../log/entry-builder.ts'
import { append, type Plan } from '../log/log.ts'
import type { Store } from '../log/store.ts'
import { findViolations, type OpenSegment, openAll } from '../segments/open.ts'
import {
  countBaseErrors,
  listEditedColumns,
  type RewrittenSegment,
  rewrite,
  storeAndEncodeRewrite,
} from '../segments/rewrite.ts'
import {
  createLocator,
  isLive,
  isValidatedBy,
  type Segment,
  type State,
  SYSTEM_ACTOR,
  toCoordinate,
} from '../state/state.ts'

export async function revalidate(store: Store, state: State, rules: SheetRules): Promise<State> {
  const ctx = { op: `revalidate-${ulid()}`, actorId: SYSTEM_ACTOR, at: new Date() }
  const { state: newest } = await append(store, state, ctx, async (current) => ({
    plan: isValidatedBy(current, rules.signature) ? undefined : await planRevalidation(store, current, rules),
  }))
  return newest
}

async function planRevalidation(store: Store, state: State, rules: SheetRules): Promise<Plan> {
  const dictionaries = createDictionaries()
  const columns = rules.fields.map((field) => field.column)
  const edited = new Set(state.segments.flatMap((segment) => [...listEditedColumns(segment)]))
  const openedSegments = openAll(store, state.segments, [
    ...new Set([...columns, ...edited, METADATA, CONFIG, MESSAGES]),
  ])
  const flags = new Map<string, Map<string, Bits>>()
  const parts: {
    rewritten: Omit<RewrittenSegment, 'chunks'>
    stored: Awaited<ReturnType<typeof storeAndEncodeRewrite>>
  }[] = []
  for await (const segment of openedSegments) {
    const { chunks, ...rewritten } = rewrite(segment, rules, { revalidate: true, hashRules: rules.unique })
    const stored = await storeAndEncodeRewrite(store, rules, dictionaries, { chunks, ...rewritten })
    parts.push({ rewritten, stored })
    flags.set(segment.segment.key, findRowFlags(segment, rules))
  }
  flagDuplicates(
    rules,
    parts.map(({ rewritten }) => rewritten),
    flags,
  )
  const body: ColumnsBody = {
    c: parts.map(({ rewritten, stored }) => ({
      ...stored.form,
      q: countBaseErrors(rewritten, flags.get(rewritten.segment.key) ?? new Map()),
      w: [],
    })),
    runs: parts.flatMap(({ stored }) => stored.runs),
    flags: encodeRowFlags(
      parts.map(({ rewritten }) => rewritten.segment),
      flags,
    ),
    revalidated: 1,
    ...encodeCommon(rules, dictionaries),
  }
  return { kind: 'c', body, mode: 'exact', isInternal: true }
}

function flagDuplicates(
  rules: SheetRules,
  parts: readonly Omit<RewrittenSegment, 'chunks'>[],
  flags: Map<string, Map<string, Bits>>,
): void {
  const segments = new Map(parts.map(({ segment }) => [segment.key, segment]))
  const locate = createLocator(parts.map(({ segment }) => ({ key: segment.key, rows: segment.rows, firstRow: 0 })))
  for (const rule of rules.unique) {
    const allHashes = sortedUnion(
      parts.map(({ segment, hashes }) => ({ hashes: hashes.get(rule.id) ?? noHashes, rows: segment.rows })),
    )
    for (let start = 0; start < allHashes.hi.length; ) {
      let end = start + 1
      while (
        end < allHashes.hi.length &&
        allHashes.hi[end] === allHashes.hi[start] &&
        allHashes.lo[end] === allHashes.lo[start]
      )
        end++
      const coordinates = Array.from(allHashes.at.subarray(start, end), locate).filter(({ key, row }) =>
        isLive(segments.get(key)!, row),
      )
      if (coordinates.length > 1)
        for (const { key, row } of coordinates) setBit(getRuleBits(flags, segments.get(key)!, rule.id), row)
      start = end
    }
  }
}

const findRowFlags = (open: OpenSegment, rules: SheetRules): Map<string, Bits> =>
  new Map(rules.rowRules.map((rule) => [rule.id, findViolations(open, rules, rule)]))

function getRuleBits(flags: Map<string, Map<string, Bits>>, segment: Segment, rule: string): Bits {
  const byRule = getOrInsert(flags, segment.key, () => new Map<string, Bits>())
  return getOrInsert(byRule, rule, () => emptyBits(segment.rows))
}

function encodeRowFlags(
  segments: readonly Segment[],
  flags: ReadonlyMap<string, ReadonlyMap<string, Bits>>,
): ColumnsBody['flags'] {
  return segments.flatMap((segment) =>
    [...(flags.get(segment.key) ?? [])].flatMap(([rule, bits]) => {
      const byKey = new Map<string, number[]>()
      for (const row of bitsToRows(bits)) {
        const at = toCoordinate(segment, row)
        getOrInsert(byKey, at.key, (): number[] => []).push(at.row)
      }
      return [...byKey].map(([key, rows]): [string, string, ReturnType<typeof encodeRows>] => [
        rule,
        key,
        encodeRows(rows.sort((a, b) => a - b)),
      ])
    }),
  )
}
