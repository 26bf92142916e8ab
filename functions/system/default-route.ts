/**
 * What no route takes. Published clients build paths with a doubled `/v1` or a doubled slash: such a request goes on to the
 * function of the path it means. Everything else is answered with the error body every other error has.
 */
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { invoke } from '../../lib/agents/invoke.ts'
import { env } from '../../lib/core/env.ts'
import { ApiError } from '../../lib/core/errors.ts'
import { structured } from '../../lib/http/respond.ts'
import { type HttpHandler, otherMethod, replyTo } from '../../lib/http/stack.ts'
import { type Contract, domainOf, routeKeyOf } from '../../schemas/endpoint.ts'
import { endpoints } from '../../schemas/index.ts'
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
const rank = (segments: string[]): string => segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('')

/** By code units: what sorts by language has a cold start read all languages. */
const inOrder = (one: string, other: string): number => Number(one > other) - Number(one < other)

const routes: Route[] = endpoints
  .map((contract) => {
    const [method, path] = routeKeyOf(contract).split(' ') as [string, string]
    return { contract, method, segments: path.split('/') }
  })
  // Literal segments win over parameters, the leftmost difference decides.
  .sort((a, b) => inOrder(rank(a.segments), rank(b.segments)))

/** The path the caller means: `/api/v1/v1/...` and slashes doubled before it made single. Further on an empty part is a missing id. */
export const normalised = (path: string): string =>
  path
    .replace(/^\/+(?:api\/+)?(?:v\d[\w-]*\/+)*/, (start) => start.replace(/\/{2,}/g, '/'))
    .replace(/^\/api\/v1(\/v1)+(?=\/|$)/, '/api/v1')

const matching = (path: string): (Match & { method: string })[] => {
  const given = path.split('/')
  return routes.flatMap(({ contract, method, segments }) => {
    const pathParameters = parametersOf(segments, given)
    return pathParameters ? [{ contract, method, pathParameters }] : []
  })
}

/** What a hosted service has for itself; asked for here, it is named. */
const others = publicOperations
  .filter(({ tier }) => tier === '3')
  .map(({ name, method, path }) => ({ name, method, segments: path.split('/') }))

function notOffered(method: string, path: string): string | undefined {
  const given = path.split('/')
  const found = others.find((one) => one.method === method && parametersOf(one.segments, given))
  return found && `The operation ${found.name} (${method} ${path}) is not offered by this platform.`
}

function parametersOf(segments: string[], given: string[]): Record<string, string> | undefined {
  if (segments.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const value = given[index]!
    if (!isParameter(segment)) {
      if (segment !== value) return undefined
    } else if (value === '') return undefined
    else parameters[segment.slice(1, -1)] = decoded(value)
  }
  return parameters
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export const handler: HttpHandler = async (event) => {
  const { method } = event.requestContext.http
  // A browser's preflight arrives here when no route has its method; API Gateway adds the CORS headers to any 2xx.
  if (method === 'OPTIONS') return { statusCode: 204 }
  const path = normalised(event.rawPath)
  try {
    const matches = matching(path)
    const match = matches.find((each) => each.method === method)
    if (match) return await forwarded(event, path, match)
    if (matches.length > 0)
      return await otherMethod(
        event,
        matches.map((each) => each.method),
      )
    const empty = path.includes('//') ? ' A part of the path is empty: most likely an id is missing.' : ''
    const message = notOffered(method, path) ?? `There is no endpoint ${method} ${path}.${empty}`
    throw new ApiError('not-found', [{ key: 'not-found', message }])
  } catch (error) {
    return structured(replyTo(error, 'default-route'), undefined)
  }
}

/** The answer of the function that serves the path, to the event as it would have got it. */
async function forwarded(
  event: APIGatewayProxyEventV2,
  path: string,
  { contract, pathParameters }: Match,
): Promise<APIGatewayProxyStructuredResultV2> {
  const routeKey = routeKeyOf(contract)
  const { requestContext } = event
  const answer = await invoke(`${env().PLATFORM_PREFIX}${domainOf(contract)}`, {
    ...event,
    rawPath: path,
    routeKey,
    pathParameters,
    requestContext: { ...requestContext, routeKey, http: { ...requestContext.http, path } },
  })
  return answer as APIGatewayProxyStructuredResultV2
}
