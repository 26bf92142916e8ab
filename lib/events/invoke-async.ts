/** Calls functions of this deployment asynchronously, through Lambda's queue and its retries. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { createClient } from '../core/aws-client.ts'
import { env } from '../core/env.ts'

const lambda = createClient(LambdaClient)

export async function invokeAsync(functionName: string, payload: object): Promise<void> {
  await lambda.send(
    new InvokeCommand({ FunctionName: functionName, InvocationType: 'Event', Payload: JSON.stringify(payload) }),
  )
}

export const invokePlatformFunction = (name: string, payload: object): Promise<void> =>
  invokeAsync(`${env().PLATFORM_PREFIX}${name}`, payload)
