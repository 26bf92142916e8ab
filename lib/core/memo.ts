/** Computes a value once per object, for as long as the object is in use. */
export function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>()
  return (key) => {
    const known = values.get(key)
    if (known !== undefined || values.has(key)) return known as V
    const value = compute(key)
    values.set(key, value)
    return value
  }
}

const MAX_REMEMBERED_TEXTS = 10_000

/** Computes a value once per text, and forgets all of them when there are too many. */
export function memoizeText<V>(compute: (text: string) => V): (text: string) => V {
  const values = new Map<string, V>()
  return (text) => {
    if (values.has(text)) return values.get(text)!
    if (values.size >= MAX_REMEMBERED_TEXTS) values.clear()
    const value = compute(text)
    values.set(text, value)
    return value
  }
}
