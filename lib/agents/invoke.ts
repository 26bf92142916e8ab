/** Calls functions of this deployment and waits for their answer. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { clientDefaults } from '../core/cloud.ts'

const lambda = new LambdaClient(clientDefaults())

/** A function ended by an error: one of its own, or its limits'. */
export class FunctionFailed extends Error {
  /** Lambda's or the runtime's name for it, such as `Sandbox.Timedout`. */
  readonly type: string

  /** As Lambda reports it: JSON with `errorType`, `errorMessage` and `trace`. */
  readonly answer: string

  constructor(functionName: string, answer: string) {
    super(`${functionName} failed: ${answer}`)
    this.type = typeIn(answer)
    this.answer = answer
  }
}

function typeIn(answer: string): string {
  try {
    const { errorType, errorMessage } = JSON.parse(answer) as { errorType?: unknown; errorMessage?: unknown }
    if (typeof errorType === 'string') return errorType
    return /Task timed out/.test(String(errorMessage)) ? 'Sandbox.Timedout' : 'Error'
  } catch {
    return 'Error'
  }
}

/** The function's answer. @throws FunctionFailed when it failed, Error when there is no such function */
export async function invoke(functionName: string, payload: object): Promise<unknown> {
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(payload) }),
  )
  const answer = Buffer.from(Payload ?? []).toString('utf8')
  if (FunctionError) throw new FunctionFailed(functionName, answer)
  return JSON.parse(answer)
}
