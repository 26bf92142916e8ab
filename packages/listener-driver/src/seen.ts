/** Ids that were handed on, the newest of them: enough to tell an event that comes twice. */
const KEPT = 10_000

export interface Seen {
  /** Notes the id. @returns whether it is new */
  add(id: string): boolean
  /** The last ones noted. */
  last(count: number): string[]
}

export function seen(): Seen {
  const ids = new Set<string>()
  return {
    add(id) {
      if (ids.has(id)) return false
      ids.add(id)
      if (ids.size > KEPT) ids.delete(ids.values().next().value!)
      return true
    },
    last: (count) => [...ids].slice(-count),
  }
}
