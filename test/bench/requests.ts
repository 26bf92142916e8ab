/** Single requests to DynamoDB through the SDK: what small works are measured beside. */
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'

/** @returns updates an item of its own for each writer, on a condition */
export async function conditionalUpdate(): Promise<(writer: number) => Promise<unknown>> {
  const { dynamo, tableName } = await import('../../lib/table/client.ts')
  return (writer) =>
    dynamo.send(
      new UpdateItemCommand({
        TableName: tableName(),
        Key: { pk: { S: `bench#${writer}` }, sk: { S: 'item' } },
        UpdateExpression: 'SET n = if_not_exists(n, :zero) + :one, body = :body',
        ConditionExpression: 'attribute_not_exists(n) OR n >= :zero',
        ExpressionAttributeValues: { ':zero': { N: '0' }, ':one': { N: '1' }, ':body': { S: 'x'.repeat(200) } },
      }),
    )
}

/** @returns reads an item that is not there */
export async function getNothing(): Promise<() => Promise<unknown>> {
  const { dynamo, tableName } = await import('../../lib/table/client.ts')
  const Key = { pk: { S: 'bench' }, sk: { S: 'none' } }
  return () => dynamo.send(new GetItemCommand({ TableName: tableName(), Key, ConsistentRead: true }))
}
