/** The context in which an entry is folded: resolves its segment names and error hints. */

import type { BlobForm, FieldCountsForm, StepBody } from '../format/entries.ts'
import type { Draft } from './draft.ts'
import type { BlobRef, Segment } from './state.ts'

export interface FoldContext {
  draft: Draft
  seq: number
  view: number
  body: StepBody
  errorHints: ReadonlyMap<string, ReadonlyMap<number, string[]>>
  /** Segments rewritten by this entry, whose error counts already include their rows. */
  rewrittenSegments: ReadonlySet<string>
}

export const resolveSegmentName = (seq: number, name: string): string =>
  name.startsWith('+') ? `${seq}.${name.slice(1)}` : name

export function decodeErrorHints(seq: number, body: StepBody): Map<string, Map<number, string[]>> {
  const errorHints = new Map<string, Map<number, string[]>>()
  for (const [name, rows, slots] of body.hints ?? [])
    errorHints.set(
      resolveSegmentName(seq, name),
      new Map(rows.map((row, i) => [row, slots[i]!.map((slot) => body.slots![slot]!)])),
    )
  return errorHints
}

/** The row's error slots as the writer saw them; null if the segment was rewritten since. */
export function findErrorHint(context: FoldContext, segment: Segment, key: string, row: number): string[] | null {
  if (context.view < segment.rewrittenAt) return null
  return context.errorHints.get(key)?.get(row) ?? null
}

export function toBlobRef(layouts: readonly string[][] | undefined, [id, tier, layout, lengths]: BlobForm): BlobRef {
  return { id, tier, names: layouts![layout]!, lengths }
}

export function decodeFieldCounts(
  keys: readonly string[] | undefined,
  flat: FieldCountsForm | undefined,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (let i = 0; flat && i < flat.length; i += 2) counts.set(keys![flat[i]!]!, flat[i + 1]!)
  return counts
}
