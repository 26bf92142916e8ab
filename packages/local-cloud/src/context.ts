import type { Context } from 'aws-lambda'
import { ACCOUNT_ID, REGION } from './service.ts'

const noop = () => {}

class InvocationContext implements Context {
  readonly awsRequestId: string
  readonly functionName: string
  readonly functionVersion = '$LATEST'
  readonly memoryLimitInMB = '1024'
  callbackWaitsForEmptyEventLoop = true
  readonly #deadline: number

  constructor(functionName: string, awsRequestId: string, deadline: number) {
    this.functionName = functionName
    this.awsRequestId = awsRequestId
    this.#deadline = deadline
  }

  get invokedFunctionArn() {
    return `arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:${this.functionName}`
  }

  get logGroupName() {
    return `/aws/lambda/${this.functionName}`
  }

  get logStreamName() {
    return '[$LATEST]local'
  }

  getRemainingTimeInMillis() {
    return Math.max(0, this.#deadline - Date.now())
  }

  done = noop
  fail = noop
  succeed = noop
}

/** @param deadline epoch milliseconds at which the invocation times out */
export function createInvocationContext(functionName: string, awsRequestId: string, deadline: number): Context {
  return new InvocationContext(functionName, awsRequestId, deadline)
}
