import type { Item } from './types.ts'

export interface CancellationReason {
  Code: string
  Message?: string
  Item?: Item
}

export class DynamoError extends Error {
  readonly statusCode: number
  readonly body: Record<string, unknown>

  constructor(type: string, message: string, details: Record<string, unknown> = {}, statusCode = 400) {
    super(message)
    this.statusCode = statusCode
    this.body = { __type: type, message, ...details }
  }
}

const buildErrorType = (name: string) => `com.amazonaws.dynamodb.v20120810#${name}`

export const validationError = (message: string) =>
  new DynamoError('com.amazon.coral.validate#ValidationException', message)
export const invalidParameters = (detail: string) =>
  validationError(`One or more parameter values were invalid: ${detail}`)
export const unknownOperation = (target: string) =>
  new DynamoError(
    'com.amazon.coral.service#UnknownOperationException',
    `The embedded DynamoDB does not implement ${target || 'a request without x-amz-target'}`,
  )
export const serializationError = (message: string) =>
  new DynamoError('com.amazon.coral.service#SerializationException', message)
export const requestTooLarge = (limitBytes: number) =>
  new DynamoError(
    'com.amazon.coral.service#RequestEntityTooLargeException',
    `Request body is larger than ${limitBytes} bytes`,
    {},
    413,
  )
const RESOURCE_NOT_FOUND = 'Requested resource not found'

const resourceNotFound = (text: string) => new DynamoError(buildErrorType('ResourceNotFoundException'), text)

/** AWS names the table only to operations on tables. */
export const tableOfItemsNotFound = () => resourceNotFound(RESOURCE_NOT_FOUND)
export const tableNotFound = (name: string) => resourceNotFound(`${RESOURCE_NOT_FOUND}: Table: ${name} not found`)
export const tableExists = (name: string) =>
  new DynamoError(buildErrorType('ResourceInUseException'), `Table already exists: ${name}`)
export const conditionFailed = (item?: Item) =>
  new DynamoError(
    buildErrorType('ConditionalCheckFailedException'),
    'The conditional request failed',
    item && { Item: item },
  )
export const tokenMismatch = () =>
  new DynamoError(
    buildErrorType('IdempotentParameterMismatchException'),
    'Request parameters do not match those of the earlier request with this ClientRequestToken',
  )
export function transactionCancelled(reasons: CancellationReason[]): DynamoError {
  const codes = reasons.map((reason) => reason.Code).join(', ')
  return new DynamoError(
    buildErrorType('TransactionCanceledException'),
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  )
}

export const isConditionFailure = (error: DynamoError) =>
  String(error.body.__type).endsWith('ConditionalCheckFailedException')
export const isValidationFailure = (error: DynamoError) => String(error.body.__type).endsWith('ValidationException')

export function isServiceError(error: unknown): error is DynamoError {
  return error instanceof Error && 'statusCode' in error && 'body' in error
}
