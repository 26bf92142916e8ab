/** Function names and ARNs, and the references that callers may use for them. */
import { ACCOUNT_ID, REGION } from '../service.ts'
import { AwsError, validationError } from './wire.ts'

const NAME = /^[a-zA-Z0-9-_]{1,64}$/
const ARN_PREFIX = /^(arn:aws:lambda:[a-z0-9-]+:)?\d{12}:function:/

export const buildFunctionArn = (name: string) => `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:${name}`

export const isFunctionArn = (arn: string) => /^arn:aws:lambda:[a-z0-9-]+:\d{12}:function:[a-zA-Z0-9-_]+/.test(arn)

export const functionNotFound = (name: string) =>
  new AwsError(404, 'ResourceNotFoundException', `Function not found: ${buildFunctionArn(name)}`)

export function parseFunctionName(reference: string): string {
  const [name = '', qualifier = '$LATEST', ...extra] = reference.replace(ARN_PREFIX, '').split(':')
  if (!NAME.test(name) || extra.length) {
    throw validationError(
      `1 validation error detected: Value '${reference}' at 'functionName' failed to satisfy constraint: ` +
        'Member must satisfy regular expression pattern [a-zA-Z0-9-_]{1,64}',
    )
  }
  if (qualifier !== '$LATEST') throw functionNotFound(`${name}:${qualifier}`)
  return name
}
