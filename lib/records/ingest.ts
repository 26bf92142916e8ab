/**
 * Rows become segments, segments are stored as they fill, and one append makes them all visible at once. Until then they
 * are unreferenced bytes: a writer that dies leaves nothing to be seen. Insert and import share this.
 */
import { type Bits, countBits, emptyBits, setBit } from './bits.ts'
import { blobForm, commonForm, type Names, newNames, tallyForm } from './body.ts'
import { packChunk, packRaw } from './chunk.ts'
import { type FlagChange, flagEffects } from './effects.ts'
import type { AddBody, RunForm, SegmentForm } from './entries.ts'
import { type Hashes, packHashes } from './hash.ts'
import type { Plan } from './log.ts'
import { isErrorRule, type SheetRules } from './rules.ts'
import type { BuiltSegment } from './segment.ts'
import type { BlobRef, State } from './state.ts'
import { cacheChunk, putBlob, type Store } from './store.ts'
import { noHashes, samplesFor, sortedUnion, uniqueOutcome } from './unique.ts'

/** A built segment whose chunks are stored, or small enough to stand in the log. */
export interface ReadySegment {
  rows: number
  blob: BlobRef | undefined
  /** Names and texts of the chunks of a segment in the log. */
  inline: { names: string[]; texts: string[] } | undefined
  /** Rules whose run is among the blob's chunks. */
  runs: boolean
  built: Pick<BuiltSegment, 'nulls' | 'errors' | 'errorRows'>
}

const runChunk = (ruleId: string): string => `hashes.${ruleId}`

/**
 * Stores a segment's chunks.
 * @param alone the only segment of its write: its runs go along, and it may stand in the log when tiny
 */
export async function storeSegment(
  store: Store,
  rules: SheetRules,
  built: BuiltSegment,
  alone: boolean,
): Promise<ReadySegment> {
  const { rows, chunks, nulls, errors, errorRows, hashes } = built
  const kept = { nulls, errors, errorRows }
  const size = chunks.reduce((sum, { raw }) => sum + raw.length, 0)
  if (alone && size <= store.inlineSegmentBytes) {
    const inline = { names: chunks.map(({ name }) => name), texts: chunks.map(({ raw }) => raw.toString()) }
    return { rows, blob: undefined, inline, runs: false, built: kept }
  }
  const packed = await Promise.all(chunks.map(async ({ name, raw }) => ({ name, packed: await packChunk(raw) })))
  if (alone)
    for (const [rule, list] of hashes)
      packed.push({ name: runChunk(rule), packed: packRaw(packHashes(sortedUnion([{ hashes: list, rows }]))) })
  const blob = await putBlob(store, rules.sheetId, packed)
  if (alone) for (const [index, { raw }] of chunks.entries()) cacheChunk(store, { blob, index }, raw)
  return { rows, blob, inline: undefined, runs: alone, built: kept }
}

/** Stores the runs of segments that were stored one by one. */
export async function storeRuns(
  store: Store,
  rules: SheetRules,
  hashes: ReadonlyMap<string, Hashes>,
): Promise<BlobRef | undefined> {
  if (!hashes.size) return undefined
  const packed = [...hashes].map(([rule, list]) => ({ name: runChunk(rule), packed: packRaw(packHashes(list)) }))
  return putBlob(store, rules.sheetId, packed)
}

/** Hashes of all segments by rule; ordinals count through the segments. */
export function hashesByRule(
  rules: SheetRules,
  segments: readonly Pick<BuiltSegment, 'rows' | 'hashes'>[],
): Map<string, Hashes> {
  return new Map(
    rules.unique.map(({ id }) => [
      id,
      sortedUnion(segments.map(({ hashes, rows }) => ({ hashes: hashes.get(id) ?? noHashes, rows }))),
    ]),
  )
}

/** What to append so that the segments are part of the sheet. */
export async function planAdd(
  store: Store,
  state: State,
  rules: SheetRules,
  segments: readonly ReadySegment[],
  hashes: ReadonlyMap<string, Hashes>,
  runsBlob: BlobRef | undefined,
): Promise<Plan> {
  const names = newNames()
  const inError = segments.map(({ built, rows }) => widened(built.errorRows, rows))
  const locate = locatorOf(segments)
  const changes: FlagChange[] = []
  for (const rule of rules.unique) {
    const change = { added: hashes.get(rule.id)!, lost: noHashes, changed: () => false }
    const outcome = await uniqueOutcome(store, state, rules, rule, change)
    const own = outcome.shared.map(locate)
    if (isErrorRule(rule.id)) for (const { segment, row } of own) setBit(inError[segment]!, row)
    changes.push({ rule: rule.id, flagged: own.map(({ segment, row }) => ({ key: `+${segment}`, row })), cleared: [] })
    changes.push({ rule: rule.id, flagged: outcome.flagged, cleared: outcome.cleared })
  }
  const a = segments.map((segment, i) => segmentForm(names, segment, countBits(inError[i]!)))
  const runs = runForms(names, rules, segments, hashes, runsBlob)
  const effects = await flagEffects(store, state, names, changes, {
    patched: [],
    counted: new Set(),
    isGone: () => false,
  })
  const body: AddBody = { a, ...(runs.length ? { runs } : {}), ...effects, ...commonForm(rules, names) }
  const mode = effects.recounts ? 'exact' : rules.unique.length ? 'guarded' : 'free'
  return { kind: 'a', body, mode }
}

function widened(bits: Bits, rows: number): Bits {
  const wide = emptyBits(rows)
  wide.set(bits)
  return wide
}

function locatorOf(segments: readonly ReadySegment[]): (ordinal: number) => { segment: number; row: number } {
  if (segments.length === 1) return (ordinal) => ({ segment: 0, row: ordinal })
  const starts: number[] = []
  let start = 0
  for (const { rows } of segments) {
    starts.push(start)
    start += rows
  }
  return (ordinal) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const mid = (low + high + 1) >>> 1
      if (starts[mid]! <= ordinal) low = mid
      else high = mid - 1
    }
    return { segment: low, row: ordinal - starts[low]! }
  }
}

function segmentForm(names: Names, segment: ReadySegment, quiet: number): SegmentForm {
  const { blob, inline, built } = segment
  return {
    n: segment.rows,
    q: quiet,
    ...(blob ? { b: blobForm(names, blob) } : {}),
    ...(inline ? { i: inline.texts, l: names.layouts.indexOf(inline.names) } : {}),
    z: tallyForm(names, built.nulls),
    e: tallyForm(names, built.errors),
  }
}

function runForms(
  names: Names,
  rules: SheetRules,
  segments: readonly ReadySegment[],
  hashes: ReadonlyMap<string, Hashes>,
  runs: BlobRef | undefined,
): RunForm[] {
  const blob = runs ?? (segments.length === 1 && segments[0]!.runs ? segments[0]!.blob : undefined)
  if (!blob) return []
  return rules.unique.map(({ id }) => {
    const list = hashes.get(id)!
    const samples = samplesFor(list)
    return {
      u: id,
      b: blobForm(names, blob),
      c: runChunk(id),
      n: list.hi.length,
      s: segments.map(({ rows }, i) => [`+${i}`, rows]),
      ...(samples ? { h: Buffer.from(samples.buffer).toString('base64') } : {}),
    }
  })
}
