/** Calls functions of this deployment and waits for their answer. */
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
