/**
 * Evaluates a parsed condition or filter against an item. Pure; must not know where the item or the expression came
 * from. dynalite's own evaluator compares lists and maps by identity, mistakes `false` and '' for missing values and
 * throws on missing operands, so only its parser is used.
 */
import { validationError } from './errors.ts'
import type {
  AttributeValue,
  Comparator,
  ConditionNode,
  FunctionName,
  Item,
  Junction,
  Operand,
  SizeCall,
} from './types.ts'
import { attributeOf, bytesOf, compareValues, readPath, sameValue, typeOf } from './values.ts'

type Value = AttributeValue | undefined

const isSizeCall = (operand: AttributeValue | SizeCall): operand is SizeCall => 'args' in operand

/** `size(...)`: UTF-16 units of a string, bytes of a binary, members of the rest; nothing for what has no size. */
function sizeOf(value: Value): Value {
  if (!value) return undefined
  if (value.S !== undefined) return { N: String(value.S.length) }
  if (value.B !== undefined) return { N: String(Buffer.byteLength(value.B, 'base64')) }
  const members = value.L ?? value.SS ?? value.NS ?? value.BS
  if (members) return { N: String(members.length) }
  return value.M ? { N: String(Object.keys(value.M).length) } : undefined
}

function resolve(operand: Operand, item: Item): Value {
  if (Array.isArray(operand))
    return operand.length === 1 ? attributeOf(item, operand[0] as string) : readPath(item, operand)
  return isSizeCall(operand) ? sizeOf(resolve(operand.args[0]!, item)) : operand
}

function inOrder(left: Value, right: Value, accepts: (order: number) => boolean): boolean {
  if (!left || !right) return false
  const order = compareValues(left, right)
  return order !== undefined && accepts(order)
}

const equal = (left: Value, right: Value) => left !== undefined && right !== undefined && sameValue(left, right)

const COMPARATORS: Record<Comparator, (left: Value, right: Value) => boolean> = {
  '=': equal,
  '<>': (left, right) => !equal(left, right),
  '<': (left, right) => inOrder(left, right, (order) => order < 0),
  '<=': (left, right) => inOrder(left, right, (order) => order <= 0),
  '>': (left, right) => inOrder(left, right, (order) => order > 0),
  '>=': (left, right) => inOrder(left, right, (order) => order >= 0),
}

function beginsWith(value: Value, prefix: Value): boolean {
  if (value?.S !== undefined && prefix?.S !== undefined) return value.S.startsWith(prefix.S)
  if (value?.B === undefined || prefix?.B === undefined) return false
  const start = bytesOf(prefix.B)
  return bytesOf(value.B).subarray(0, start.length).equals(start)
}

function contains(value: Value, part: Value): boolean {
  if (!value || !part) return false
  if (value.S !== undefined) return part.S !== undefined && value.S.includes(part.S)
  if (value.B !== undefined) return part.B !== undefined && bytesOf(value.B).includes(bytesOf(part.B))
  if (value.L) return value.L.some((element) => sameValue(element, part))
  if (part.S !== undefined) return value.SS?.includes(part.S) ?? false
  if (part.N !== undefined) return value.NS?.includes(part.N) ?? false
  return part.B !== undefined && (value.BS?.includes(part.B) ?? false)
}

const FUNCTIONS: Record<Exclude<FunctionName, 'size'>, (value: Value, argument: Value) => boolean> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  attribute_type: (value, type) => value !== undefined && typeOf(value) === type?.S,
  begins_with: beginsWith,
  contains,
}

const isJunction = (node: ConditionNode): node is Junction => ['and', 'or', 'not'].includes(node.type)

function joins({ type, args }: Junction, item: Item): boolean {
  if (type === 'and') return args.every((part) => fulfils(part, item))
  return type === 'or' ? args.some((part) => fulfils(part, item)) : !fulfils(args[0]!, item)
}

/** True when the item fulfils the condition; a missing item is an empty one. */
export function fulfils(node: ConditionNode, item: Item): boolean {
  if (isJunction(node)) return joins(node, item)
  const [value, ...rest] = node.args.map((operand) => resolve(operand, item))
  if (node.type === 'function') return FUNCTIONS[node.name](value, rest[0])
  if (node.type === 'in') return rest.some((candidate) => equal(value, candidate))
  if (node.type === 'between') return COMPARATORS['>='](value, rest[0]) && COMPARATORS['<='](value, rest[1])
  return COMPARATORS[node.type](value, rest[0])
}

const ORDERED_TYPES = ['S', 'N', 'B']
const ORDERING = ['<', '<=', '>', '>=', 'between']

/** Refuses a constant without an order where an order is asked for: AWS does so before it looks at any item. */
export function checkOperands(node: ConditionNode, expression: string): void {
  if (isJunction(node)) {
    for (const part of node.args) checkOperands(part, expression)
    return
  }
  if (!ORDERING.includes(node.type)) return
  for (const operand of node.args) {
    if (Array.isArray(operand) || isSizeCall(operand) || ORDERED_TYPES.includes(typeOf(operand))) continue
    throw validationError(
      `Invalid ${expression}: Incorrect operand type for operator or function; ` +
        `operator or function: ${node.type === 'between' ? 'BETWEEN' : node.type}, operand type: ${typeOf(operand)}`,
    )
  }
}
