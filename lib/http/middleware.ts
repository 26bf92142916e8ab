import middy from '@middy/core'
import { isThrottlingError, isTransientError } from '@smithy/core/retry'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { message } from '../../schemas/messages/index.ts'
import { ApiError, timedOut } from '../core/errors.ts'
import { log, withCorrelationId } from '../core/log.ts'
import { trace } from '../core/spans.ts'
import { getTraceFields, parseTrace } from '../core/trace-context.ts'
import { negotiateError } from './problem-details.ts'
import { Bytes, errorReply, toLambdaResult } from './response.ts'

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>

type SdkError = Parameters<typeof isTransientError>[0]

const UNAVAILABLE = errorReply('unavailable', [
  {
    key: 'unavailable',
    message: message('requests.overloaded'),
  },
])

export function toErrorReply(error: unknown, operation: string): Bytes {
  if (error instanceof ApiError) {
    if (error.status >= 500) log.error(error.message, { operation, error })
    const { body, headers, status } = errorReply(error.code, error.problems)
    return new Bytes(body, { ...headers, ...error.headers }, status)
  }
  if (isThrottlingError(error as SdkError) || isTransientError(error as SdkError)) {
    log.error('AWS refused the request after all retries', { operation, error: error as Error })
    return new Bytes(UNAVAILABLE.body, { ...UNAVAILABLE.headers, 'retry-after': '2' }, UNAVAILABLE.status)
  }
  log.error('Unexpected error', { operation, error: error as Error })
  return errorReply('internal', [{ key: 'internal', message: message('requests.internal') }])
}

/** Runs just before the function times out; the work may still complete. */
const throwTimeout = (): never => {
  throw timedOut(message('requests.timedOut'))
}

export function withMiddleware(
  operation: string,
  handle: (event: APIGatewayProxyEventV2) => Promise<Bytes>,
): HttpHandler {
  const handler = middy(async (event: APIGatewayProxyEventV2) => handle(event), {
    timeoutEarlyResponse: throwTimeout,
  }).use({
    after: serializeResponse,
    onError: async (request) => {
      request.response = toErrorReply(request.error, operation)
      await serializeResponse(request)
    },
  }) as unknown as HttpHandler
  return (event, context) =>
    withCorrelationId(event.requestContext?.requestId, () =>
      traceRequest(operation, event, () => logRequest(operation, handler(event, context))),
    )
}

/** One line per request, without its content. Alarms count these lines. */
async function logRequest(
  operation: string,
  response: Promise<APIGatewayProxyStructuredResultV2>,
): Promise<APIGatewayProxyStructuredResultV2> {
  const startedAt = performance.now()
  const result = await response
  log.info('Request', { operation, status: result.statusCode, ms: Math.round(performance.now() - startedAt) })
  const { traceparent } = getTraceFields()
  return { ...result, headers: { ...result.headers, traceresponse: traceparent! } }
}

function traceRequest(
  operation: string,
  { headers, routeKey, requestContext }: APIGatewayProxyEventV2,
  respond: () => Promise<APIGatewayProxyStructuredResultV2>,
): Promise<APIGatewayProxyStructuredResultV2> {
  const method = requestContext?.http?.method
  const route = routeKey?.split(' ')[1]
  return trace(
    {
      name: route ? `${method} ${route}` : operation,
      kind: 'server',
      parent: parseTrace(headers),
      attributes: { 'http.request.method': method, 'http.route': route, 'wharf.operation': operation },
    },
    respond,
    ({ statusCode = 200 }) => ({
      attributes: { 'http.response.status_code': statusCode },
      error: statusCode >= 500 ? String(statusCode) : undefined,
    }),
  )
}

async function serializeResponse(request: { event: APIGatewayProxyEventV2; response?: unknown }): Promise<void> {
  if (request.response instanceof Bytes) request.response = await serialize(request.response, request.event)
}

export const serialize = (reply: Bytes, event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> =>
  toLambdaResult(negotiateError(reply, event), event.headers?.['accept-encoding'])

export async function replyMethodNotAllowed(
  event: APIGatewayProxyEventV2,
  methods: readonly string[],
): Promise<APIGatewayProxyStructuredResultV2> {
  const { method, path } = event.requestContext.http
  // For CORS preflights API Gateway adds the headers to any 2xx.
  if (method === 'OPTIONS') return { statusCode: 204 }
  const allow = [...new Set(methods)].join(', ')
  const { body, headers, status } = errorReply('method-not-allowed', [
    { key: 'method-not-allowed', message: message('requests.methodNotAllowed', { path, method, allowed: allow }) },
  ])
  return serialize(new Bytes(body, { ...headers, allow }, status), event)
}
