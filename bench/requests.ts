import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'

export async function createConditionalUpdate(): Promise<(writer: number) => Promise<unknown>> {
  const { dynamo, getTableName } = await import('../lib/table/client.ts')
  return (writer) =>
    dynamo.send(
      new UpdateItemCommand({
        TableName: getTableName(),
        Key: { pk: { S: `bench#${writer}` }, sk: { S: 'item' } },
        UpdateExpression: 'SET n = if_not_exists(n, :zero) + :one, body = :body',
        ConditionExpression: 'attribute_not_exists(n) OR n >= :zero',
        ExpressionAttributeValues: { ':zero': { N: '0' }, ':one': { N: '1' }, ':body': { S: 'x'.repeat(200) } },
      }),
    )
}

export async function createMissingGet(): Promise<() => Promise<unknown>> {
  const { dynamo, getTableName } = await import('../lib/table/client.ts')
  const Key = { pk: { S: 'bench' }, sk: { S: 'none' } }
  return () => dynamo.send(new GetItemCommand({ TableName: getTableName(), Key, ConsistentRead: true }))
}
