/**
 * DynamoDB's values as they stand in JSON: comparing, measuring, reaching inside them. Pure; knows no expression,
 * table or request.
 */
import { decimal } from './dynalite.ts'
import type { AttributeType, AttributeValue, Item, Path } from './types.ts'

export const MAX_ITEM_BYTES = 400 * 1024

export const typeOf = (value: AttributeValue) => Object.keys(value)[0] as AttributeType

/** An own attribute: an attribute may be named like a method of every object. */
export const attributeOf = (item: Item, name: string): AttributeValue | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined

/** What one step of a path finds inside a value. */
export function step(value: AttributeValue, piece: string | number): AttributeValue | undefined {
  if (typeof piece === 'number') return value.L?.[piece]
  return value.M ? attributeOf(value.M, piece) : undefined
}

export function readPath(item: Item, path: Path): AttributeValue | undefined {
  let value: AttributeValue | undefined = { M: item }
  for (const piece of path) {
    if (!value) return undefined
    value = step(value, piece)
  }
  return value
}

const sameMembers = (left: string[], right: string[]) =>
  left.length === right.length && left.every((member) => right.includes(member))

function sameMap(left: Item, right: Item): boolean {
  const names = Object.keys(left)
  if (names.length !== Object.keys(right).length) return false
  return names.every((name) => {
    const other = attributeOf(right, name)
    return other !== undefined && sameValue(left[name]!, other)
  })
}

/** Equality in depth: lists in their order, sets and maps in any. */
export function sameValue(left: AttributeValue, right: AttributeValue): boolean {
  const type = typeOf(left)
  if (type !== typeOf(right)) return false
  if (left.L && right.L) {
    const others = right.L
    return left.L.length === others.length && left.L.every((value, index) => sameValue(value, others[index]!))
  }
  if (left.M && right.M) return sameMap(left.M, right.M)
  const members = left.SS ?? left.NS ?? left.BS
  const others = right.SS ?? right.NS ?? right.BS
  return members && others ? sameMembers(members, others) : left[type] === right[type]
}

/** Negative, zero or positive in the order of sort keys; undefined when the two have no common order. */
export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  if (left.N !== undefined && right.N !== undefined) return decimal(left.N).cmp(right.N)
  if (left.S !== undefined && right.S !== undefined) return Buffer.compare(Buffer.from(left.S), Buffer.from(right.S))
  if (left.B !== undefined && right.B !== undefined) return Buffer.compare(bytesOf(left.B), bytesOf(right.B))
  return undefined
}

export const bytesOf = (base64: string) => Buffer.from(base64, 'base64')

function numberBytes(number: string): number {
  const digits = decimal(number).c
  return 1 + Math.ceil(digits.length / 2) + (number.startsWith('-') ? 1 : 0)
}

const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)

function valueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S)
  if (value.N !== undefined) return numberBytes(value.N)
  if (value.B !== undefined) return Buffer.byteLength(value.B, 'base64')
  if (value.SS) return sum(value.SS.map((member) => Buffer.byteLength(member)))
  if (value.NS) return sum(value.NS.map(numberBytes))
  if (value.BS) return sum(value.BS.map((member) => Buffer.byteLength(member, 'base64')))
  if (value.L) return 3 + sum(value.L.map((element) => 1 + valueBytes(element)))
  if (value.M) return 3 + Object.keys(value.M).length + itemBytes(value.M)
  return 1
}

/** The size of an item as DynamoDB counts it: names and values, in bytes of UTF-8. */
export function itemBytes(item: Item): number {
  let size = 0
  for (const name in item) size += Buffer.byteLength(name) + valueBytes(item[name]!)
  return size
}

/** The wanted paths of a projection, as a tree: a leaf is wanted whole. */
type Wanted = Map<string | number, Wanted>

function wantedTree(paths: Path[]): Wanted {
  const root: Wanted = new Map()
  for (const path of paths) {
    let node = root
    for (const piece of path) {
      const next: Wanted = node.get(piece) ?? new Map()
      node.set(piece, next)
      node = next
    }
  }
  return root
}

function pick(value: AttributeValue, wanted: Wanted): AttributeValue | undefined {
  if (wanted.size === 0) return value
  if (value.M) {
    const picked = pickAttributes(value.M, wanted)
    return Object.keys(picked).length ? { M: picked } : undefined
  }
  const elements = value.L?.flatMap((element, index) => {
    const inner = wanted.get(index)
    const picked = inner && pick(element, inner)
    return picked ? [picked] : []
  })
  return elements?.length ? { L: elements } : undefined
}

function pickAttributes(item: Item, wanted: Wanted): Item {
  const picked: Item = {}
  for (const [name, inner] of wanted) {
    if (typeof name === 'number') continue
    const value = attributeOf(item, name)
    const part = value && pick(value, inner)
    if (part) picked[name] = part
  }
  return picked
}

/** The parts of an item that the paths name; picked list elements close up. */
export const project = (item: Item, paths: Path[]): Item => pickAttributes(item, wantedTree(paths))
