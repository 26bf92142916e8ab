import type { DataType, Field, Schema } from '@uwdata/flechette'
import { Endianness, Type } from '@uwdata/flechette/src/constants.js'
import { MAX_NESTING_LEVELS } from '../../../../schemas/files/shape.ts'
import { message } from '../../../../schemas/messages/index.ts'
import { MAX_FIELDS_PER_SHEET } from '../../../../schemas/sheets/shape.ts'
import { type ApiError, unprocessable } from '../../../core/errors.ts'
import { createDamagedError } from './damage.ts'
import { Dictionary, type ValueNode } from './dictionary.ts'
import { getValueType } from './values.ts'

export interface Column {
  name: string
  /** Positions among the children, from the record batch down. */
  path: number[]
  node: ValueNode
}

export interface Plan {
  columns: Column[]
  dictionaries: Map<number, Dictionary>
  /** Without dictionaries and scales, which flechette would apply to all values. */
  fields: Field[]
}

export function planColumns({ fields, endianness }: Schema): Plan {
  const planner = new Planner()
  if (endianness === Endianness.Big && fields[0]) throw createTypeError(fields[0].name, 'big-endian')
  planner.addFields(fields, [], [])
  const { columns, dictionaries } = planner
  if (columns.length === 0) throw unprocessable(message('files.noRecords'))
  if (columns.length > MAX_FIELDS_PER_SHEET)
    throw unprocessable(message('files.tooManyColumns', { count: columns.length, maximum: MAX_FIELDS_PER_SHEET }))
  return { columns, dictionaries, fields: fields.map(toPlainField) }
}

const createTypeError = (column: string, type: string): ApiError =>
  unprocessable(message('files.columnType', { column, type }))

const TYPE_NAMES = new Map<number, string>(Object.entries(Type).map(([name, id]) => [id, name]))

const LIST_TYPES = new Set<number>([Type.List, Type.LargeList, Type.FixedSizeList, Type.ListView, Type.LargeListView])

class Planner {
  readonly columns: Column[] = []
  readonly dictionaries = new Map<number, Dictionary>()
  readonly #open = new Set<number>()

  addFields(fields: readonly Field[], names: readonly string[], path: readonly number[]): void {
    for (const [index, field] of fields.entries()) {
      const fieldNames = [...names, field.name ?? '']
      const fieldPath = [...path, index]
      const name = fieldNames.join('.')
      assertDepth(name, fieldPath.length)
      if (field.type.typeId === Type.Struct) this.addFields(field.type.children, fieldNames, fieldPath)
      else this.columns.push({ name, path: fieldPath, node: this.#plan(field, name, fieldPath.length) })
    }
  }

  #plan({ name, type, metadata }: Field, column: string, depth: number): ValueNode {
    assertDepth(column, depth)
    const node = { name: name ?? '', children: [] }
    if (type.typeId === Type.Dictionary)
      return { ...node, kind: 'dictionary', dictionary: this.#planDictionary(type, column, depth) }
    if (type.typeId === Type.Null) return { ...node, kind: 'null' }
    const valueType = getValueType(type, metadata?.get('ARROW:extension:name'))
    if (valueType) return { ...node, kind: 'leaf', type: valueType }
    const kind = getNestedKind(type)
    if (!kind) throw createTypeError(column, TYPE_NAMES.get(type.typeId) ?? '')
    const children = getChildren(type).map((child) => this.#plan(child, column, depth + 1))
    if (kind === 'map' && children[0]?.children.length !== 2) throw createDamagedError('a map has no keys and values')
    return { ...node, kind, children }
  }

  #planDictionary(type: DataType & { typeId: -1 }, column: string, depth: number): Dictionary {
    const { id, dictionary: valueType } = type
    const known = this.dictionaries.get(id)
    if (known) return known
    if (this.#open.has(id)) throw createDamagedError('a dictionary contains itself')
    this.#open.add(id)
    const field = { name: '', type: valueType, nullable: true, metadata: new Map() }
    const dictionary = new Dictionary(this.#plan(field, column, depth + 1), toPlainField(field))
    this.dictionaries.set(id, dictionary)
    return dictionary
  }
}

function assertDepth(column: string, depth: number): void {
  if (depth > MAX_NESTING_LEVELS)
    throw unprocessable(message('files.columnTooDeep', { column, count: MAX_NESTING_LEVELS }))
}

function getNestedKind({ typeId }: DataType): 'list' | 'map' | 'struct' | undefined {
  if (LIST_TYPES.has(typeId)) return 'list'
  if (typeId === Type.Map) return 'map'
  return typeId === Type.Struct ? 'struct' : undefined
}

const getChildren = (type: DataType): Field[] => ('children' in type ? type.children : [])

const toPlainField = (field: Field): Field => ({ ...field, type: toPlainType(field.type) })

function toPlainType(type: DataType): DataType {
  if (type.typeId === Type.Dictionary) return type.indices
  if (type.typeId === Type.Decimal) return { ...type, scale: 0 }
  if ('children' in type) return { ...type, children: type.children.map(toPlainField) } as DataType
  return type
}
