/** Forwards requests with a doubled `/v1` or slash, as published clients send them; all others get a 404. */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { invoke } from '../../lib/agents/invoke.ts'
import { env } from '../../lib/core/env.ts'
import { ApiError } from '../../lib/core/errors.ts'
import { type HttpHandler, replyMethodNotAllowed, serialize, toErrorReply } from '../../lib/http/middleware.ts'
import { endpoints } from '../../schemas/index.ts'
import { buildRouteKey, type Contract, getDomain } from '../../schemas/kit/endpoint.ts'
import { message } from '../../schemas/messages/index.ts'
import { publicOperations } from '../../schemas/public-operations.ts'

interface Route {
  contract: Contract
  method: string
  segments: string[]
}

interface Match {
  contract: Contract
  pathParameters: Record<string, string>
}

const isParameter = (segment: string): boolean => segment.startsWith('{')
const buildSortKey = (segments: string[]): string =>
  segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('')

/** Compares code units: locale-aware sorting would load all locales on a cold start. */
const compareCodeUnits = (one: string, other: string): number => Number(one > other) - Number(one < other)

const routes: Route[] = endpoints
  .map((contract) => {
    const [method, path] = buildRouteKey(contract).split(' ') as [string, string]
    return { contract, method, segments: path.split('/') }
  })
  .sort((a, b) => compareCodeUnits(buildSortKey(a.segments), buildSortKey(b.segments)))

/** Collapses `/api/v1/v1/...` and leading double slashes. Empty segments further on are missing ids. */
export const normalizePath = (path: string): string =>
  path
    .replace(/^\/+(?:api\/+)?(?:v\d[\w-]*\/+)*/, (start) => start.replace(/\/{2,}/g, '/'))
    .replace(/^\/api\/v1(\/v1)+(?=\/|$)/, '/api/v1')

const findMatches = (path: string): (Match & { method: string })[] => {
  const pathSegments = path.split('/')
  return routes.flatMap(({ contract, method, segments }) => {
    const pathParameters = matchParameters(segments, pathSegments)
    return pathParameters ? [{ contract, method, pathParameters }] : []
  })
}

const hostedOperations = publicOperations
  .filter(({ tier }) => tier === '3')
  .map(({ name, method, path }) => ({ name, method, segments: path.split('/') }))

function describeUnsupported(method: string, path: string): string | undefined {
  const pathSegments = path.split('/')
  const found = hostedOperations.find(
    (operation) => operation.method === method && matchParameters(operation.segments, pathSegments),
  )
  return found && message('routes.notSupported', { operation: found.name, method, path })
}

function matchParameters(segments: string[], pathSegments: string[]): Record<string, string> | undefined {
  if (segments.length !== pathSegments.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const value = pathSegments[index]!
    if (!isParameter(segment)) {
      if (segment !== value) return undefined
    } else if (value === '') return undefined
    else parameters[segment.slice(1, -1)] = decodeSegment(value)
  }
  return parameters
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export const handler: HttpHandler = async (event) => {
  const { method } = event.requestContext.http
  // CORS preflights arrive here. API Gateway adds the CORS headers to any 2xx.
  if (method === 'OPTIONS') return { statusCode: 204 }
  const path = normalizePath(event.rawPath)
  try {
    const matches = findMatches(path)
    const match = matches.find((candidate) => candidate.method === method)
    if (match) return await forwardEvent(event, path, match)
    if (matches.length > 0)
      return await replyMethodNotAllowed(
        event,
        matches.map((candidate) => candidate.method),
      )
    const problem =
      describeUnsupported(method, path) ??
      message(path.includes('//') ? 'routes.emptySegment' : 'routes.unknown', { method, path })
    throw new ApiError('not-found', [{ key: 'not-found', message: problem }])
  } catch (error) {
    return serialize(toErrorReply(error, 'default-route'), event)
  }
}

async function forwardEvent(
  event: APIGatewayProxyEventV2,
  path: string,
  { contract, pathParameters }: Match,
): Promise<APIGatewayProxyStructuredResultV2> {
  const routeKey = buildRouteKey(contract)
  const { requestContext } = event
  const response = await invoke(`${env().PLATFORM_PREFIX}${getDomain(contract)}`, {
    ...event,
    rawPath: path,
    routeKey,
    pathParameters,
    requestContext: { ...requestContext, routeKey, http: { ...requestContext.http, path } },
  })
  return response as APIGatewayProxyStructuredResultV2
}
