/**
 * What is loaded when it is first needed, and once: a cold start does not read it. An `import()` by itself is looked up anew at
 * each call, which a loader of TypeScript does in another thread, for longer than a read of the table takes.
 */
export function onDemand<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}
