import { toDecimal } from './dynalite.ts'
import type { AttributeType, AttributeValue, Item, Path } from './types.ts'

export const MAX_ITEM_BYTES = 400 * 1024

export const getType = (value: AttributeValue) => Object.keys(value)[0] as AttributeType

/** Only own properties: an attribute may have the name of an Object method. */
export const getAttribute = (item: Item, name: string): AttributeValue | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined

export function readStep(value: AttributeValue, piece: string | number): AttributeValue | undefined {
  if (typeof piece === 'number') return value.L?.[piece]
  return value.M ? getAttribute(value.M, piece) : undefined
}

export function readPath(item: Item, path: Path): AttributeValue | undefined {
  let value: AttributeValue | undefined = { M: item }
  for (const piece of path) {
    if (!value) return undefined
    value = readStep(value, piece)
  }
  return value
}

const isEqualSet = (left: string[], right: string[]) =>
  left.length === right.length && left.every((member) => right.includes(member))

function isEqualMap(left: Item, right: Item): boolean {
  const names = Object.keys(left)
  if (names.length !== Object.keys(right).length) return false
  return names.every((name) => {
    const otherValue = getAttribute(right, name)
    return otherValue !== undefined && isEqualValue(left[name]!, otherValue)
  })
}

export function isEqualValue(left: AttributeValue, right: AttributeValue): boolean {
  const type = getType(left)
  if (type !== getType(right)) return false
  if (left.L && right.L) {
    const rightElements = right.L
    return (
      left.L.length === rightElements.length &&
      left.L.every((value, index) => isEqualValue(value, rightElements[index]!))
    )
  }
  if (left.M && right.M) return isEqualMap(left.M, right.M)
  const members = left.SS ?? left.NS ?? left.BS
  const rightMembers = right.SS ?? right.NS ?? right.BS
  return members && rightMembers ? isEqualSet(members, rightMembers) : left[type] === right[type]
}

export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  if (left.N !== undefined && right.N !== undefined) return toDecimal(left.N).cmp(right.N)
  if (left.S !== undefined && right.S !== undefined) return Buffer.compare(Buffer.from(left.S), Buffer.from(right.S))
  if (left.B !== undefined && right.B !== undefined) return Buffer.compare(decodeBase64(left.B), decodeBase64(right.B))
  return undefined
}

export const decodeBase64 = (base64: string) => Buffer.from(base64, 'base64')

function measureNumber(number: string): number {
  const digits = toDecimal(number).c
  return 1 + Math.ceil(digits.length / 2) + (number.startsWith('-') ? 1 : 0)
}

const addSizes = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0)

function measureValue(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S)
  if (value.N !== undefined) return measureNumber(value.N)
  if (value.B !== undefined) return Buffer.byteLength(value.B, 'base64')
  if (value.SS) return addSizes(value.SS.map((member) => Buffer.byteLength(member)))
  if (value.NS) return addSizes(value.NS.map(measureNumber))
  if (value.BS) return addSizes(value.BS.map((member) => Buffer.byteLength(member, 'base64')))
  if (value.L) return 3 + addSizes(value.L.map((element) => 1 + measureValue(element)))
  if (value.M) return 3 + Object.keys(value.M).length + measureItem(value.M)
  return 1
}

export function measureItem(item: Item): number {
  let size = 0
  for (const name in item) size += Buffer.byteLength(name) + measureValue(item[name]!)
  return size
}

type ProjectionTree = Map<string | number, ProjectionTree>

function buildProjectionTree(paths: Path[]): ProjectionTree {
  const root: ProjectionTree = new Map()
  for (const path of paths) {
    let node = root
    for (const piece of path) {
      const child: ProjectionTree = node.get(piece) ?? new Map()
      node.set(piece, child)
      node = child
    }
  }
  return root
}

function projectValue(value: AttributeValue, tree: ProjectionTree): AttributeValue | undefined {
  if (tree.size === 0) return value
  if (value.M) {
    const projected = projectAttributes(value.M, tree)
    return Object.keys(projected).length ? { M: projected } : undefined
  }
  const elements = value.L?.flatMap((element, index) => {
    const subtree = tree.get(index)
    const projected = subtree && projectValue(element, subtree)
    return projected ? [projected] : []
  })
  return elements?.length ? { L: elements } : undefined
}

function projectAttributes(item: Item, tree: ProjectionTree): Item {
  const projected: Item = {}
  for (const [name, subtree] of tree) {
    if (typeof name === 'number') continue
    const value = getAttribute(item, name)
    const projectedValue = value && projectValue(value, subtree)
    if (projectedValue) projected[name] = projectedValue
  }
  return projected
}

export const project = (item: Item, paths: Path[]): Item => projectAttributes(item, buildProjectionTree(paths))
