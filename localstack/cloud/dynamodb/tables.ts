/**
 * The life of tables: create, describe, list, update, delete, their tags and backups settings. A table is ACTIVE as soon
 * as its creation is answered. Changes of a table run alone, with no write of an item under way. Must not know HTTP.
 */
import { randomUUID } from 'node:crypto'
import { ACCOUNT_ID, REGION } from '../service.ts'
import { type Input, parse } from './dynalite.ts'
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

export const throughputOf = (wanted: Throughput = { ReadCapacityUnits: 0, WriteCapacityUnits: 0 }) => ({
  ...wanted,
  NumberOfDecreasesToday: 0,
})

/** Streams would be silently missed by those who wait for them. */
export function refuseStreams(specification: { StreamEnabled?: boolean } | undefined): void {
  if (specification?.StreamEnabled) throw validationError('Streams are not supported by the embedded DynamoDB')
}

function checkDefinitionsUsed({ AttributeDefinitions, KeySchema, ...request }: CreateFields): void {
  const indexes = [...(request.GlobalSecondaryIndexes ?? []), ...(request.LocalSecondaryIndexes ?? [])]
  const schemas = [KeySchema, ...indexes.map((index) => index.KeySchema)]
  const used = new Set(schemas.flat().map((element) => element.AttributeName))
  const unused = AttributeDefinitions.find((definition) => !used.has(definition.AttributeName))
  if (unused) throw invalidParameters(`Some AttributeDefinitions are not used: ${unused.AttributeName}`)
}

/** Checks a table as CreateTable asks for it. */
export function parseCreation(input: Input): CreateFields {
  refuseStreams(input.StreamSpecification as { StreamEnabled?: boolean } | undefined)
  const request = parse<CreateFields>('createTable', input)
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
  ProvisionedThroughput: throughputOf(index.ProvisionedThroughput),
})

export const billingSummary = (mode: 'PROVISIONED' | 'PAY_PER_REQUEST') =>
  mode === 'PAY_PER_REQUEST'
    ? { BillingModeSummary: { BillingMode: mode, LastUpdateToPayPerRequestDateTime: Date.now() / 1000 } }
    : { BillingModeSummary: { BillingMode: mode } }

function describe(request: CreateFields, isProtected: boolean): TableDescription {
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
    ProvisionedThroughput: throughputOf(request.ProvisionedThroughput),
    ...(request.BillingMode === 'PAY_PER_REQUEST' ? billingSummary('PAY_PER_REQUEST') : {}),
    ...(globals && { GlobalSecondaryIndexes: globals.map((index) => describeGlobalIndex(TableName, index)) }),
    ...(locals && { LocalSecondaryIndexes: locals.map((index) => describeIndex(TableName, index)) }),
  }
}

const tagsFrom = (tags: Tag[] = []) => Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]))

/** Throws a ResourceInUseException when there is a table of this name. */
export async function createTable(store: Store, input: Input) {
  const isProtected = input.DeletionProtectionEnabled === true
  const tags = tagsFrom(input.Tags as Tag[] | undefined)
  const request = parseCreation(input)
  const description = describe(request, isProtected)
  await store.gate.alone(async () => {
    if (store.hasTable(request.TableName)) throw tableExists(request.TableName)
    await store.saveTable({ description, pointInTimeRecovery: false, tags })
  })
  return { TableDescription: description }
}

export async function describeTable(store: Store, input: Input) {
  const { TableName } = parse<{ TableName: string }>('describeTable', input)
  return { Table: store.table(TableName).description }
}

/** Names in order, up to 100 a page. */
export async function listTables(store: Store, input: Input) {
  const request = parse<{ Limit?: number; ExclusiveStartTableName?: string }>('listTables', input)
  const { Limit = 100, ExclusiveStartTableName: start = '' } = request
  const names = store.tables().map((record) => record.description.TableName)
  const behind = names.sort().filter((name) => name > start)
  const page = behind.slice(0, Limit)
  return { TableNames: page, LastEvaluatedTableName: behind.length > page.length ? page.at(-1) : undefined }
}

/** Removes the table with all its items. */
export async function deleteTable(store: Store, input: Input) {
  const { TableName } = parse<{ TableName: string }>('deleteTable', input)
  return store.gate.alone(async () => {
    const { description } = store.table(TableName)
    if (description.DeletionProtectionEnabled) {
      throw validationError(
        'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
      )
    }
    await store.removeTable(TableName)
    return { TableDescription: { ...description, TableStatus: 'DELETING' } }
  })
}

function recordOfArn(store: Store, arn: string): TableRecord {
  const name = arn.split('/')[1] ?? ''
  if (arn !== tableArn(name)) throw tableNotFound(arn)
  return store.table(name)
}

async function changeTags(store: Store, arn: string, change: (tags: TableRecord['tags']) => TableRecord['tags']) {
  await store.gate.alone(async () => {
    const record = recordOfArn(store, arn)
    await store.saveTable({ ...record, tags: change(record.tags) })
  })
  return undefined
}

export async function tagResource(store: Store, input: Input) {
  const { ResourceArn, Tags } = parse<{ ResourceArn: string; Tags: Tag[] }>('tagResource', input)
  return changeTags(store, ResourceArn, (tags) => ({ ...tags, ...tagsFrom(Tags) }))
}

export async function untagResource(store: Store, input: Input) {
  const { ResourceArn, TagKeys } = parse<{ ResourceArn: string; TagKeys: string[] }>('untagResource', input)
  return changeTags(store, ResourceArn, (tags) =>
    Object.fromEntries(Object.entries(tags).filter(([key]) => !TagKeys.includes(key))),
  )
}

export async function listTagsOfResource(store: Store, input: Input) {
  const { ResourceArn } = parse<{ ResourceArn: string }>('listTagsOfResource', input)
  const { tags } = recordOfArn(store, ResourceArn)
  return { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }
}

const backupsOf = ({ pointInTimeRecovery }: TableRecord) => ({
  ContinuousBackupsDescription: {
    ContinuousBackupsStatus: 'ENABLED',
    PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: pointInTimeRecovery ? 'ENABLED' : 'DISABLED' },
  },
})

/** The setting is kept and answered; there are no backups to restore from. */
export async function updateContinuousBackups(store: Store, input: Input) {
  const wanted = input.PointInTimeRecoverySpecification as { PointInTimeRecoveryEnabled?: unknown } | undefined
  const enabled = wanted?.PointInTimeRecoveryEnabled
  if (typeof enabled !== 'boolean') {
    throw validationError('PointInTimeRecoverySpecification requires PointInTimeRecoveryEnabled')
  }
  return store.gate.alone(async () => {
    const changed = { ...backupsTable(store, input), pointInTimeRecovery: enabled }
    await store.saveTable(changed)
    return backupsOf(changed)
  })
}

export const describeContinuousBackups = async (store: Store, input: Input) => backupsOf(backupsTable(store, input))

function backupsTable(store: Store, input: Input): TableRecord {
  const name = String(input.TableName)
  if (store.hasTable(name)) return store.table(name)
  throw new DynamoError('com.amazonaws.dynamodb.v20120810#TableNotFoundException', `Table not found: ${name}`)
}
