/**
 * UpdateTable: billing, deletion protection, and global indexes that are filled from the items already there, so that a
 * data directory can follow a table that gains an index. Must not know HTTP.
 */
import { entriesFor } from './changes.ts'
import type { BatchOperation, Input } from './dynalite.ts'
import { indexNotFound, invalidParameters, limitExceeded, validationError } from './errors.ts'
import { place, type Store, within } from './store.ts'
import {
  billingSummary,
  describeGlobalIndex,
  type IndexRequest,
  parseCreation,
  refuseStreams,
  throughputOf,
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

const globalsOf = (table: TableDescription) => table.GlobalSecondaryIndexes ?? []

/** The definitions that key schemas use: AWS refuses a table with others. */
function definitionsFor(schemas: KeySchemaElement[][], definitions: Definitions): Definitions {
  const used = new Set(schemas.flat().map((element) => element.AttributeName))
  const byName = new Map(definitions.map((definition) => [definition.AttributeName, definition]))
  return [...byName.values()].filter((definition) => used.has(definition.AttributeName))
}

/** Checks the new index by the rules of CreateTable for a table with this index alone. */
function parseIndex(table: TableDescription, wanted: IndexRequest, definitions: Definitions): IndexDescription {
  const { ProvisionedThroughput, ...index } = wanted
  const { TableName, KeySchema } = table
  const request = parseCreation({
    TableName,
    KeySchema,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: definitionsFor([KeySchema, index.KeySchema ?? []], definitions),
    GlobalSecondaryIndexes: [index],
  })
  const [parsed] = request.GlobalSecondaryIndexes ?? []
  return describeGlobalIndex(TableName, { ...parsed!, ProvisionedThroughput })
}

/** Fills a new index. What an earlier attempt may have left is removed first. */
async function fillIndex(store: Store, record: TableRecord, index: IndexDescription): Promise<void> {
  const { TableName } = record.description
  await store.clear(within(place.index(TableName, index.IndexName)))
  const operations: BatchOperation[] = []
  for await (const item of store.itemsIn(within(place.items(TableName)))) {
    operations.push(...entriesFor(item, record, index))
    if (operations.length >= ENTRIES_PER_BATCH) await store.commit(operations.splice(0))
  }
  await store.commit(operations)
}

async function createIndex(store: Store, record: TableRecord, wanted: IndexRequest, given: Definitions) {
  const table = record.description
  if (globalsOf(table).some((index) => index.IndexName === wanted.IndexName)) {
    throw validationError(`Attempting to create an index which already exists: ${wanted.IndexName}`)
  }
  const definitions = [...given, ...table.AttributeDefinitions]
  const index = parseIndex(table, wanted, definitions)
  const globals = [...globalsOf(table), index]
  const changed = withGlobals({ ...table, AttributeDefinitions: definitions }, globals)
  await fillIndex(store, { ...record, description: changed }, index)
  return changed
}

function withGlobals(table: TableDescription, globals: IndexDescription[]): TableDescription {
  const { GlobalSecondaryIndexes: _, ...rest } = table
  const schemas = [...globals, ...(table.LocalSecondaryIndexes ?? [])].map((index) => index.KeySchema)
  const AttributeDefinitions = definitionsFor([table.KeySchema, ...schemas], table.AttributeDefinitions)
  return { ...rest, AttributeDefinitions, ...(globals.length && { GlobalSecondaryIndexes: globals }) }
}

function indexNamed(table: TableDescription, name: string): IndexDescription {
  const index = globalsOf(table).find((candidate) => candidate.IndexName === name)
  if (!index) throw indexNotFound(name)
  return index
}

function billIndex(table: TableDescription, { IndexName, ProvisionedThroughput }: NonNullable<IndexUpdate['Update']>) {
  const changed = { ...indexNamed(table, IndexName), ProvisionedThroughput: throughputOf(ProvisionedThroughput) }
  return withGlobals(
    table,
    globalsOf(table).map((index) => (index.IndexName === IndexName ? changed : index)),
  )
}

async function updateIndex(store: Store, record: TableRecord, update: IndexUpdate, given: Definitions) {
  const table = record.description
  if (update.Create) return createIndex(store, record, update.Create, given)
  if (update.Update) return billIndex(table, update.Update)
  if (!update.Delete) throw invalidParameters('a GlobalSecondaryIndexUpdate must have one of Create, Update or Delete')
  const index = indexNamed(table, update.Delete.IndexName)
  return withGlobals(
    table,
    globalsOf(table).filter((candidate) => candidate !== index),
  )
}

function billed(table: TableDescription, { BillingMode, ProvisionedThroughput }: UpdateFields): TableDescription {
  if (BillingMode === 'PROVISIONED' && !ProvisionedThroughput) {
    throw invalidParameters('ProvisionedThroughput must be specified when BillingMode is PROVISIONED')
  }
  return {
    ...table,
    ...(BillingMode && billingSummary(BillingMode)),
    ...((BillingMode || ProvisionedThroughput) && { ProvisionedThroughput: throughputOf(ProvisionedThroughput) }),
  }
}

function checkFields(fields: UpdateFields): void {
  refuseStreams(fields.StreamSpecification)
  const { BillingMode, ProvisionedThroughput, DeletionProtectionEnabled, GlobalSecondaryIndexUpdates: updates } = fields
  if (!BillingMode && !ProvisionedThroughput && DeletionProtectionEnabled === undefined && !updates?.length) {
    throw invalidParameters(
      'At least one of BillingMode, ProvisionedThroughput, DeletionProtectionEnabled or GlobalSecondaryIndexUpdates is required',
    )
  }
  const structural = updates?.filter((update) => update.Create || update.Delete) ?? []
  if (structural.length > 1) {
    throw limitExceeded(
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    )
  }
}

/** Changes a table; the answer comes when the change is done, a new index filled. */
export async function updateTable(store: Store, input: Input) {
  const fields = input as UpdateFields
  checkFields(fields)
  return store.gate.alone(async () => {
    const record = store.table(String(input.TableName))
    let description = billed(record.description, fields)
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

/** Comes after the table is saved without them: entries without an index harm nobody, an index without entries would. */
async function clearDeletedIndexes(store: Store, fields: UpdateFields, table: string): Promise<void> {
  for (const { Delete } of fields.GlobalSecondaryIndexUpdates ?? []) {
    if (Delete) await store.clear(within(place.index(table, Delete.IndexName)))
  }
}
