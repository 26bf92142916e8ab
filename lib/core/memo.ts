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
