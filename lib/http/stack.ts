/** The middleware around every handler, wired once: log context, errors to replies, compression. */
import middy from '@middy/core'
import { isThrottlingError, isTransientError } from '@smithy/core/retry'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { ApiError, timedOut } from '../core/errors.ts'
import { correlated, log } from '../core/log.ts'
import { Bytes, errorReply, structured } from './respond.ts'

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>

type SdkError = Parameters<typeof isTransientError>[0]

const UNAVAILABLE = errorReply('unavailable', [
  {
    key: 'unavailable',
    message:
      'The platform is asked for too much right now. Repeat the request, with its Idempotency-Key if it has one.',
  },
])

/** An error as its reply: known ones by the table, anything else 500 with nothing of its inside. */
export function replyTo(error: unknown, operation: string): Bytes {
  if (error instanceof ApiError) {
    if (error.status >= 500) log.error(error.message, { operation, error })
    const { body, headers, status } = errorReply(error.code, error.problems)
    return new Bytes(body, { ...headers, ...error.headers }, status)
  }
  if (isThrottlingError(error as SdkError) || isTransientError(error as SdkError)) {
    log.error('The cloud refused for longer than a request may try', { operation, error: error as Error })
    return new Bytes(UNAVAILABLE.body, { ...UNAVAILABLE.headers, 'retry-after': '2' }, UNAVAILABLE.status)
  }
  log.error('Unexpected error', { operation, error: error as Error })
  return errorReply('internal', [
    { key: 'internal', message: 'Something went wrong on our side; nothing was changed.' },
  ])
}

/** Just before the function's time is up. What it has begun may still come to its end: nothing is said of that. */
const tooSlow = (): never => {
  throw timedOut(
    'The request took longer than a request may. See what became of it before you repeat it, or do it by a job.',
  )
}

/** A complete Lambda handler around `handle`, which answers with bytes or throws. */
export function stack(operation: string, handle: (event: APIGatewayProxyEventV2) => Promise<Bytes>): HttpHandler {
  const whole = middy(async (event: APIGatewayProxyEventV2) => handle(event), { timeoutEarlyResponse: tooSlow }).use({
    after: send,
    onError: async (request) => {
      request.response = replyTo(request.error, operation)
      await send(request)
    },
  }) as unknown as HttpHandler
  return (event, context) => correlated(event.requestContext?.requestId, () => logged(operation, whole(event, context)))
}

/** One line a request: what was asked for, how it ended and how long it took; nothing of what was sent. Alarms count these. */
async function logged(
  operation: string,
  answer: Promise<APIGatewayProxyStructuredResultV2>,
): Promise<APIGatewayProxyStructuredResultV2> {
  const startedAt = performance.now()
  const answered = await answer
  log.info('Request', { operation, status: answered.statusCode, ms: Math.round(performance.now() - startedAt) })
  return answered
}

async function send(request: { event: APIGatewayProxyEventV2; response?: unknown }): Promise<void> {
  if (request.response instanceof Bytes)
    request.response = await structured(request.response, request.event.headers?.['accept-encoding'])
}

/** The answer where a path is served, but not by the request's method. */
export async function otherMethod(
  event: APIGatewayProxyEventV2,
  methods: readonly string[],
): Promise<APIGatewayProxyStructuredResultV2> {
  const { method, path } = event.requestContext.http
  // A browser's preflight: API Gateway adds the CORS headers to any 2xx.
  if (method === 'OPTIONS') return { statusCode: 204 }
  const allow = [...new Set(methods)].join(', ')
  const { body, headers, status } = errorReply('method-not-allowed', [
    { key: 'method-not-allowed', message: `${path} does not take ${method}, but ${allow}.` },
  ])
  return structured(new Bytes(body, { ...headers, allow }, status), undefined)
}
