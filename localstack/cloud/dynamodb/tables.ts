/** Creates, describes, updates and deletes tables, their tags and backup settings. */
import { randomUUID } from 'node:crypto'
import { ACCOUNT_ID, REGION } from '../service.ts'
import { type Input, parseRequest } from './dynalite.ts'
import { DynamoError, invalidParameters, tableExists, tableNotFound, validationError } from './errors.ts'
import type { Store } from './store.ts'
import type { IndexDescription, TableDescription, TableRecord } from './types.ts'

interface Tag {
  Key: string
  Value: string
}
interface Throughput {
  ReadCapacityUnits: number
  WriteCapacityUnits: number
}
export type IndexRequest = Pick<IndexDescription, 'IndexName' | 'KeySchema' | 'Projection'> & {
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

export const tableArn = (name: string) => `arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/${name}`

export const describeThroughput = (throughput: Throughput = { ReadCapacityUnits: 0, WriteCapacityUnits: 0 }) => ({
  ...throughput,
  NumberOfDecreasesToday: 0,
})

/** Rejected, because a listener on the stream would silently miss every record. */
export function assertNoStreams(specification: { StreamEnabled?: boolean } | undefined): void {
  if (specification?.StreamEnabled) throw validationError('Streams are not supported by the embedded DynamoDB')
}

function checkDefinitionsUsed({ AttributeDefinitions, KeySchema, ...request }: CreateFields): void {
  const indexes = [...(request.GlobalSecondaryIndexes ?? []), ...(request.LocalSecondaryIndexes ?? [])]
  const schemas = [KeySchema, ...indexes.map((index) => index.KeySchema)]
  const usedNames = new Set(schemas.flat().map((element) => element.AttributeName))
  const unused = AttributeDefinitions.find((definition) => !usedNames.has(definition.AttributeName))
  if (unused) throw invalidParameters(`Some AttributeDefinitions are not used: ${unused.AttributeName}`)
}

export function parseCreateTable(input: Input): CreateFields {
  assertNoStreams(input.StreamSpecification as { StreamEnabled?: boolean } | undefined)
  const request = parseRequest<CreateFields>('createTable', input)
  checkDefinitionsUsed(request)
  return request
}

const describeIndex = (table: string, { IndexName, KeySchema, Projection }: IndexRequest): IndexDescription => ({
  IndexName,
  KeySchema,
  Projection,
  IndexArn: `${tableArn(table)}/index/${IndexName}`,
  IndexSizeBytes: 0,
  ItemCount: 0,
})

export const describeGlobalIndex = (table: string, index: IndexRequest): IndexDescription => ({
  ...describeIndex(table, index),
  IndexStatus: 'ACTIVE',
  ProvisionedThroughput: describeThroughput(index.ProvisionedThroughput),
})

export const describeBilling = (mode: 'PROVISIONED' | 'PAY_PER_REQUEST') =>
  mode === 'PAY_PER_REQUEST'
    ? { BillingModeSummary: { BillingMode: mode, LastUpdateToPayPerRequestDateTime: Date.now() / 1000 } }
    : { BillingModeSummary: { BillingMode: mode } }

function describeNewTable(request: CreateFields, isProtected: boolean): TableDescription {
  const { TableName, GlobalSecondaryIndexes: globals, LocalSecondaryIndexes: locals } = request
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
    DeletionProtectionEnabled: isProtected,
    ProvisionedThroughput: describeThroughput(request.ProvisionedThroughput),
    ...(request.BillingMode === 'PAY_PER_REQUEST' ? describeBilling('PAY_PER_REQUEST') : {}),
    ...(globals && { GlobalSecondaryIndexes: globals.map((index) => describeGlobalIndex(TableName, index)) }),
    ...(locals && { LocalSecondaryIndexes: locals.map((index) => describeIndex(TableName, index)) }),
  }
}

const toTagMap = (tags: Tag[] = []) => Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]))

export async function createTable(store: Store, input: Input) {
  const isProtected = input.DeletionProtectionEnabled === true
  const tags = toTagMap(input.Tags as Tag[] | undefined)
  const request = parseCreateTable(input)
  const description = describeNewTable(request, isProtected)
  await store.gate.runExclusive(async () => {
    if (store.hasTable(request.TableName)) throw tableExists(request.TableName)
    await store.saveTable({ description, pointInTimeRecovery: false, tags })
  })
  return { TableDescription: description }
}

export async function describeTable(store: Store, input: Input) {
  const { TableName } = parseRequest<{ TableName: string }>('describeTable', input)
  return { Table: store.getTable(TableName).description }
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
    const { description } = store.getTable(TableName)
    if (description.DeletionProtectionEnabled) {
      throw validationError(
        'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
      )
    }
    await store.removeTable(TableName)
    return { TableDescription: { ...description, TableStatus: 'DELETING' } }
  })
}

function findRecordByArn(store: Store, arn: string): TableRecord {
  const name = arn.split('/')[1] ?? ''
  if (arn !== tableArn(name)) throw tableNotFound(arn)
  return store.getTable(name)
}

async function changeTags(store: Store, arn: string, change: (tags: TableRecord['tags']) => TableRecord['tags']) {
  await store.gate.runExclusive(async () => {
    const record = findRecordByArn(store, arn)
    await store.saveTable({ ...record, tags: change(record.tags) })
  })
  return undefined
}

export async function tagResource(store: Store, input: Input) {
  const { ResourceArn, Tags } = parseRequest<{ ResourceArn: string; Tags: Tag[] }>('tagResource', input)
  return changeTags(store, ResourceArn, (tags) => ({ ...tags, ...toTagMap(Tags) }))
}

export async function untagResource(store: Store, input: Input) {
  const { ResourceArn, TagKeys } = parseRequest<{ ResourceArn: string; TagKeys: string[] }>('untagResource', input)
  return changeTags(store, ResourceArn, (tags) =>
    Object.fromEntries(Object.entries(tags).filter(([key]) => !TagKeys.includes(key))),
  )
}

export async function listTagsOfResource(store: Store, input: Input) {
  const { ResourceArn } = parseRequest<{ ResourceArn: string }>('listTagsOfResource', input)
  const { tags } = findRecordByArn(store, ResourceArn)
  return { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }
}

const describeBackups = ({ pointInTimeRecovery }: TableRecord) => ({
  ContinuousBackupsDescription: {
    ContinuousBackupsStatus: 'ENABLED',
    PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: pointInTimeRecovery ? 'ENABLED' : 'DISABLED' },
  },
})

/** Only stores the setting; there are no backups to restore from. */
export async function updateContinuousBackups(store: Store, input: Input) {
  const specification = input.PointInTimeRecoverySpecification as { PointInTimeRecoveryEnabled?: unknown } | undefined
  const enabled = specification?.PointInTimeRecoveryEnabled
  if (typeof enabled !== 'boolean') {
    throw validationError('PointInTimeRecoverySpecification requires PointInTimeRecoveryEnabled')
  }
  return store.gate.runExclusive(async () => {
    const updatedRecord = { ...requireBackupsTable(store, input), pointInTimeRecovery: enabled }
    await store.saveTable(updatedRecord)
    return describeBackups(updatedRecord)
  })
}

export const describeContinuousBackups = async (store: Store, input: Input) =>
  describeBackups(requireBackupsTable(store, input))

function requireBackupsTable(store: Store, input: Input): TableRecord {
  const name = String(input.TableName)
  if (store.hasTable(name)) return store.getTable(name)
  throw new DynamoError('com.amazonaws.dynamodb.v20120810#TableNotFoundException', `Table not found: ${name}`)
}
