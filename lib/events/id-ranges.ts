/** Stores lists of record ids: ids made together differ only in their last number, so a range replaces them. */

export type IdRange = [prefix: string, first: number, count: number]

export interface PackedIds {
  runs: IdRange[]
}

const NUMBERED = /^(.*\D)(0|[1-9]\d{0,14})$/

export function packIds(ids: readonly string[]): PackedIds {
  const runs: IdRange[] = []
  for (const id of ids) {
    const last = runs.at(-1)
    if (last && isNext(id, last)) last[2]++
    else {
      const [, prefix = id, digits = '-1'] = NUMBERED.exec(id) ?? []
      runs.push([prefix, Number(digits), 1])
    }
  }
  return { runs }
}

function isNext(id: string, [prefix, first, count]: IdRange): boolean {
  if (first < 0) return false
  const digits = String(first + count)
  return id.length === prefix.length + digits.length && id.endsWith(digits) && id.startsWith(prefix)
}

export const unpackIds = ({ runs }: PackedIds): string[] =>
  runs.flatMap(([prefix, first, count]) =>
    first < 0 ? [prefix] : Array.from({ length: count }, (_, index) => `${prefix}${first + index}`),
  )

export const countIds = (runs: readonly IdRange[]): number => runs.reduce((sum, [, , count]) => sum + count, 0)
