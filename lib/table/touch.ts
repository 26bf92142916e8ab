/** Notes when something was last used, at most once a minute, without making concurrent writers of the item collide. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { documents, tableName } from './client.ts'

const MINUTE = 60_000

/** Sets `attribute` of the item to `now` unless it is younger than a minute or the item is gone. */
export async function touch(
  entity: string,
  id: string,
  attribute: string,
  last: string | undefined,
  now = new Date(),
): Promise<void> {
  if (last && now.getTime() - Date.parse(last) < MINUTE) return
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: { pk: `${entity}#${id}`, sk: '-' },
    UpdateExpression: 'SET #attribute = :now',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: { ':now': now.toISOString() },
  })
  await documents.send(command).catch((error: Error) => {
    if (error.name !== 'ConditionalCheckFailedException') throw error
  })
}
