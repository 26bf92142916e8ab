/** A request through the whole API beside the reads it cannot do without, on an embedded cloud in a process of its own. */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import type { Local } from '../../localstack/seed.ts'
import { type BenchRow, medianOf } from './row.ts'
import { withPlatform } from './started.ts'

const ROUNDS = 300

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await work()
  return performance.now() - before
}

export const bench = (): Promise<BenchRow[]> => withPlatform(async (local) => [await spaceRead(local)])

async function spaceRead(local: Local): Promise<BenchRow> {
  const { secretKey } = local.environments[0]!
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
  const created = await fetch(`${local.baseUrl}/v1/spaces`, { method: 'POST', headers, body: '{"name":"bench"}' })
  const { data: space } = (await created.json()) as { data: { id: string } }
  const dynamo = new DynamoDBClient({
    endpoint: local.cloud,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  })
  const item = {
    TableName: 'wharf-dev-table',
    Key: { pk: { S: `space#${space.id}` }, sk: { S: '-' } },
    ConsistentRead: true,
  }
  const get = async () => (await fetch(`${local.baseUrl}/v1/spaces/${space.id}`, { headers })).text()
  const twoReads = async () => {
    for (let read = 0; read < 2; read++) await dynamo.send(new GetItemCommand(item))
  }
  for (let warm = 0; warm < 50; warm++) await Promise.all([get(), twoReads()])
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await timed(get))
    theirs.push(await timed(twoReads))
  }
  return {
    what: 'GET of a space',
    value: medianOf(ours),
    reference: 'two GetItems through the SDK',
    referenceValue: medianOf(theirs),
    reach: 2,
  }
}
