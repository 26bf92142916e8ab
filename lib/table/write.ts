/** One write of a transaction, with plain values; see transact.ts. */
interface Condition {
  TableName: string
  ConditionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, unknown>
}

interface Keyed extends Condition {
  Key: Record<string, unknown>
}

export interface PutWrite {
  Put: Condition & { Item: Record<string, unknown> }
}

export type Write =
  | PutWrite
  | { Delete: Keyed }
  | { Update: Keyed & { UpdateExpression: string } }
  | { ConditionCheck: Keyed & { ConditionExpression: string } }
