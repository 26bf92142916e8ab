import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'

/**
 * Items that outlive their resource: events are history; runs, deliveries, mails, marks and counters expire automatically;
 * accounts and their usage are not deleted by the tests.
 */
const OUTLIVING_KINDS = [
  'event',
  'execution',
  'execution-failure',
  'execution-log',
  'invitation',
  'count',
  'counted',
  'late',
  'listening',
  'webhook-delivery',
  'account',
  'sum',
]
export const parseItemKind = (pk: string): string => pk.slice(0, pk.indexOf('#'))

async function scanItems(): Promise<{ pk: string; sk: string }[]> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' }))
  const items: { pk: string; sk: string }[] = []
  let from: Record<string, unknown> | undefined
  do {
    const page = await client.send(
      new ScanCommand({ TableName: process.env.TABLE_NAME!, ProjectionExpression: 'pk, sk', ExclusiveStartKey: from }),
    )
    items.push(...((page.Items ?? []) as typeof items))
    from = page.LastEvaluatedKey
  } while (from)
  return items
}

async function listObjects(): Promise<string[]> {
  const client = new S3Client({ region: 'us-east-1', forcePathStyle: true })
  const keys: string[] = []
  let token: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: process.env.BUCKET_NAME!, ContinuationToken: token }),
    )
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key!))
    token = page.NextContinuationToken
  } while (token)
  return keys
}

export const findLeftovers = async (
  matches: (text: string) => boolean,
): Promise<{ items: string[]; objects: string[] }> => ({
  items: (await scanItems())
    .filter(({ pk, sk }) => !OUTLIVING_KINDS.includes(parseItemKind(pk)) && matches(`${pk} ${sk}`))
    .map(({ pk, sk }) => `${pk} ${sk}`),
  objects: (await listObjects()).filter(matches),
})
