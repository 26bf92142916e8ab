/** Records the last use of an item, at most once a minute and without conflicts with its writers. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { MINUTE_MS } from '../../schemas/kit/time.ts'
import { documents, getTableName } from './client.ts'
import { tryWrite } from './condition.ts'
import { buildItemKey } from './keys.ts'

const MIN_INTERVAL_MS = MINUTE_MS

export async function updateLastUsed(
  entity: string,
  id: string,
  attribute: string,
  last: string | undefined,
  now = new Date(),
): Promise<void> {
  if (last && now.getTime() - Date.parse(last) < MIN_INTERVAL_MS) return
  const command = new UpdateCommand({
    TableName: getTableName(),
    Key: buildItemKey(entity, id),
    UpdateExpression: 'SET #attribute = :now',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: { ':now': now.toISOString() },
  })
  await tryWrite(documents.send(command))
}
