/**
 * An event as the matcher sees it: its leaf values by path, each with the array elements it lies in, so that a pattern
 * over objects in an array can insist on one and the same object. Pure; knows nothing of patterns.
 */
export type Leaf = string | number | boolean | null

/** Which element of each array (by the array's place in the event) a value lies in. */
export type Membership = ReadonlyMap<string, number>

export interface Field {
  value: Leaf
  membership: Membership
}

/** Leaf values by dotted path; arrays add no step to the path. Empty arrays and objects have no leaf. */
export interface EventFields {
  get(path: string): readonly Field[]
}

/** Looks up the paths that are asked for, each once: an event may have thousands of others. */
export function fieldsOf(event: unknown): EventFields {
  const known = new Map<string, Field[]>()
  return {
    get(path) {
      let fields = known.get(path)
      if (!fields) {
        fields = []
        collect(event, path, '', new Map(), fields)
        known.set(path, fields)
      }
      return fields
    },
  }
}

/** Both memberships together, or undefined when they disagree on the element of some array. */
export function joined(a: Membership, b: Membership): Membership | undefined {
  if (!b.size) return a
  for (const [array, index] of b) {
    const other = a.get(array)
    if (other !== undefined && other !== index) return undefined
  }
  return a.size ? new Map([...a, ...b]) : b
}

/** @param path what is left of it; undefined at its end. A key may hold dots itself. */
function collect(
  value: unknown,
  path: string | undefined,
  place: string,
  membership: Membership,
  fields: Field[],
): void {
  if (Array.isArray(value)) {
    value.forEach((element, index) => {
      collect(element, path, `${place}[${index}]`, new Map(membership).set(place, index), fields)
    })
  } else if (typeof value === 'object' && value !== null) {
    if (path === undefined) return
    for (let end = path.indexOf('.'); ; end = path.indexOf('.', end + 1)) {
      const key = end < 0 ? path : path.slice(0, end)
      const rest = end < 0 ? undefined : path.slice(end + 1)
      if (Object.hasOwn(value, key))
        collect((value as Record<string, unknown>)[key], rest, `${place}.${key}`, membership, fields)
      if (end < 0) return
    }
  } else if (path === undefined) {
    fields.push({ value: value as Leaf, membership })
  }
}
