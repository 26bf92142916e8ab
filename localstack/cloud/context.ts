/**
 * The context object a Node function gets beside its event when it runs inside this process.
 * Knows nothing of who invokes: the API gateway and the Lambda service both make one per invocation.
 */
import type { Context } from 'aws-lambda'
import { ACCOUNT_ID, REGION } from './service.ts'

const noop = () => {}

/** One invocation's context; everything derived is a getter, so that making one costs a single small object. */
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

/** @param deadline epoch milliseconds at which the invocation is given up */
export function invocationContext(functionName: string, awsRequestId: string, deadline: number): Context {
  return new InvocationContext(functionName, awsRequestId, deadline)
}
