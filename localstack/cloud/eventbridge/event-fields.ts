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
export type EventFields = Map<string, Field[]>

export function fieldsOf(event: unknown): EventFields {
  const fields: EventFields = new Map()
  collect(event, [], '', new Map(), fields)
  return fields
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

function collect(value: unknown, path: string[], place: string, membership: Membership, fields: EventFields): void {
  if (Array.isArray(value)) {
    value.forEach((element, index) => {
      collect(element, path, `${place}[${index}]`, new Map(membership).set(place, index), fields)
    })
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      collect(child, [...path, key], `${place}.${key}`, membership, fields)
    }
  } else {
    const name = path.join('.')
    const field = { value: value as Leaf, membership }
    const others = fields.get(name)
    if (others) others.push(field)
    else fields.set(name, [field])
  }
}
