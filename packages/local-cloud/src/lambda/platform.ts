/** Runs platform functions in this process, with the payload, context and error format of Lambda. */
import {
  type Call,
  createTimeoutOutcome,
  enforceResponseLimit,
  formatCallLog,
  type Outcome,
  toErrorOutcome,
} from './invocation.ts'
import { buildFunctionArn } from './names.ts'

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

/** Passes a copy of the payload. A handler that times out is reported, but cannot be stopped. */
export async function runPlatformFunction(
  handler: (event: unknown, context: LambdaContext) => Promise<unknown>,
  call: PlatformCall,
): Promise<Outcome> {
  const startedAt = performance.now()
  const outcome = enforceResponseLimit(await withTimeout(call, () => callHandler(handler, call)))
  return { ...outcome, log: formatCallLog(call.requestId, [], performance.now() - startedAt, call.memoryMegabytes) }
}

async function callHandler(handler: (event: unknown, context: LambdaContext) => Promise<unknown>, call: PlatformCall) {
  try {
    const result = await handler(JSON.parse(call.payload), createPlatformContext(call))
    return { payload: JSON.stringify(result ?? null), log: '' }
  } catch (error) {
    return toErrorOutcome(error)
  }
}

function withTimeout(call: PlatformCall, run: () => Promise<Outcome>): Promise<Outcome> {
  return new Promise((resolve) => {
    const expire = () => resolve(createTimeoutOutcome(call.requestId, call.timeoutSeconds))
    const timer = setTimeout(expire, call.timeoutSeconds * 1000)
    void run().then((outcome) => {
      clearTimeout(timer)
      resolve(outcome)
    })
  })
}

function createPlatformContext(call: PlatformCall): LambdaContext {
  const deadline = Date.now() + call.timeoutSeconds * 1000
  return {
    functionName: call.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: buildFunctionArn(call.functionName),
    memoryLimitInMB: String(call.memoryMegabytes),
    awsRequestId: call.requestId,
    logGroupName: `/aws/lambda/${call.functionName}`,
    logStreamName: 'platform',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  }
}
