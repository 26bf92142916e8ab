/** Conformance of the embedded DynamoDB: tables, their settings and indexes. */
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ExecuteStatementCommand,
  ListTablesCommand,
  QueryCommand,
  ScanCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import {
  catchRejection,
  createTableInput,
  get,
  key,
  newIndexedTable,
  newTable,
  put,
  runInParallel,
  S,
  startSuite,
  waitUntil,
} from './dynamodb-kit.ts'

const client = await startSuite()

describe('tables', () => {
  const describeTable = async (TableName: string) => (await client.send(new DescribeTableCommand({ TableName }))).Table!

  const deleteTable = async (TableName: string) => {
    await client.send(new DeleteTableCommand({ TableName }))
    await waitUntilTableNotExists({ client, maxWaitTime: 30, minDelay: 0.1, maxDelay: 1 }, { TableName })
  }

  it('describes a table as it was created', async () => {
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

  it.skipIf(process.env.CLOUD)('is ready as soon as CreateTable responds', async () => {
    const input = createTableInput()
    const { TableDescription } = await client.send(new CreateTableCommand(input))
    expect(TableDescription?.TableStatus).toBe('ACTIVE')
    await put(client, input.TableName!, key('1'))
    expect(await get(client, input.TableName!, key('1'))).toEqual(key('1'))
  })

  it('rejects a second table with the same name', async () => {
    const input = createTableInput()
    await client.send(new CreateTableCommand(input))
    await catchRejection(client.send(new CreateTableCommand(input)), 'ResourceInUseException')
  })

  it('rejects an attribute definition that no key uses', async () => {
    const AttributeDefinitions = [
      ...createTableInput().AttributeDefinitions!,
      { AttributeName: 'idle', AttributeType: 'S' as const },
    ]
    await catchRejection(
      client.send(new CreateTableCommand(createTableInput({ AttributeDefinitions }))),
      'ValidationException',
    )
  })

  it('rejects requests to a missing table with ResourceNotFoundException', async () => {
    const TableName = 'conformance-missing'
    await catchRejection(client.send(new DescribeTableCommand({ TableName })), 'ResourceNotFoundException')
    await catchRejection(client.send(new DeleteTableCommand({ TableName })), 'ResourceNotFoundException')
    await catchRejection(put(client, TableName, key('1')), 'ResourceNotFoundException')
    await catchRejection(get(client, TableName, key('1')), 'ResourceNotFoundException')
  })

  it('lists every table once across several pages', async () => {
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

  it('is empty when it is recreated', async () => {
    const TableName = await newIndexedTable(client)
    await put(client, TableName, { ...key('1'), gpk: S('g'), gsk: S('1') })
    await deleteTable(TableName)
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

  it('deletes items written while the table is being deleted', async () => {
    for (let round = 0; round < 10; round++) {
      const TableName = await newTable(client)
      const writers = runInParallel(8, 8, async (writer) => {
        for (let at = 0; ; at++) await put(client, TableName, key(`${writer}-${at}`))
      })
      await waitUntil(async () => (await get(client, TableName, key('0-0'))) !== undefined, 'the writers have begun')
      const stopped = catchRejection(writers, 'ResourceNotFoundException')
      await deleteTable(TableName)
      await stopped
      await newTable(client, { TableName })
      expect((await client.send(new ScanCommand({ TableName }))).Items).toEqual([])
    }
  })

  it('describes the TTL attribute', async () => {
    const TableName = await newTable(client)
    const setTtl = (Enabled: boolean) =>
      client.send(
        new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { Enabled, AttributeName: 'expires' } }),
      )
    const describeTtl = async () =>
      (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription
    expect((await describeTtl())?.TimeToLiveStatus).toBe('DISABLED')
    await setTtl(true)
    expect(await describeTtl()).toMatchObject({ AttributeName: 'expires' })
    await catchRejection(setTtl(true), 'ValidationException')
  })

  it.skipIf(process.env.CLOUD)('rejects features that it does not have', async () => {
    const features: Partial<CreateTableCommandInput>[] = [
      { StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } },
      { DeletionProtectionEnabled: true },
    ]
    for (const feature of features)
      await catchRejection(client.send(new CreateTableCommand(createTableInput(feature))), 'ValidationException')
  })

  it.skipIf(process.env.CLOUD)('rejects unimplemented operations by name', async () => {
    const statement = new ExecuteStatementCommand({ Statement: 'SELECT * FROM "t"' })
    await catchRejection(client.send(statement), 'UnknownOperationException')
  })
})
