/**
 * Runs a function of the platform: a handler of this very process, given the same payload, context and error report
 * as a function in the cloud. Knows nothing of how the call came about.
 */
import { type Call, callLog, type Outcome, thrown, timedOut, withinResponseLimit } from './invocation.ts'
import { functionArn } from './names.ts'

/** The context of a Lambda call, as far as a handler in this process may rely on it. */
export interface LambdaContext {
  functionName: string
  functionVersion: string
  invokedFunctionArn: string
  memoryLimitInMB: string
  awsRequestId: string
  logGroupName: string
  logStreamName: string
  callbackWaitsForEmptyEventLoop: boolean
  getRemainingTimeInMillis(): number
}

interface PlatformCall extends Call {
  functionName: string
  timeoutSeconds: number
  memoryMegabytes: number
}

/** Calls the handler with its own copy of the payload. A handler over its time is reported, but cannot be stopped. */
export async function runPlatformFunction(
  handler: (event: unknown, context: LambdaContext) => Promise<unknown>,
  call: PlatformCall,
): Promise<Outcome> {
  const startedAt = performance.now()
  const outcome = withinResponseLimit(await withTimeout(call, () => settle(handler, call)))
  return { ...outcome, log: callLog(call.requestId, [], performance.now() - startedAt, call.memoryMegabytes) }
}

async function settle(handler: (event: unknown, context: LambdaContext) => Promise<unknown>, call: PlatformCall) {
  try {
    const result = await handler(JSON.parse(call.payload), platformContext(call))
    return { payload: JSON.stringify(result ?? null), log: '' }
  } catch (error) {
    return thrown(error)
  }
}

function withTimeout(call: PlatformCall, work: () => Promise<Outcome>): Promise<Outcome> {
  return new Promise((resolve) => {
    const expire = () => resolve(timedOut(call.requestId, call.timeoutSeconds))
    const timer = setTimeout(expire, call.timeoutSeconds * 1000)
    void work().then((outcome) => {
      clearTimeout(timer)
      resolve(outcome)
    })
  })
}

function platformContext(call: PlatformCall): LambdaContext {
  const deadline = Date.now() + call.timeoutSeconds * 1000
  return {
    functionName: call.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: functionArn(call.functionName),
    memoryLimitInMB: String(call.memoryMegabytes),
    awsRequestId: call.requestId,
    logGroupName: `/aws/lambda/${call.functionName}`,
    logStreamName: 'platform',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  }
}
