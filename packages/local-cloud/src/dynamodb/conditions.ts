/** Evaluates a parsed condition or filter; dynalite's own evaluator has errors with collections and falsy values. */
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
import { compareValues, decodeBase64, getAttribute, getType, isEqualValue, readPath } from './values.ts'

type Value = AttributeValue | undefined

const isSizeCall = (operand: AttributeValue | SizeCall): operand is SizeCall => 'args' in operand

/** `size(...)`: UTF-16 units of a string, bytes of a binary, element count of a collection. */
function measureSize(value: Value): Value {
  if (!value) return undefined
  if (value.S !== undefined) return { N: String(value.S.length) }
  if (value.B !== undefined) return { N: String(Buffer.byteLength(value.B, 'base64')) }
  const members = value.L ?? value.SS ?? value.NS ?? value.BS
  if (members) return { N: String(members.length) }
  return value.M ? { N: String(Object.keys(value.M).length) } : undefined
}

function resolveOperand(operand: Operand, item: Item): Value {
  if (Array.isArray(operand))
    return operand.length === 1 ? getAttribute(item, operand[0] as string) : readPath(item, operand)
  return isSizeCall(operand) ? measureSize(resolveOperand(operand.args[0]!, item)) : operand
}

function compareInOrder(left: Value, right: Value, accepts: (order: number) => boolean): boolean {
  if (!left || !right) return false
  const order = compareValues(left, right)
  return order !== undefined && accepts(order)
}

const isEqual = (left: Value, right: Value) => left !== undefined && right !== undefined && isEqualValue(left, right)

const COMPARATORS: Record<Comparator, (left: Value, right: Value) => boolean> = {
  '=': isEqual,
  '<>': (left, right) => !isEqual(left, right),
  '<': (left, right) => compareInOrder(left, right, (order) => order < 0),
  '<=': (left, right) => compareInOrder(left, right, (order) => order <= 0),
  '>': (left, right) => compareInOrder(left, right, (order) => order > 0),
  '>=': (left, right) => compareInOrder(left, right, (order) => order >= 0),
}

function beginsWith(value: Value, prefix: Value): boolean {
  if (value?.S !== undefined && prefix?.S !== undefined) return value.S.startsWith(prefix.S)
  if (value?.B === undefined || prefix?.B === undefined) return false
  const start = decodeBase64(prefix.B)
  return decodeBase64(value.B).subarray(0, start.length).equals(start)
}

function contains(value: Value, operand: Value): boolean {
  if (!value || !operand) return false
  if (value.S !== undefined) return operand.S !== undefined && value.S.includes(operand.S)
  if (value.B !== undefined) return operand.B !== undefined && decodeBase64(value.B).includes(decodeBase64(operand.B))
  if (value.L) return value.L.some((element) => isEqualValue(element, operand))
  if (operand.S !== undefined) return value.SS?.includes(operand.S) ?? false
  if (operand.N !== undefined) return value.NS?.includes(operand.N) ?? false
  return operand.B !== undefined && (value.BS?.includes(operand.B) ?? false)
}

const FUNCTIONS: Record<Exclude<FunctionName, 'size'>, (value: Value, argument: Value) => boolean> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  attribute_type: (value, type) => value !== undefined && getType(value) === type?.S,
  begins_with: beginsWith,
  contains,
}

const isJunction = (node: ConditionNode): node is Junction => ['and', 'or', 'not'].includes(node.type)

function evaluateJunction({ type, args }: Junction, item: Item): boolean {
  if (type === 'and') return args.every((operand) => matchesCondition(operand, item))
  return type === 'or' ? args.some((operand) => matchesCondition(operand, item)) : !matchesCondition(args[0]!, item)
}

export function matchesCondition(node: ConditionNode, item: Item): boolean {
  if (isJunction(node)) return evaluateJunction(node, item)
  const [value, ...operands] = node.args.map((operand) => resolveOperand(operand, item))
  if (node.type === 'function') return FUNCTIONS[node.name](value, operands[0])
  if (node.type === 'in') return operands.some((candidate) => isEqual(value, candidate))
  if (node.type === 'between') return COMPARATORS['>='](value, operands[0]) && COMPARATORS['<='](value, operands[1])
  return COMPARATORS[node.type](value, operands[0])
}

const ORDERED_TYPES = ['S', 'N', 'B']
const ORDERING = ['<', '<=', '>', '>=', 'between']

/** Rejects unordered constants in comparisons; AWS does so before it reads any item. */
export function checkOperands(node: ConditionNode, expression: string): void {
  if (isJunction(node)) {
    for (const operand of node.args) checkOperands(operand, expression)
    return
  }
  if (!ORDERING.includes(node.type)) return
  for (const operand of node.args) {
    if (Array.isArray(operand) || isSizeCall(operand) || ORDERED_TYPES.includes(getType(operand))) continue
    throw validationError(
      `Invalid ${expression}: Incorrect operand type for operator or function; ` +
        `operator or function: ${node.type === 'between' ? 'BETWEEN' : node.type}, operand type: ${getType(operand)}`,
    )
  }
}
