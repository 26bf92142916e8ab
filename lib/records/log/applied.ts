/** An entry being applied to a draft: what its names and hints mean. Shared by the parts of the fold. Pure. */
import type { Draft } from './draft.ts'
import type { BlobForm, StepBody, Tally } from './entries.ts'
import type { BlobRef, Segment } from './state.ts'

export interface Applied {
  draft: Draft
  seq: number
  view: number
  body: StepBody
  hints: ReadonlyMap<string, ReadonlyMap<number, string[]>>
  /** Segments this entry writes whole: their rows' errors are in their own count already. */
  whole: ReadonlySet<string>
}

export const named = (seq: number, name: string): string => (name.startsWith('+') ? `${seq}.${name.slice(1)}` : name)

export function hintsOf(seq: number, body: StepBody): Map<string, Map<number, string[]>> {
  const hints = new Map<string, Map<number, string[]>>()
  for (const [name, rows, slots] of body.hints ?? [])
    hints.set(named(seq, name), new Map(rows.map((row, i) => [row, slots[i]!.map((slot) => body.slots![slot]!)])))
  return hints
}

/** A row's error slots as the writer saw them, if it saw the chunks the segment still has. */
export function hintFor(applied: Applied, segment: Segment, key: string, row: number): string[] | null {
  if (applied.view < segment.rewrittenAt) return null
  return applied.hints.get(key)?.get(row) ?? null
}

export function blobOf(layouts: readonly string[][] | undefined, [id, tier, layout, lengths]: BlobForm): BlobRef {
  return { id, tier, names: layouts![layout]!, lengths }
}

export function tally(keys: readonly string[] | undefined, flat: Tally | undefined): Map<string, number> {
  const counts = new Map<string, number>()
  for (let i = 0; flat && i < flat.length; i += 2) counts.set(keys![flat[i]!]!, flat[i + 1]!)
  return counts
}
