/**
 * Applies a parsed update expression to an item. Pure. As in DynamoDB every operand is read from the item as it was
 * before the update, and removed list elements close up only at the end; dynalite's own code does neither.
 */
import { decimal } from './dynalite.ts'
import { validationError } from './errors.ts'
import type { AttributeValue, Item, Path, SetType, UpdateCall, UpdateOperand, UpdateSection } from './types.ts'
import { readPath, step, typeOf } from './values.ts'

const MAX_DIGITS = 38

const wrongType = () => validationError('An operand in the update expression has an incorrect data type')
const wrongPath = () => validationError('The document path provided in the update expression is invalid for update')
const missingOperand = () =>
  validationError('The provided expression refers to an attribute that does not exist in the item')

const isCall = (operand: AttributeValue | UpdateCall): operand is UpdateCall => 'args' in operand

function calculate(kind: 'add' | 'subtract', left: AttributeValue, right: AttributeValue): AttributeValue {
  if (left.N === undefined || right.N === undefined) throw wrongType()
  const result = kind === 'add' ? decimal(left.N).plus(right.N) : decimal(left.N).minus(right.N)
  if (result.c.length > MAX_DIGITS) {
    throw validationError(`Attempting to store more than ${MAX_DIGITS} significant digits in a Number`)
  }
  return { N: result.toFixed() }
}

function append(left: AttributeValue, right: AttributeValue): AttributeValue {
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
  return operand.type === 'function' ? append(left, right) : calculate(operand.type, left, right)
}

function union(existing: AttributeValue, added: AttributeValue, type: SetType): AttributeValue {
  return { [type]: [...new Set([...existing[type]!, ...added[type]!])] }
}

function difference(existing: AttributeValue, removed: AttributeValue, type: SetType): AttributeValue | undefined {
  const left = existing[type]!.filter((member) => !removed[type]!.includes(member))
  return left.length ? { [type]: left } : undefined
}

/** What a section leaves at its path; undefined when nothing. */
function outcome(section: UpdateSection, before: Item): AttributeValue | undefined {
  if (section.type === 'remove') return undefined
  if (section.type === 'set') return evaluate(section.val, before)
  const existing = readPath(before, section.path)
  const { val, attrType } = section
  if (existing && typeOf(existing) !== attrType) throw wrongType()
  if (attrType === 'N') return calculate('add', existing ?? { N: '0' }, val)
  if (section.type === 'add') return existing ? union(existing, val, attrType) : val
  return existing && difference(existing, val, attrType)
}

/** A copy in the making: what an edit touches is copied once on the way to it, everything else is shared. */
class Draft {
  readonly root: { M: Item }
  readonly #copies = new Set<AttributeValue>()

  constructor(item: Item) {
    this.root = { M: { ...item } }
    this.#copies.add(this.root)
  }

  /** The map or list, safe to change, that holds the last piece of the path. */
  containerOf(path: Path): AttributeValue {
    let container: AttributeValue = this.root
    for (const piece of path.slice(0, -1)) container = this.#copied(container, piece)
    const fits = typeof path.at(-1) === 'number' ? container.L : container.M
    if (!fits) throw wrongPath()
    return container
  }

  #copied(parent: AttributeValue, piece: string | number): AttributeValue {
    const child = step(parent, piece)
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

/** Edits the elements of one list: replaces, then removes from the end, then appends what lies behind the end. */
function editList(list: AttributeValue[], edits: Edit[]): void {
  const inside = edits.filter((edit) => (edit.piece as number) < list.length)
  const behind = edits.filter((edit) => edit.value && !inside.includes(edit))
  const byPosition = (left: Edit, right: Edit) => (left.piece as number) - (right.piece as number)
  for (const edit of inside) if (edit.value) list[edit.piece as number] = edit.value
  for (const edit of inside.sort(byPosition).reverse()) if (!edit.value) list.splice(edit.piece as number, 1)
  for (const edit of behind.sort(byPosition)) list.push(edit.value!)
}

/**
 * The item after the update; `before` stays as it is, and may share unchanged parts with it. Throws a
 * ValidationException when an operand is missing or of the wrong type, or a path leads through nothing.
 */
export function applyUpdate(sections: UpdateSection[], before: Item): Item {
  const draft = new Draft(before)
  const listEdits = new Map<AttributeValue[], Edit[]>()
  const edits = sections.map((section): Edit => {
    const value = outcome(section, before)
    return { container: draft.containerOf(section.path), piece: section.path.at(-1)!, value }
  })
  for (const edit of edits) {
    const list = edit.container.L
    if (!list) editAttribute(edit)
    else listEdits.set(list, [...(listEdits.get(list) ?? []), edit])
  }
  for (const [list, itsEdits] of listEdits) editList(list, itsEdits)
  return draft.root.M
}
