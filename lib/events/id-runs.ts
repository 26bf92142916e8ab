/**
 * Ids of records made together differ by their last number only. Stored as runs they take a few bytes instead of 40 each:
 * the event of 5,000 new records is a small item of the table, and whole again when it leaves.
 */

/** `[prefix, first number, how many]` */
type Run = [prefix: string, first: number, count: number]

interface Packed {
  runs: Run[]
}

const NUMBERED = /^(.*\D)(0|[1-9]\d{0,14})$/

export function packIds(ids: readonly string[]): Packed {
  const runs: Run[] = []
  for (const id of ids) {
    const [, prefix = id, digits] = NUMBERED.exec(id) ?? []
    const last = runs.at(-1)
    if (digits === undefined) runs.push([id, -1, 1])
    else if (last && last[0] === prefix && last[1] >= 0 && last[1] + last[2] === Number(digits)) last[2]++
    else runs.push([prefix, Number(digits), 1])
  }
  return { runs }
}

export const unpackIds = ({ runs }: Packed): string[] =>
  runs.flatMap(([prefix, first, count]) =>
    first < 0 ? [prefix] : Array.from({ length: count }, (_, index) => `${prefix}${first + index}`),
  )

const hasRuns = (value: unknown): value is Packed & { literal?: unknown } =>
  typeof value === 'object' && value !== null && 'runs' in value

/** A payload as stored. What a caller sends that looks packed is kept apart, so that it leaves as it came. */
export function packPayload(payload: unknown): unknown {
  const ids = (payload as { recordIds?: unknown } | null | undefined)?.recordIds
  if (hasRuns(ids)) return { ...(payload as object), recordIds: { runs: [], literal: ids } }
  return Array.isArray(ids) && ids.length > 1 && ids.every((id) => typeof id === 'string')
    ? { ...(payload as object), recordIds: packIds(ids) }
    : payload
}

/** A stored payload as it leaves. */
export function unpackPayload(payload: unknown): unknown {
  const ids = (payload as { recordIds?: unknown } | null | undefined)?.recordIds
  return hasRuns(ids) ? { ...(payload as object), recordIds: 'literal' in ids ? ids.literal : unpackIds(ids) } : payload
}
