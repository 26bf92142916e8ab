/** Calls functions of this deployment later, through Lambda's queue with its retries. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { clientDefaults } from '../core/cloud.ts'
import { env } from '../core/env.ts'

const lambda = new LambdaClient(clientDefaults())

/** Puts the call in the function's queue. */
export async function invokeLater(functionName: string, payload: object): Promise<void> {
  await lambda.send(
    new InvokeCommand({ FunctionName: functionName, InvocationType: 'Event', Payload: JSON.stringify(payload) }),
  )
}

/** Puts the call in the queue of one of the platform's own functions, named as in serverless.yml. */
export const platformLater = (name: string, payload: object): Promise<void> =>
  invokeLater(`${env().PLATFORM_PREFIX}${name}`, payload)
