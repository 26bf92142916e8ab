/** UpdateTable: billing, deletion protection and global indexes, which are filled from existing items. */
import { buildEntries } from './changes.ts'
import type { BatchOperation, Input } from './dynalite.ts'
import { indexNotFound, invalidParameters, limitExceeded, validationError } from './errors.ts'
import { buildKey, prefixRange, type Store } from './store.ts'
import {
  assertNoStreams,
  describeBilling,
  describeGlobalIndex,
  describeThroughput,
  type IndexRequest,
  parseCreateTable,
} from './tables.ts'
import type { IndexDescription, KeySchemaElement, TableDescription, TableRecord } from './types.ts'

const ENTRIES_PER_BATCH = 500

interface IndexUpdate {
  Create?: IndexRequest
  Delete?: { IndexName: string }
  Update?: Pick<IndexRequest, 'IndexName' | 'ProvisionedThroughput'>
}
interface UpdateFields {
  AttributeDefinitions?: TableDescription['AttributeDefinitions']
  BillingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST'
  ProvisionedThroughput?: IndexRequest['ProvisionedThroughput']
  DeletionProtectionEnabled?: boolean
  GlobalSecondaryIndexUpdates?: IndexUpdate[]
  StreamSpecification?: { StreamEnabled?: boolean }
}
type Definitions = TableDescription['AttributeDefinitions']

const getGlobalIndexes = (table: TableDescription) => table.GlobalSecondaryIndexes ?? []

/** AWS rejects a table with unused attribute definitions. */
function filterDefinitions(schemas: KeySchemaElement[][], definitions: Definitions): Definitions {
  const usedNames = new Set(schemas.flat().map((element) => element.AttributeName))
  const byName = new Map(definitions.map((definition) => [definition.AttributeName, definition]))
  return [...byName.values()].filter((definition) => usedNames.has(definition.AttributeName))
}

function parseIndex(table: TableDescription, indexRequest: IndexRequest, definitions: Definitions): IndexDescription {
  const { ProvisionedThroughput, ...index } = indexRequest
  const { TableName, KeySchema } = table
  const request = parseCreateTable({
    TableName,
    KeySchema,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: filterDefinitions([KeySchema, index.KeySchema ?? []], definitions),
    GlobalSecondaryIndexes: [index],
  })
  const [parsed] = request.GlobalSecondaryIndexes ?? []
  return describeGlobalIndex(TableName, { ...parsed!, ProvisionedThroughput })
}

/** Clears the index first: an earlier attempt may have left entries. */
async function fillIndex(store: Store, record: TableRecord, index: IndexDescription): Promise<void> {
  const { TableName } = record.description
  await store.clear(prefixRange(buildKey.index(TableName, index.IndexName)))
  const operations: BatchOperation[] = []
  for await (const item of store.iterateItems(prefixRange(buildKey.items(TableName)))) {
    operations.push(...buildEntries(item, record, index))
    if (operations.length >= ENTRIES_PER_BATCH) await store.commit(operations.splice(0))
  }
  await store.commit(operations)
}

async function createIndex(
  store: Store,
  record: TableRecord,
  indexRequest: IndexRequest,
  requestDefinitions: Definitions,
) {
  const table = record.description
  if (getGlobalIndexes(table).some((index) => index.IndexName === indexRequest.IndexName)) {
    throw validationError(`Attempting to create an index which already exists: ${indexRequest.IndexName}`)
  }
  const definitions = [...requestDefinitions, ...table.AttributeDefinitions]
  const index = parseIndex(table, indexRequest, definitions)
  const globals = [...getGlobalIndexes(table), index]
  const updatedTable = setGlobalIndexes({ ...table, AttributeDefinitions: definitions }, globals)
  await fillIndex(store, { ...record, description: updatedTable }, index)
  return updatedTable
}

