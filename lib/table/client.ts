/** The DynamoDB client of the process. Locally it requires an endpoint, see lib/core/aws-client.ts. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { createClient } from '../core/aws-client.ts'
import { env } from '../core/env.ts'

export const dynamo = createClient(DynamoDBClient)

/** The SDK retries throttled requests, but not transactions with a throttled item. */
dynamo.middlewareStack.add(
  (next) => async (args) => {
    try {
      return await next(args)
    } catch (error) {
      if (isThrottledTransaction(error)) (error as { $retryable?: object }).$retryable = { throttling: true }
      throw error
    }
  },
  { step: 'finalizeRequest', priority: 'low', name: 'throttledTransactions' },
)

const THROTTLING_CODES = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded'])

/** A failed condition is a result, even if another item was throttled. */
function isThrottledTransaction(error: unknown): boolean {
  const { CancellationReasons: reasons = [] } = error as { CancellationReasons?: { Code?: string }[] }
  const codes = reasons.flatMap(({ Code }) => (Code && Code !== 'None' ? [Code] : []))
  return codes.length > 0 && codes.every((code) => THROTTLING_CODES.has(code))
}

export const UNMARSHALL_OPTIONS = { wrapNumbers: Number }

/** Otherwise the SDK mistakes data with a key `constructor` for a class instance. Numbers may exceed 2^53. */
export const MARSHALL_OPTIONS = {
  removeUndefinedValues: true,
  convertClassInstanceToMap: true,
  allowImpreciseNumbers: true,
}

export const documents = DynamoDBDocumentClient.from(dynamo, {
  marshallOptions: { ...MARSHALL_OPTIONS },
  unmarshallOptions: { ...UNMARSHALL_OPTIONS },
})

export const getTableName = (): string => env().TABLE_NAME
