/** Plans the columns of a Parquet file: structs become dotted columns, lists and maps JSON text. Pure. */
import { type FileMetaData, parquetSchema, type SchemaElement, type SchemaTree } from 'hyparquet'
import { isListLike } from 'hyparquet/src/schema.js'
import { MAX_NESTING_LEVELS } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../../schemas/sheets/shape.ts'
import { type ApiError, unprocessable } from '../../../core/errors.ts'
import { DamagedPageError } from './bytes.ts'
import { getValueType, MISSING_VALUE, type ValueType } from './values.ts'

export interface Leaf {
  /** Position among the column chunks of a row group. */
  index: number
  path: SchemaTree[]
  type: ValueType
}

export interface Column {
  name: string
  leaves: Leaf[]
  /** Undefined for a column with one value per row. */
  toJson?: ((value: unknown) => string | undefined) | undefined
  node: SchemaTree
  /** Optional structs around the node. */
  depth: number
}

export const createTypeError = (column: string, type: string): ApiError =>
  unprocessable(message('files.columnType', { column, type }))

export function planColumns(metadata: FileMetaData): Column[] {
  const elements = metadata.schema
  const missing = elements.reduce((open, { num_children = 0 }) => open - 1 + num_children, 1)
  if (missing !== 0) throw new DamagedPageError('its schema is incomplete')
  // hyparquet finds elements by name and rounds converted values, so it gets unique names and plain types.
  const tree = parquetSchema({ ...metadata, schema: elements.map(toPlainElement) })
  const planner = new Planner(elements)
  planner.addChildren([tree], [], 0)
  if (planner.columns.length === 0) throw unprocessable(message('files.noRecords'))
  if (planner.columns.length > MAX_FIELDS_PER_SHEET)
    throw unprocessable(
      message('files.tooManyColumns', { count: planner.columns.length, maximum: MAX_FIELDS_PER_SHEET }),
    )
  return planner.columns
}

const toPlainElement = (element: SchemaElement, i: number): SchemaElement => ({
  name: `e${i}`,
  ...(element.type ? { type: element.type } : {}),
  ...(element.type_length ? { type_length: element.type_length } : {}),
  ...(element.repetition_type ? { repetition_type: element.repetition_type } : {}),
  ...(element.num_children ? { num_children: element.num_children } : {}),
  ...(element.converted_type === 'LIST' || element.logical_type?.type === 'LIST' ? { converted_type: 'LIST' } : {}),
})

class Planner {
  readonly columns: Column[] = []
  readonly #elements: readonly SchemaElement[]
  #leaves = 0

  constructor(elements: readonly SchemaElement[]) {
    this.#elements = elements
  }

  addChildren(path: SchemaTree[], names: readonly string[], depth: number): void {
    for (const node of path.at(-1)!.children) {
      const element = this.#getElement(node)
      const nodePath = [...path, node]
      const nodeNames = [...names, element.name]
      this.#assertDepth(nodePath, nodeNames)
      if (node.element.repetition_type === 'REPEATED' || isListLike(node) || isMap(element))
        this.#add({ node, depth, name: nodeNames.join('.'), toJson: (value) => this.#toJson(node, value) }, nodePath)
      else if (node.children.length === 0) this.#add({ node, depth, name: nodeNames.join('.') }, nodePath)
      else if (element.logical_type?.type === 'VARIANT') throw createTypeError(nodeNames.join('.'), 'VARIANT')
      else this.addChildren(nodePath, nodeNames, depth + (node.element.repetition_type === 'OPTIONAL' ? 1 : 0))
    }
  }

  #add(column: Omit<Column, 'leaves'>, path: SchemaTree[]): void {
    this.columns.push({ ...column, leaves: this.#collectLeaves(path, column.name) })
  }

  #collectLeaves(path: SchemaTree[], name: string): Leaf[] {
    const node = path.at(-1)!
    this.#assertDepth(path, [name])
    if (node.children.length > 0) return node.children.flatMap((child) => this.#collectLeaves([...path, child], name))
    return [{ index: this.#leaves++, path, type: this.#getType(node, name) }]
  }

  #getType(node: SchemaTree, name: string): ValueType {
    const element = this.#getElement(node)
    const type = getValueType(element)
    if (!type) throw createTypeError(name, element.logical_type?.type ?? element.converted_type ?? element.type ?? '')
    return type
  }

  #assertDepth(path: readonly SchemaTree[], names: readonly string[]): void {
    if (path.length > MAX_NESTING_LEVELS)
      throw unprocessable(message('files.columnTooDeep', { column: names.join('.'), count: MAX_NESTING_LEVELS }))
  }

  #getElement = (node: SchemaTree): SchemaElement => this.#elements[Number(node.element.name.slice(1))]!

  #toJson(node: SchemaTree, value: unknown): string | undefined {
    return value === null || value === undefined ? undefined : this.#writeJson(node, value, true)
  }

  #writeJson(node: SchemaTree, value: unknown, mayRepeat: boolean): string {
    if (value === null || value === undefined) return 'null'
    if (mayRepeat && node.element.repetition_type === 'REPEATED' && Array.isArray(value))
      return `[${value.map((item) => this.#writeJson(node, item, false)).join(',')}]`
    if (isListLike(node)) return this.#writeList(node, value as unknown[])
    const members = value as Record<string, unknown>
    if (isMap(this.#getElement(node))) return this.#writeMap(node, members)
    if (node.children.length === 0) return this.#writeLeaf(node, value)
    return `{${node.children
      .map((child) => {
        const key = JSON.stringify(this.#getElement(child).name)
        return `${key}:${this.#writeJson(child, members[child.element.name], true)}`
      })
      .join(',')}}`
  }

  #writeList(node: SchemaTree, items: readonly unknown[]): string {
    const list = node.children[0]!
    const item = list.children.length === 1 ? list.children[0]! : list
    return `[${items.map((value) => this.#writeJson(item, value, item !== list)).join(',')}]`
  }

  #writeMap(node: SchemaTree, members: Record<string, unknown>): string {
    const list = node.children[0]!
    const [key, value] = list.children
    const entries = (members[list.element.name] ?? []) as Record<string, unknown>[]
    return `{${entries
      .map((entry) => {
        const name = this.#writeJson(key!, entry[key!.element.name], true)
        const text = value ? this.#writeJson(value, entry[value.element.name], true) : 'null'
        return `${name.startsWith('"') ? name : JSON.stringify(name)}:${text}`
      })
      .join(',')}}`
  }

  #writeLeaf(node: SchemaTree, value: unknown): string {
    if (value === MISSING_VALUE) throw new DamagedPageError('a value is missing from its dictionary')
    const type = getValueType(this.#getElement(node))!
    const text = typeof value === 'string' ? value : type.toText(value)
    return type.isQuoted || !/^(?:-?\d|true|false)/.test(text) ? JSON.stringify(text) : text
  }
}

const isMap = ({ converted_type, logical_type }: SchemaElement): boolean =>
  converted_type === 'MAP' || converted_type === 'MAP_KEY_VALUE' || logical_type?.type === 'MAP'
