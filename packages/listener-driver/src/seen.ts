const MAX_IDS = 10_000

export interface Seen {
  add(id: string): boolean
  last(count: number): string[]
}

export function createSeen(): Seen {
  const ids = new Set<string>()
  return {
    add(id) {
      if (ids.has(id)) return false
      ids.add(id)
      if (ids.size > MAX_IDS) ids.delete(ids.values().next().value!)
      return true
    },
    last: (count) => [...ids].slice(-count),
  }
}
