/** The connection to DynamoDB, one a process. In development a missing endpoint stops the program, see lib/core/cloud.ts. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { clientDefaults } from '../core/cloud.ts'
import { env } from '../core/env.ts'

export const dynamo = new DynamoDBClient(clientDefaults())
export const documents = DynamoDBDocumentClient.from(dynamo, {
  // Data may have a key `constructor`; without the second option the SDK takes it for an instance of a class.
  // A number is kept as the JavaScript number it is, above 2^53 too.
  marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true, allowImpreciseNumbers: true },
  unmarshallOptions: { wrapNumbers: Number },
})

export const tableName = (): string => env().TABLE_NAME