function setGlobalIndexes(table: TableDescription, globals: IndexDescription[]): TableDescription {
  const { GlobalSecondaryIndexes: _, ...tableWithoutGlobals } = table
  const schemas = [...globals, ...(table.LocalSecondaryIndexes ?? [])].map((index) => index.KeySchema)
  const AttributeDefinitions = filterDefinitions([table.KeySchema, ...schemas], table.AttributeDefinitions)
  return { ...tableWithoutGlobals, AttributeDefinitions, ...(globals.length && { GlobalSecondaryIndexes: globals }) }
}

function requireIndex(table: TableDescription, name: string): IndexDescription {
  const index = getGlobalIndexes(table).find((candidate) => candidate.IndexName === name)
  if (!index) throw indexNotFound(name)
  return index
}

function updateIndexThroughput(
  table: TableDescription,
  { IndexName, ProvisionedThroughput }: NonNullable<IndexUpdate['Update']>,
) {
  const updatedIndex = {
    ...requireIndex(table, IndexName),
    ProvisionedThroughput: describeThroughput(ProvisionedThroughput),
  }
  return setGlobalIndexes(
    table,
    getGlobalIndexes(table).map((index) => (index.IndexName === IndexName ? updatedIndex : index)),
  )
}

async function updateIndex(store: Store, record: TableRecord, update: IndexUpdate, requestDefinitions: Definitions) {
  const table = record.description
  if (update.Create) return createIndex(store, record, update.Create, requestDefinitions)
  if (update.Update) return updateIndexThroughput(table, update.Update)
  if (!update.Delete) throw invalidParameters('a GlobalSecondaryIndexUpdate must have one of Create, Update or Delete')
  const index = requireIndex(table, update.Delete.IndexName)
  return setGlobalIndexes(
    table,
    getGlobalIndexes(table).filter((candidate) => candidate !== index),
  )
}

function updateBilling(
  table: TableDescription,
  { BillingMode, ProvisionedThroughput }: UpdateFields,
): TableDescription {
  if (BillingMode === 'PROVISIONED' && !ProvisionedThroughput) {
    throw invalidParameters('ProvisionedThroughput must be specified when BillingMode is PROVISIONED')
  }
  return {
    ...table,
    ...(BillingMode && describeBilling(BillingMode)),
    ...((BillingMode || ProvisionedThroughput) && { ProvisionedThroughput: describeThroughput(ProvisionedThroughput) }),
  }
}

function checkFields(fields: UpdateFields): void {
  assertNoStreams(fields.StreamSpecification)
  const { BillingMode, ProvisionedThroughput, DeletionProtectionEnabled, GlobalSecondaryIndexUpdates: updates } = fields
  if (!BillingMode && !ProvisionedThroughput && DeletionProtectionEnabled === undefined && !updates?.length) {
    throw invalidParameters(
      'At least one of BillingMode, ProvisionedThroughput, DeletionProtectionEnabled or GlobalSecondaryIndexUpdates is required',
    )
  }
  const structuralUpdates = updates?.filter((update) => update.Create || update.Delete) ?? []
  if (structuralUpdates.length > 1) {
    throw limitExceeded(
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    )
  }
}

export async function updateTable(store: Store, input: Input) {
  const fields = input as UpdateFields
  checkFields(fields)
  return store.gate.runExclusive(async () => {
    const record = store.getTable(String(input.TableName))
    let description = updateBilling(record.description, fields)
    for (const update of fields.GlobalSecondaryIndexUpdates ?? []) {
      description = await updateIndex(store, { ...record, description }, update, fields.AttributeDefinitions ?? [])
    }
    const { DeletionProtectionEnabled = description.DeletionProtectionEnabled } = fields
    description = { ...description, DeletionProtectionEnabled }
    await store.saveTable({ ...record, description })
    await clearDeletedIndexes(store, fields, description.TableName)
    return { TableDescription: description }
  })
}

/** Runs after the table is saved: entries without an index are harmless, an index without entries is not. */
async function clearDeletedIndexes(store: Store, fields: UpdateFields, table: string): Promise<void> {
  for (const { Delete } of fields.GlobalSecondaryIndexUpdates ?? []) {
    if (Delete) await store.clear(prefixRange(buildKey.index(table, Delete.IndexName)))
  }
}
