import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import type { Local } from '../localstack/seed.ts'
import { clientConfig } from '../test/support/conformance.ts'
import { callCloud, getCredentials } from '../test/support/signed-request.ts'
import { type BenchRow, median } from './row.ts'
import { withPlatform } from './start-server.ts'

const ROUNDS = 300

const measureMs = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await work()
  return performance.now() - before
}

export const bench = (): Promise<BenchRow[]> =>
  withPlatform(async (local) => {
    const { secretKey } = local.environments[0]!
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
    const post = async (path: string, body: object): Promise<string> => {
      const response = await fetch(`${local.baseUrl}/v1${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return ((await response.json()) as { data: { id: string } }).data.id
    }
    const spaceId = await post('/spaces', { name: 'bench' })
    const documentId = await post(`/spaces/${spaceId}/documents`, { title: 'bench', body: '' })
    const twoReads = createTwoReads(local, spaceId)
    const get = (path: string) => async () => {
      const response = await fetch(`${local.baseUrl}/v1${path}`, { headers })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      await response.text()
    }
    return [
      await compareWithReads('GET of a space', get(`/spaces/${spaceId}`), twoReads),
      await compareWithReads(
        'GET of a document: key, policy, one read',
        get(`/spaces/${spaceId}/documents/${documentId}`),
        twoReads,
      ),
      await withLatency(local, () =>
        compareWithReads(
          `GET of a space, with ${LATENCY_MS} ms latency to DynamoDB`,
          get(`/spaces/${spaceId}`),
          twoReads,
        ),
      ),
    ]
  })

const LATENCY_MS = 4

async function withLatency<T>({ aws }: Local, work: () => Promise<T>): Promise<T> {
  const setFaults = (text: string) => callCloud(aws, '/_aws/faults', text)
  await setFaults(`dynamodb:latency=${LATENCY_MS}ms`)
  try {
    return await work()
  } finally {
    await setFaults('')
  }
}

function createTwoReads(local: Local, spaceId: string): () => Promise<void> {
  const dynamo = new DynamoDBClient(clientConfig(local.cloud, getCredentials(local.aws)))
  const Key = { pk: { S: `space#${spaceId}` }, sk: { S: '-' } }
  return async () => {
    for (let read = 0; read < 2; read++)
      await dynamo.send(new GetItemCommand({ TableName: 'wharf-dev-table', Key, ConsistentRead: true }))
  }
}

async function compareWithReads(
  what: string,
  get: () => Promise<void>,
  twoReads: () => Promise<void>,
): Promise<BenchRow> {
  for (let warm = 0; warm < 50; warm++) await Promise.all([get(), twoReads()])
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await measureMs(get))
    theirs.push(await measureMs(twoReads))
  }
  const reference = 'two GetItems through the SDK'
  return { what, value: median(ours), reference, referenceValue: median(theirs), target: 2 }
}
