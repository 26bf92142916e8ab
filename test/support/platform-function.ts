/** Invokes a function of the platform as a schedule or a rule does, and returns its result. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { expect } from 'vitest'
import { getServer } from './api.ts'

export async function invokePlatformFunction(name: string, input: unknown) {
  const { cloud, environment } = getServer()
  const lambda = new LambdaClient({ endpoint: cloud, region: 'us-east-1' })
  const FunctionName = `${environment.PLATFORM_PREFIX}${name}`
  const { Payload, FunctionError } = await lambda.send(
    new InvokeCommand({ FunctionName, Payload: JSON.stringify(input) }),
  )
  lambda.destroy()
  const result = JSON.parse(Buffer.from(Payload!).toString() || 'null')
  expect(FunctionError, JSON.stringify(result)).toBeUndefined()
  return result
}
