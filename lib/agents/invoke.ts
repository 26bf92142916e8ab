import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { createClient } from '../core/aws-client.ts'

const lambda = createClient(LambdaClient)

export class FunctionFailedError extends Error {
  readonly type: string

  readonly response: string

  constructor(functionName: string, response: string) {
    super(`${functionName} failed: ${response}`)
    this.type = parseErrorType(response)
    this.response = response
  }
}

function parseErrorType(response: string): string {
  try {
    const { errorType, errorMessage } = JSON.parse(response) as { errorType?: unknown; errorMessage?: unknown }
    if (typeof errorType === 'string') return errorType
    return /Task timed out/.test(String(errorMessage)) ? 'Sandbox.Timedout' : 'Error'
  } catch {
    return 'Error'
  }
}

/** @throws FunctionFailedError when the function failed, Error when it does not exist */
export async function invoke(functionName: string, payload: object): Promise<unknown> {
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(payload) }),
  )
  const response = Buffer.from(Payload ?? []).toString('utf8')
  if (FunctionError) throw new FunctionFailedError(functionName, response)
  return JSON.parse(response)
}
