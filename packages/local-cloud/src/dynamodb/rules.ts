/** Rules on requests and items that dynalite does not enforce, with AWS's messages. */
import type { Input } from './dynalite.ts'
import { invalidParameters, validationError } from './errors.ts'
import { getIndexes } from './store.ts'
import type { AttributeValue, IndexDescription, Item, TableDescription } from './types.ts'
import { getAttribute, getType } from './values.ts'

const MAX_HASH_KEY_BYTES = 2048
const MAX_RANGE_KEY_BYTES = 1024

export function checkLegacy(input: Input, names: string[]): void {
  const legacyName = names.find((name) => input[name] != null)
  if (!legacyName) return
  throw validationError(
    `The legacy parameter ${legacyName} is not supported by the embedded DynamoDB: use an expression`,
  )
}

const getKeyNames = (table: TableDescription) => table.KeySchema.map((element) => element.AttributeName)

export function getProjectedNames(index: IndexDescription, table: TableDescription): string[] | undefined {
  const { ProjectionType, NonKeyAttributes = [] } = index.Projection
  if (ProjectionType === 'ALL') return undefined
  return [...index.KeySchema.map((element) => element.AttributeName), ...getKeyNames(table), ...NonKeyAttributes]
}

const getKeyType = (name: string, table: TableDescription) =>
  table.AttributeDefinitions.find((definition) => definition.AttributeName === name)!.AttributeType

/** False also for an item that was written before the index existed. */
export function hasIndexKeys(item: Item, index: IndexDescription, table: TableDescription): boolean {
  return index.KeySchema.every(({ AttributeName: name }) => {
    const value = getAttribute(item, name)?.[getKeyType(name, table)]
    return value !== undefined && value !== ''
  })
}

function checkIndexKey(value: AttributeValue, type: string, isHash: boolean, location: string): void {
  if (getType(value) !== type) {
    throw invalidParameters(`Type mismatch for Index Key ${location} Expected: ${type} Actual: ${getType(value)}`)
  }
  const text = value.S ?? value.B
  if (text === '') {
    throw validationError(
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        `The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. ` +
        `IndexKey: ${location}`,
    )
  }
  const limit = isHash ? MAX_HASH_KEY_BYTES : MAX_RANGE_KEY_BYTES
  const bytes = Buffer.byteLength(text ?? '', type === 'B' ? 'base64' : 'utf8')
  if (bytes > limit) throw invalidParameters(`Size of index key ${location} has exceeded the limit of ${limit} bytes`)
}

function checkKeysOfIndex(index: IndexDescription, item: Item, table: TableDescription): void {
  for (const { AttributeName: name, KeyType } of index.KeySchema) {
    const value = getAttribute(item, name)
    if (!value) continue
    checkIndexKey(value, getKeyType(name, table), KeyType === 'HASH', `${name} IndexName: ${index.IndexName}`)
  }
}

export function checkIndexKeys(item: Item, table: TableDescription): void {
  for (const index of getIndexes(table)) checkKeysOfIndex(index, item, table)
}
