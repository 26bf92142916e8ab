/** Body limits of the routes' contracts, so that oversized bodies get the platform's own error locally too. */
import { bodyTooLarge } from '../lib/http/request.ts'
import { errorReply } from '../lib/http/response.ts'
import { buildRouteKey, getMaxBodyBytes } from '../schemas/endpoint.ts'
import { endpoints } from '../schemas/index.ts'
import { LAMBDA_REQUEST_BYTES } from '../schemas/sizes.ts'
import type { BodyLimit } from './cloud/gateway.ts'

const limits = new Map<string, number>(
  endpoints.map((endpoint) => [buildRouteKey(endpoint), getMaxBodyBytes(endpoint)]),
)

export function findBodyLimit(routeKey: string, method: string): BodyLimit {
  const bytes = limits.get(routeKey.replace(/^ANY /, `${method} `)) ?? LAMBDA_REQUEST_BYTES
  return { bytes, tooLarge: errorReply('too-large', bodyTooLarge(bytes).problems).body }
}
