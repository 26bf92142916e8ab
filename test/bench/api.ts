/** A request through the whole API beside the reads it cannot do without, on an embedded cloud in a process of its own. */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import type { Local } from '../../localstack/seed.ts'
import { clientConfig } from '../support/conformance.ts'
import { askCloud, credentialsOf } from '../support/signed-request.ts'
import { type BenchRow, medianOf } from './row.ts'
import { withPlatform } from './started.ts'

const ROUNDS = 300

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now()
  await work()
  return performance.now() - before
}

export const bench = (): Promise<BenchRow[]> =>
  withPlatform(async (local) => {
    const { secretKey } = local.environments[0]!
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
    const post = async (path: string, body: object): Promise<string> => {
      const answer = await fetch(`${local.baseUrl}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return ((await answer.json()) as { data: { id: string } }).data.id
    }
    const spaceId = await post('/spaces', { name: 'bench' })
    const documentId = await post(`/spaces/${spaceId}/documents`, { title: 'bench', body: '' })
    const twoReads = readsOf(local, spaceId)
    const get = (path: string) => async () => {
      const answer = await fetch(`${local.baseUrl}/v1${path}`, { headers })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      await answer.text()
    }
    return [
      // It tells how much the space holds: two counts, the latest event and a user's name are read once the key and the space are.
      await beside('GET of a space', get(`/spaces/${spaceId}`), twoReads),
      await beside(
        'GET of a document: key, policy, one read',
        get(`/spaces/${spaceId}/documents/${documentId}`),
        twoReads,
      ),
      await away(local, () => beside(`GET of a space, DynamoDB ${AWAY} away`, get(`/spaces/${spaceId}`), twoReads)),
    ]
  })

/** What a small request to DynamoDB takes in AWS, about. */
const AWAY = '4ms'

/** Has each request to DynamoDB wait as long: one after the other they cost what they cost there, at once they do not. */
async function away<T>({ aws }: Local, work: () => Promise<T>): Promise<T> {
  const plan = (text: string) => askCloud(aws, '/_aws/faults', text)
  await plan(`dynamodb:latency=${AWAY}`)
  try {
    return await work()
  } finally {
    await plan('')
  }
}

function readsOf(local: Local, spaceId: string): () => Promise<void> {
  const dynamo = new DynamoDBClient(clientConfig(local.cloud, credentialsOf(local.aws)))
  const Key = { pk: { S: `space#${spaceId}` }, sk: { S: '-' } }
  return async () => {
    for (let read = 0; read < 2; read++)
      await dynamo.send(new GetItemCommand({ TableName: 'wharf-dev-table', Key, ConsistentRead: true }))
  }
}

async function beside(what: string, get: () => Promise<void>, twoReads: () => Promise<void>): Promise<BenchRow> {
  for (let warm = 0; warm < 50; warm++) await Promise.all([get(), twoReads()])
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await timed(get))
    theirs.push(await timed(twoReads))
  }
  const reference = 'two GetItems through the SDK'
  return { what, value: medianOf(ours), reference, referenceValue: medianOf(theirs), reach: 2 }
}
