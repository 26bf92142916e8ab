import { randomUUID } from 'node:crypto'
import { ACCOUNT_ID, REGION } from '../service.ts'
import { type Input, parseRequest } from './dynalite.ts'
import { invalidParameters, tableExists, validationError } from './errors.ts'
import type { Store } from './store.ts'
import type { IndexDescription, TableDescription } from './types.ts'

interface Throughput {
  ReadCapacityUnits: number
  WriteCapacityUnits: number
}
type IndexRequest = Pick<IndexDescription, 'IndexName' | 'KeySchema' | 'Projection'> & {
  ProvisionedThroughput?: Throughput
}
interface CreateFields {
  TableName: string
  AttributeDefinitions: TableDescription['AttributeDefinitions']
  KeySchema: TableDescription['KeySchema']
  BillingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST'
  ProvisionedThroughput?: Throughput
  GlobalSecondaryIndexes?: IndexRequest[]
  LocalSecondaryIndexes?: IndexRequest[]
}

const tableArn = (name: string) => `arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/${name}`

const describeThroughput = (throughput: Throughput = { ReadCapacityUnits: 0, WriteCapacityUnits: 0 }) => ({
  ...throughput,
  NumberOfDecreasesToday: 0,
})

/** Rejected, because they would silently have no effect. */
function checkFeatures({ StreamSpecification, DeletionProtectionEnabled }: Input): void {
  const { StreamEnabled = false } = (StreamSpecification ?? {}) as { StreamEnabled?: boolean }
  const features = {
    Streams: StreamEnabled,
    'Deletion protection': DeletionProtectionEnabled === true,
  }
  const requested = Object.entries(features).filter(([, isRequested]) => isRequested)
  if (requested.length === 0) return
  throw validationError(`Not supported by the embedded DynamoDB: ${requested.map(([feature]) => feature).join(', ')}`)
}

function checkDefinitionsUsed({ AttributeDefinitions, KeySchema, ...request }: CreateFields): void {
  const { GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = request
  const schemas = [KeySchema, ...[...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map((index) => index.KeySchema)]
  const usedNames = new Set(schemas.flat().map((element) => element.AttributeName))
  const unused = AttributeDefinitions.find((definition) => !usedNames.has(definition.AttributeName))
  if (unused) throw invalidParameters(`Some AttributeDefinitions are not used: ${unused.AttributeName}`)
}

function parseCreateTable(input: Input): CreateFields {
  checkFeatures(input)
  const request = parseRequest<CreateFields>('createTable', input)
  checkDefinitionsUsed(request)
  return request
}

const describeIndex = (table: string, index: IndexRequest): IndexDescription => ({
  IndexName: index.IndexName,
  KeySchema: index.KeySchema,
  Projection: index.Projection,
  IndexArn: `${tableArn(table)}/index/${index.IndexName}`,
  IndexSizeBytes: 0,
  ItemCount: 0,
})

const describeGlobalIndex = (table: string, index: IndexRequest): IndexDescription => ({
  ...describeIndex(table, index),
  IndexStatus: 'ACTIVE',
  ProvisionedThroughput: describeThroughput(index.ProvisionedThroughput),
})

const describeOnDemandBilling = () => ({
  BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST', LastUpdateToPayPerRequestDateTime: Date.now() / 1000 },
})

function describeNewTable(request: CreateFields): TableDescription {
  const { TableName, GlobalSecondaryIndexes, LocalSecondaryIndexes } = request
  return {
    TableName,
    TableArn: tableArn(TableName),
    TableId: randomUUID(),
    TableStatus: 'ACTIVE',
    CreationDateTime: Date.now() / 1000,
    KeySchema: request.KeySchema,
    AttributeDefinitions: request.AttributeDefinitions,
    ItemCount: 0,
    TableSizeBytes: 0,
    ProvisionedThroughput: describeThroughput(request.ProvisionedThroughput),
    ...(request.BillingMode === 'PAY_PER_REQUEST' ? describeOnDemandBilling() : {}),
    ...(GlobalSecondaryIndexes && {
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((index) => describeGlobalIndex(TableName, index)),
    }),
    ...(LocalSecondaryIndexes && {
      LocalSecondaryIndexes: LocalSecondaryIndexes.map((index) => describeIndex(TableName, index)),
    }),
  }
}

export async function createTable(store: Store, input: Input) {
  const request = parseCreateTable(input)
  const description = describeNewTable(request)
  await store.gate.runExclusive(async () => {
    if (store.hasTable(request.TableName)) throw tableExists(request.TableName)
    await store.saveTable({ description })
  })
  return { TableDescription: description }
}

export async function describeTable(store: Store, input: Input) {
  const { TableName } = parseRequest<{ TableName: string }>('describeTable', input)
  return { Table: store.getNamedTable(TableName).description }
}

export async function listTables(store: Store, input: Input) {
  const request = parseRequest<{ Limit?: number; ExclusiveStartTableName?: string }>('listTables', input)
  const { Limit = 100, ExclusiveStartTableName: start = '' } = request
  const names = store.listTables().map((record) => record.description.TableName)
  const remaining = names.sort().filter((name) => name > start)
  const page = remaining.slice(0, Limit)
  return { TableNames: page, LastEvaluatedTableName: remaining.length > page.length ? page.at(-1) : undefined }
}

export async function deleteTable(store: Store, input: Input) {
  const { TableName } = parseRequest<{ TableName: string }>('deleteTable', input)
  return store.gate.runExclusive(async () => {
    const { description } = store.getNamedTable(TableName)
    await store.removeTable(TableName)
    return { TableDescription: { ...description, TableStatus: 'DELETING' } }
  })
}
