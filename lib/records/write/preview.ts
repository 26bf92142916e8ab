/** Computes what a write would commit, with the same steps as the write, and stores nothing. */
import { decodeRows, emptyBits, setBit } from '../columns/bits.ts'
import { getOrInsert } from '../columns/maps.ts'
import { loadValidatedState } from '../constraints/validated-state.ts'
import { rulesOf, type SheetRules } from '../fields/rules.ts'
import { countRawBytes, getRaw } from '../format/chunk.ts'
import { processStore, type Store } from '../log/store.ts'
import { createRenderer } from '../read/render.ts'
import type { OpenSegment } from '../segments/open.ts'
import type { BuiltSegment } from '../segments/segment-writer.ts'
import type { SheetRef, WireRecord } from '../sheet.ts'
import { createSegment } from '../state/fold.ts'
import { getNewestCommitId, type Segment } from '../state/state.ts'
import type { KeepSegment } from './ingest.ts'
import { type ReadySegment, summarize } from './store-segments.ts'
import {
  collectWrites,
  planAttempt,
  REWRITE_ATTEMPTS,
  type WriteAttempt,
  type WriteOptions,
  type WritePart,
} from './write.ts'
import { type AffectedRecords, countAddedErrors, describeAffectedRecords } from './write-result.ts'

export interface WritePreview extends Pick<AffectedRecords, 'created' | 'updated' | 'removed'> {
  commitId: string | undefined
  createdErrors: number
  /** The first records that would be created, fewer if they are large. Their ids are placeholders. */
  records: WireRecord[]
}

const MAX_KEPT_BYTES = 8 * 1024 * 1024

export async function previewWrite(
  sheet: SheetRef,
  parts: AsyncIterable<WritePart>,
  { recordCount, ...options }: WriteOptions & { recordCount: number },
  store: Store = processStore,
): Promise<WritePreview> {
  const rules = rulesOf(sheet)
  const state = await loadValidatedState(store, sheet)
  const { firstSegments, keepSegment } = createSegmentKeeper(recordCount)
  const { job } = await collectWrites(store, sheet, parts, options, keepSegment)
  // The last attempt of a write compares without storing columns.
  const attempt = await planAttempt(store, sheet, state, job, REWRITE_ATTEMPTS)
  const { removed, changes } = attempt
  const affected = describeAffectedRecords(store, rules, state, state.seq, { added: job.added, changes, removed })
  return {
    commitId: getNewestCommitId(state),
    created: affected.created,
    updated: affected.updated,
    removed: affected.removed,
    createdErrors: countAddedErrors(attempt.plan?.body),
    records: renderFirstRecords(rules, attempt, firstSegments, recordCount),
  }
}

/** Keeps what the first records need, and nothing else. */
export function createSegmentKeeper(recordCount: number): { firstSegments: BuiltSegment[]; keepSegment: KeepSegment } {
  const firstSegments: BuiltSegment[] = []
  let [missingRecords, keptBytes] = [recordCount, 0]
  const keepSegment = (built: BuiltSegment): ReadySegment => {
    if (missingRecords > 0 && keptBytes < MAX_KEPT_BYTES) firstSegments.push(built)
    missingRecords -= built.rows
    for (const chunk of built.chunks) keptBytes += countRawBytes(chunk)
    return { rows: built.rows, blob: undefined, inline: undefined, built: summarize(built) }
  }
  return { firstSegments, keepSegment }
}

export function renderFirstRecords(
  rules: SheetRules,
  attempt: WriteAttempt,
  segments: readonly BuiltSegment[],
  recordCount: number,
): WireRecord[] {
  const renderer = createRenderer(rules)
  for (const [i, built] of segments.entries()) {
    const count = Math.min(built.rows, recordCount - renderer.count)
    renderer.add(
      openBuiltSegment(built, `0.${i}`, findFlags(attempt, `+${i}`, built.rows)),
      Array.from({ length: count }, (_, row) => row),
    )
  }
  return JSON.parse(renderer.end().toString('utf8')) as WireRecord[]
}

function findFlags({ plan }: WriteAttempt, segment: string, rows: number): Map<string, Uint8Array> {
  const flags = new Map<string, Uint8Array>()
  for (const [rule, name, flagged] of (plan && 'u' in plan.body && plan.body.u) || []) {
    if (name !== segment) continue
    const bits = getOrInsert(flags, rule, () => emptyBits(rows))
    for (const row of decodeRows(flagged)) setBit(bits, row)
  }
  return flags
}

const openBuiltSegment = ({ rows, chunks }: BuiltSegment, key: string, flags: Segment['flags']): OpenSegment => ({
  segment: { ...createSegment(key, rows), flags },
  raw: new Map(chunks.map((chunk) => [chunk.name, getRaw(chunk)])),
})
