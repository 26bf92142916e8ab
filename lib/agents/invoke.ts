/** Calls functions of this deployment: with an answer, or later through Lambda's queue with its retries. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { clientDefaults } from '../core/cloud.ts'

const lambda = new LambdaClient(clientDefaults())

/** The function's answer. @throws Error when there is no such function or it failed */
export async function invoke(functionName: string, payload: object): Promise<unknown> {
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(payload) }),
  )
  const answer = Buffer.from(Payload ?? []).toString('utf8')
  if (FunctionError) throw new Error(`${functionName} failed: ${answer}`)
  return JSON.parse(answer)
}

/** Puts the call in the function's queue. */
export async function invokeLater(functionName: string, payload: object): Promise<void> {
  await lambda.send(
    new InvokeCommand({ FunctionName: functionName, InvocationType: 'Event', Payload: JSON.stringify(payload) }),
  )
}
