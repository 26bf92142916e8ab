/** The connection to DynamoDB, one a process. In development a missing endpoint stops the program, see lib/core/cloud.ts. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { clientDefaults } from '../core/cloud.ts'
import { env } from '../core/env.ts'

export const dynamo = new DynamoDBClient(clientDefaults())

/** A transaction of which an item was refused as too much is tried again like anything else; the SDK knows whole requests alone. */
dynamo.middlewareStack.add(
  (next) => async (args) => {
    try {
      return await next(args)
    } catch (error) {
      if (isBusy(error)) (error as { $retryable?: object }).$retryable = { throttling: true }
      throw error
    }
  },
  { step: 'finalizeRequest', priority: 'low', name: 'throttledTransactions' },
)

const TOO_MUCH = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded'])

/** A lost condition is an answer, also where another item was refused. */
function isBusy(error: unknown): boolean {
  const { CancellationReasons: reasons = [] } = error as { CancellationReasons?: { Code?: string }[] }
  const codes = reasons.flatMap(({ Code }) => (Code && Code !== 'None' ? [Code] : []))
  return codes.length > 0 && codes.every((code) => TOO_MUCH.has(code))
}

/** How what the database holds becomes values: a number is a JavaScript number. */
export const UNMARSHALL = { wrapNumbers: Number }

/**
 * How values become what it holds. Data may have a key `constructor`; without the second option the SDK takes it for an instance
 * of a class. A number is kept as the JavaScript number it is, above 2^53 too.
 */
export const MARSHALL = { removeUndefinedValues: true, convertClassInstanceToMap: true, allowImpreciseNumbers: true }

export const documents = DynamoDBDocumentClient.from(dynamo, {
  // Copies: the SDK writes to them.
  marshallOptions: { ...MARSHALL },
  unmarshallOptions: { ...UNMARSHALL },
})

export const tableName = (): string => env().TABLE_NAME
