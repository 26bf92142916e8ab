/** Helpers shared by the DynamoDB suites. They use only the SDK, so the suites run against any DynamoDB. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AttributeValue,
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { afterAll, expect } from 'vitest'
import { clientConfig, conformanceTarget } from '../../../test/support/conformance.ts'
import { startDynamodb } from '../src/dynamodb/index.ts'

export type Item = Record<string, AttributeValue>

export const S = (value: string): AttributeValue.SMember => ({ S: value })
export const N = (value: number | string): AttributeValue.NMember => ({ N: String(value) })
export const key = (sk: string, pk = 'p'): Item => ({ pk: S(pk), sk: S(sk) })

/** Starts the DynamoDB of a test file until the file's tests have run. */
export async function startSuite({ inMemory = false } = {}): Promise<DynamoDBClient> {
  const dataDir = inMemory || process.env.CLOUD ? undefined : await mkdtemp(join(tmpdir(), 'dynamodb-'))
  const target = await conformanceTarget(() => startDynamodb({ dataDir, ttlSweepMilliseconds: 50 }))
  const client = new DynamoDBClient(clientConfig(target.endpoint))
  afterAll(async () => {
    client.destroy()
    await target.close()
    if (dataDir) await rm(dataDir, { recursive: true })
  })
  return client
}

export const defineTexts = (names: readonly string[]) =>
  names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }))

const WITH_INDEXES: Partial<CreateTableCommandInput> = {
  AttributeDefinitions: defineTexts(['pk', 'sk', 'gpk', 'gsk', 'kpk']),
  GlobalSecondaryIndexes: [
    {
      IndexName: 'gsi',
      KeySchema: [
        { AttributeName: 'gpk', KeyType: 'HASH' },
        { AttributeName: 'gsk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
    {
      IndexName: 'keys',
      KeySchema: [{ AttributeName: 'kpk', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
}

export const createTableInput = (changes: Partial<CreateTableCommandInput> = {}): CreateTableCommandInput => ({
  TableName: `conformance-${randomUUID()}`,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: defineTexts(['pk', 'sk']),
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  ...changes,
})

export async function newTable(client: DynamoDBClient, changes: Partial<CreateTableCommandInput> = {}) {
  const input = createTableInput(changes)
  await client.send(new CreateTableCommand(input))
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 0.1, maxDelay: 1 }, { TableName: input.TableName })
  return input.TableName!
}

export const newIndexedTable = (client: DynamoDBClient) => newTable(client, WITH_INDEXES)

export const put = (client: DynamoDBClient, TableName: string, Item: Item) =>
  client.send(new PutItemCommand({ TableName, Item }))

export async function get(client: DynamoDBClient, TableName: string, Key: Item): Promise<Item | undefined> {
  const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))
  return Item
}

export async function catchRejection<Shape extends Error = Error>(
  request: Promise<unknown>,
  name: string,
): Promise<Shape> {
  const error = await request.then(
    () => undefined,
    (reason: Shape) => reason,
  )
  expect(error?.name, error?.message).toBe(name)
  return error!
}

export async function runInParallel(count: number, width: number, work: (index: number) => Promise<unknown>) {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

export async function waitUntil(condition: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not within ten seconds: ${what}`)
    await sleep(25)
  }
}
