/**
 * Rules on requests and items that dynalite does not enforce, with AWS's messages. Pure; throws what it refuses.
 */
import type { Input } from './dynalite.ts'
import { invalidParameters, validationError } from './errors.ts'
import { indexesOf } from './store.ts'
import type { AttributeValue, IndexDescription, Item, TableDescription } from './types.ts'
import { attributeOf, typeOf } from './values.ts'

const MAX_HASH_KEY_BYTES = 2048
const MAX_RANGE_KEY_BYTES = 1024

/** Refuses the parameters that expressions replaced in 2014, rather than ignoring them. */
export function checkLegacy(input: Input, names: string[]): void {
  const used = names.find((name) => input[name] != null)
  if (!used) return
  throw validationError(`The legacy parameter ${used} is not supported by the embedded DynamoDB: use an expression`)
}

const keyNames = (table: TableDescription) => table.KeySchema.map((element) => element.AttributeName)

/** The attributes that an index holds; undefined when it holds all. */
export function projectedNames(index: IndexDescription, table: TableDescription): string[] | undefined {
  const { ProjectionType, NonKeyAttributes = [] } = index.Projection
  if (ProjectionType === 'ALL') return undefined
  return [...index.KeySchema.map((element) => element.AttributeName), ...keyNames(table), ...NonKeyAttributes]
}

const keyType = (name: string, table: TableDescription) =>
  table.AttributeDefinitions.find((definition) => definition.AttributeName === name)!.AttributeType

/** Whether the item belongs into the index: it may have been written before the index was made. */
export function hasIndexKeys(item: Item, index: IndexDescription, table: TableDescription): boolean {
  return index.KeySchema.every(({ AttributeName: name }) => {
    const value = attributeOf(item, name)?.[keyType(name, table)]
    return value !== undefined && value !== ''
  })
}

function checkIndexKey(value: AttributeValue, type: string, isHash: boolean, where: string): void {
  if (typeOf(value) !== type) {
    throw invalidParameters(`Type mismatch for Index Key ${where} Expected: ${type} Actual: ${typeOf(value)}`)
  }
  const text = value.S ?? value.B
  if (text === '') {
    throw validationError(
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        `The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. ` +
        `IndexKey: ${where}`,
    )
  }
  const limit = isHash ? MAX_HASH_KEY_BYTES : MAX_RANGE_KEY_BYTES
  const bytes = Buffer.byteLength(text ?? '', type === 'B' ? 'base64' : 'utf8')
  if (bytes > limit) throw invalidParameters(`Size of index key ${where} has exceeded the limit of ${limit} bytes`)
}

function checkKeysOf(index: IndexDescription, item: Item, table: TableDescription): void {
  for (const { AttributeName: name, KeyType } of index.KeySchema) {
    const value = attributeOf(item, name)
    if (!value) continue
    checkIndexKey(value, keyType(name, table), KeyType === 'HASH', `${name} IndexName: ${index.IndexName}`)
  }
}

/** Refuses an item whose index keys have the wrong type, are empty or too long. */
export function checkIndexKeys(item: Item, table: TableDescription): void {
  for (const index of indexesOf(table)) checkKeysOf(index, item, table)
}
