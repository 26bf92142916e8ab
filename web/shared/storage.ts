/** Storage of the browser where there is some: in frames of other pages it may be refused, and memory does. */
export interface Kept {
  get(): string | undefined
  set(text: string): void
  remove(): void
}

/** @param storage asked for late: the mere look at it is refused in some frames */
export function kept(storage: () => Storage, key: string): Kept {
  const inside = <T>(work: (found: Storage) => T): T | undefined => {
    try {
      return work(storage())
    } catch {
      return undefined
    }
  }
  return {
    get: () => inside((found) => found.getItem(key)) ?? undefined,
    set: (text) => inside((found) => found.setItem(key, text)),
    remove: () => inside((found) => found.removeItem(key)),
  }
}
