/** Counts what stands in the table and in the bucket. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'

/**
 * What outlives the things it is about, by the kind of its item: events are the record of what happened; runs, deliveries, mails and
 * marks of late events, of listeners and of what was counted expire by themselves; the account and what it used are deleted by none
 * of the tests.
 */
const OUTLIVES = [
  'event',
  'execution',
  'execution-failure',
  'execution-log',
  'invitation',
  'counted',
  'late',
  'listening',
  'webhook-delivery',
  'account',
  'sum',
]
export const kindOfItem = (pk: string): string => pk.slice(0, pk.indexOf('#'))

async function allItems(): Promise<{ pk: string; sk: string }[]> {
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

async function allObjects(): Promise<string[]> {
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

/** Items and objects whose keys `isMeant` knows, without what outlives. */
export const leftOf = async (isMeant: (text: string) => boolean): Promise<{ items: string[]; objects: string[] }> => ({
  items: (await allItems())
    .filter(({ pk, sk }) => !OUTLIVES.includes(kindOfItem(pk)) && isMeant(`${pk} ${sk}`))
    .map(({ pk, sk }) => `${pk} ${sk}`),
  objects: (await allObjects()).filter(isMeant),
})
