export type Leaf = string | number | boolean | null

export type Membership = ReadonlyMap<string, number>

export interface Field {
  value: Leaf
  membership: Membership
}

/** Leaf values by dotted path; array indexes are not part of the path. */
export interface EventFields {
  get(path: string): readonly Field[]
}

/** Collects only requested paths, each once: an event may have thousands of others. */
export function createEventFields(event: unknown): EventFields {
  const cache = new Map<string, Field[]>()
  return {
    get(path) {
      let fields = cache.get(path)
      if (!fields) {
        fields = []
        collectFields(event, path, '', new Map(), fields)
        cache.set(path, fields)
      }
      return fields
    },
  }
}

/** Undefined when they disagree on the element of some array. */
export function mergeMemberships(a: Membership, b: Membership): Membership | undefined {
  if (!b.size) return a
  for (const [array, index] of b) {
    const otherIndex = a.get(array)
    if (otherIndex !== undefined && otherIndex !== index) return undefined
  }
  return a.size ? new Map([...a, ...b]) : b
}

function collectFields(
  value: unknown,
  path: string | undefined,
  position: string,
  membership: Membership,
  fields: Field[],
): void {
  if (Array.isArray(value)) {
    value.forEach((element, index) => {
      collectFields(element, path, `${position}[${index}]`, new Map(membership).set(position, index), fields)
    })
  } else if (typeof value === 'object' && value !== null) {
    if (path === undefined) return
    for (let end = path.indexOf('.'); ; end = path.indexOf('.', end + 1)) {
      const key = end < 0 ? path : path.slice(0, end)
      const remainingPath = end < 0 ? undefined : path.slice(end + 1)
      if (Object.hasOwn(value, key))
        collectFields((value as Record<string, unknown>)[key], remainingPath, `${position}.${key}`, membership, fields)
      if (end < 0) return
    }
  } else if (path === undefined) {
    fields.push({ value: value as Leaf, membership })
  }
}
