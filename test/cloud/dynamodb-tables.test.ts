/** Conformance of the embedded DynamoDB: tables, their settings and indexes. */
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ExecuteStatementCommand,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  QueryCommand,
  ScanCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  get,
  inParallel,
  key,
  N,
  newIndexedTable,
  newTable,
  put,
  refusal,
  S,
  type Suite,
  startSuite,
  tableInput,
  until,
} from './dynamodb-kit.ts'

let suite: Suite
let client: DynamoDBClient
beforeAll(async () => {
  suite = await startSuite()
  client = suite.client
})
afterAll(() => suite.close())

describe('tables', () => {
  const describeTable = async (TableName: string) => (await client.send(new DescribeTableCommand({ TableName }))).Table!

  const removeTable = async (TableName: string) => {
    await client.send(new DeleteTableCommand({ TableName }))
    await waitUntilTableNotExists({ client, maxWaitTime: 30, minDelay: 0.1, maxDelay: 1 }, { TableName })
  }

  it('describes a table as it was asked for', async () => {
    const table = await describeTable(await newIndexedTable(client))
    expect(table.TableStatus).toBe('ACTIVE')
    expect(table.BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST')
    expect(table.TableArn).toMatch(/^arn:aws:dynamodb:.+:table\/conformance-/)
    const indexes = table.GlobalSecondaryIndexes!.map((index) => [index.IndexName, index.IndexStatus])
    expect(indexes.sort()).toEqual([
      ['gsi', 'ACTIVE'],
      ['keys', 'ACTIVE'],
    ])
  })

  it.skipIf(process.env.CLOUD)('is ready as soon as its creation is answered', async () => {
    const input = tableInput()
    const { TableDescription } = await client.send(new CreateTableCommand(input))
    expect(TableDescription?.TableStatus).toBe('ACTIVE')
    await put(client, input.TableName!, key('1'))
    expect(await get(client, input.TableName!, key('1'))).toEqual(key('1'))
  })

  it('refuses a second table of the same name', async () => {
    const input = tableInput()
    await client.send(new CreateTableCommand(input))
    await refusal(client.send(new CreateTableCommand(input)), 'ResourceInUseException')
  })

  it('refuses an attribute definition that no key uses', async () => {
    const AttributeDefinitions = [
      ...tableInput().AttributeDefinitions!,
      { AttributeName: 'idle', AttributeType: 'S' as const },
    ]
    await refusal(client.send(new CreateTableCommand(tableInput({ AttributeDefinitions }))), 'ValidationException')
  })

  it('answers for a missing table with ResourceNotFoundException', async () => {
    const TableName = 'conformance-missing'
    await refusal(client.send(new DescribeTableCommand({ TableName })), 'ResourceNotFoundException')
    await refusal(client.send(new DeleteTableCommand({ TableName })), 'ResourceNotFoundException')
    await refusal(put(client, TableName, key('1')), 'ResourceNotFoundException')
    await refusal(get(client, TableName, key('1')), 'ResourceNotFoundException')
  })

  it('lists every table once over several pages', async () => {
    const created = await Promise.all([newTable(client), newTable(client), newTable(client)])
    const listed: string[] = []
    let start: string | undefined
    do {
      const page = await client.send(new ListTablesCommand({ Limit: 2, ExclusiveStartTableName: start }))
      listed.push(...page.TableNames!)
      start = page.LastEvaluatedTableName
    } while (start)
    expect(created.map((name) => listed.filter((other) => other === name).length)).toEqual([1, 1, 1])
  })

  it('has none of its items when it is created again', async () => {
    const TableName = await newIndexedTable(client)
    await put(client, TableName, { ...key('1'), gpk: S('g'), gsk: S('1') })
    await removeTable(TableName)
    const { AttributeDefinitions, GlobalSecondaryIndexes } = await describeTable(await newIndexedTable(client))
    const indexes = GlobalSecondaryIndexes!.map(({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      Projection,
    }))
    await newTable(client, { TableName, AttributeDefinitions, GlobalSecondaryIndexes: indexes })
    expect(await get(client, TableName, key('1'))).toBeUndefined()
    const found = await client.send(
      new QueryCommand({
        TableName,
        IndexName: 'gsi',
        KeyConditionExpression: 'gpk = :g',
        ExpressionAttributeValues: { ':g': S('g') },
      }),
    )
    expect(found.Count).toBe(0)
  })

  it('takes with it what is written while it is deleted', async () => {
    for (let round = 0; round < 10; round++) {
      const TableName = await newTable(client)
      const writers = inParallel(8, 8, async (writer) => {
        for (let at = 0; ; at++) await put(client, TableName, key(`${writer}-${at}`))
      })
      await until(async () => (await get(client, TableName, key('0-0'))) !== undefined, 'the writers have begun')
      const stopped = refusal(writers, 'ResourceNotFoundException')
      await removeTable(TableName)
      await stopped
      await newTable(client, { TableName })
      expect((await client.send(new ScanCommand({ TableName }))).Items).toEqual([])
    }
  })

  it('is not deleted while it is protected', async () => {
    const TableName = await newTable(client, { DeletionProtectionEnabled: true })
    await refusal(client.send(new DeleteTableCommand({ TableName })), 'ValidationException')
    await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }))
    await removeTable(TableName)
    await refusal(describeTable(TableName), 'ResourceNotFoundException')
  })

  it('fills an index that is added later with the items already there', async () => {
    const TableName = await newTable(client)
    await put(client, TableName, { ...key('1'), later: S('x') })
    await put(client, TableName, key('2'))
    await put(client, TableName, { ...key('of another type'), later: N(1) })
    const Create = {
      IndexName: 'later',
      KeySchema: [{ AttributeName: 'later', KeyType: 'HASH' as const }],
      Projection: { ProjectionType: 'ALL' as const },
    }
    const AttributeDefinitions = ['pk', 'sk', 'later'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    }))
    await client.send(
      new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] }),
    )
    const isActive = async () => (await describeTable(TableName)).GlobalSecondaryIndexes?.[0]?.IndexStatus === 'ACTIVE'
    await until(isActive, 'the new index is active')
    await put(client, TableName, { ...key('3'), later: S('x') })
    const found = await client.send(
      new QueryCommand({
        TableName,
        IndexName: 'later',
        KeyConditionExpression: 'later = :x',
        ExpressionAttributeValues: { ':x': S('x') },
      }),
    )
    expect(found.Items!.map((item) => item.sk!.S).sort()).toEqual(['1', '3'])
  })

  it('keeps tags', async () => {
    const TableName = await newTable(client, { Tags: [{ Key: 'stage', Value: 'test' }] })
    const ResourceArn = (await describeTable(TableName)).TableArn!
    await client.send(new TagResourceCommand({ ResourceArn, Tags: [{ Key: 'owner', Value: 'us' }] }))
    await client.send(new UntagResourceCommand({ ResourceArn, TagKeys: ['stage'] }))
    const { Tags } = await client.send(new ListTagsOfResourceCommand({ ResourceArn }))
    expect(Tags).toEqual([{ Key: 'owner', Value: 'us' }])
  })

  it('says which attribute expires its items', async () => {
    const TableName = await newTable(client)
    const specify = (Enabled: boolean) =>
      client.send(
        new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled, AttributeName: 'expires' } }),
      )
    const describeTtl = async () =>
      (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription
    expect((await describeTtl())?.TimeToLiveStatus).toBe('DISABLED')
    await specify(true)
    expect(await describeTtl()).toMatchObject({ AttributeName: 'expires' })
    await refusal(specify(true), 'ValidationException')
  })

  it('answers for continuous backups', async () => {
    const TableName = await newTable(client)
    await client.send(
      new UpdateContinuousBackupsCommand({
        TableName,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    )
    const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName }))
    expect(ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus).toBe('ENABLED')
  })

  it.skipIf(process.env.CLOUD)('says so when it does not implement an operation', async () => {
    const statement = new ExecuteStatementCommand({ Statement: 'SELECT * FROM "t"' })
    await refusal(client.send(statement), 'UnknownOperationException')
  })
})
