/** Browser storage that may be unavailable: third-party frames can block it. */
export interface ValueStore {
  get(): string | undefined
  set(text: string): void
  remove(): void
}

/** @param storage lazy, because even reading the property throws in some frames */
export function createValueStore(storage: () => Storage, key: string): ValueStore {
  const tryStorage = <T>(operation: (availableStorage: Storage) => T): T | undefined => {
    try {
      return operation(storage())
    } catch {
      return undefined
    }
  }
  return {
    get: () => tryStorage((availableStorage) => availableStorage.getItem(key)) ?? undefined,
    set: (text) => tryStorage((availableStorage) => availableStorage.setItem(key, text)),
    remove: () => tryStorage((availableStorage) => availableStorage.removeItem(key)),
  }
}
