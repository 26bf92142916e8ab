/** Applies a parsed update expression. Operands are read before the update; list indexes shift at its end. */
import { toDecimal } from './dynalite.ts'
import { validationError } from './errors.ts'
import type { AttributeValue, Item, Path, SetType, UpdateCall, UpdateOperand, UpdateSection } from './types.ts'
import { getType, readPath, readStep } from './values.ts'

const MAX_DIGITS = 38

const wrongType = () => validationError('An operand in the update expression has an incorrect data type')
const wrongPath = () => validationError('The document path provided in the update expression is invalid for update')
const missingOperand = () =>
  validationError('The provided expression refers to an attribute that does not exist in the item')

const isCall = (operand: AttributeValue | UpdateCall): operand is UpdateCall => 'args' in operand

function calculate(kind: 'add' | 'subtract', left: AttributeValue, right: AttributeValue): AttributeValue {
  if (left.N === undefined || right.N === undefined) throw wrongType()
  const result = kind === 'add' ? toDecimal(left.N).plus(right.N) : toDecimal(left.N).minus(right.N)
  if (result.c.length > MAX_DIGITS) {
    throw validationError(`Attempting to store more than ${MAX_DIGITS} significant digits in a Number`)
  }
  return { N: result.toFixed() }
}

function concatLists(left: AttributeValue, right: AttributeValue): AttributeValue {
  if (!left.L || !right.L) throw wrongType()
  return { L: [...left.L, ...right.L] }
}

function evaluate(operand: UpdateOperand, before: Item): AttributeValue {
  if (Array.isArray(operand)) {
    const value = readPath(before, operand)
    if (!value) throw missingOperand()
    return value
  }
  if (!isCall(operand)) return operand
  if (operand.type === 'function' && operand.name === 'if_not_exists') {
    return readPath(before, operand.args[0]) ?? evaluate(operand.args[1], before)
  }
  const left = evaluate(operand.args[0], before)
  const right = evaluate(operand.args[1], before)
  return operand.type === 'function' ? concatLists(left, right) : calculate(operand.type, left, right)
}

function unionSets(existing: AttributeValue, added: AttributeValue, type: SetType): AttributeValue {
  return { [type]: [...new Set([...existing[type]!, ...added[type]!])] }
}

function subtractSets(existing: AttributeValue, removed: AttributeValue, type: SetType): AttributeValue | undefined {
  const remaining = existing[type]!.filter((member) => !removed[type]!.includes(member))
  return remaining.length ? { [type]: remaining } : undefined
}

function evaluateSection(section: UpdateSection, before: Item): AttributeValue | undefined {
  if (section.type === 'remove') return undefined
  if (section.type === 'set') return evaluate(section.val, before)
  const existing = readPath(before, section.path)
  const { val, attrType } = section
  if (existing && getType(existing) !== attrType) throw wrongType()
  if (attrType === 'N') return calculate('add', existing ?? { N: '0' }, val)
  if (section.type === 'add') return existing ? unionSets(existing, val, attrType) : val
  return existing && subtractSets(existing, val, attrType)
}

/** Copy on write: containers on the path of an edit are copied once, everything else is shared. */
class Draft {
  readonly root: { M: Item }
  readonly #copies = new Set<AttributeValue>()

  constructor(item: Item) {
    this.root = { M: { ...item } }
    this.#copies.add(this.root)
  }

  getContainer(path: Path): AttributeValue {
    let container: AttributeValue = this.root
    for (const piece of path.slice(0, -1)) container = this.#copyChild(container, piece)
    const target = typeof path.at(-1) === 'number' ? container.L : container.M
    if (!target) throw wrongPath()
    return container
  }

  #copyChild(parent: AttributeValue, piece: string | number): AttributeValue {
    const child = readStep(parent, piece)
    if (!child?.L && !child?.M) throw wrongPath()
    if (this.#copies.has(child)) return child
    const copy: AttributeValue = child.L ? { L: [...child.L] } : { M: { ...child.M } }
    if (parent.L) parent.L[piece as number] = copy
    else parent.M![piece] = copy
    this.#copies.add(copy)
    return copy
  }
}

interface Edit {
  container: AttributeValue
  piece: string | number
  value: AttributeValue | undefined
}

function editAttribute({ container, piece, value }: Edit): void {
  const attributes = container.M!
  if (value) attributes[piece] = value
  else delete attributes[piece]
}

function editList(list: AttributeValue[], edits: Edit[]): void {
  const inBounds = edits.filter((edit) => (edit.piece as number) < list.length)
  const appended = edits.filter((edit) => edit.value && !inBounds.includes(edit))
  const byPosition = (left: Edit, right: Edit) => (left.piece as number) - (right.piece as number)
  for (const edit of inBounds) if (edit.value) list[edit.piece as number] = edit.value
  for (const edit of inBounds.sort(byPosition).reverse()) if (!edit.value) list.splice(edit.piece as number, 1)
  for (const edit of appended.sort(byPosition)) list.push(edit.value!)
}

export function applyUpdate(sections: UpdateSection[], before: Item): Item {
  const draft = new Draft(before)
  const listEdits = new Map<AttributeValue[], Edit[]>()
  const edits = sections.map((section): Edit => {
    const value = evaluateSection(section, before)
    return { container: draft.getContainer(section.path), piece: section.path.at(-1)!, value }
  })
  for (const edit of edits) {
    const list = edit.container.L
    if (!list) editAttribute(edit)
    else listEdits.set(list, [...(listEdits.get(list) ?? []), edit])
  }
  for (const [list, editsOfList] of listEdits) editList(list, editsOfList)
  return draft.root.M
}
