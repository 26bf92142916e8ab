/** How large bodies may be, by the routes' contracts: locally a larger one gets the platform's own error. */
import { bodyTooLarge } from '../lib/http/request.ts'
import { errorReply } from '../lib/http/respond.ts'
import { bodyBytesOf, routeKeyOf } from '../schemas/endpoint.ts'
import { endpoints } from '../schemas/index.ts'
import { LAMBDA_REQUEST_BYTES } from '../schemas/sizes.ts'
import type { BodyLimit } from './cloud/gateway.ts'

const limits = new Map<string, number>(endpoints.map((endpoint) => [routeKeyOf(endpoint), bodyBytesOf(endpoint)]))

/** @param routeKey a route may take every method of a path (`ANY /path`) */
export function bodyLimit(routeKey: string, method: string): BodyLimit {
  const bytes = limits.get(routeKey.replace(/^ANY /, `${method} `)) ?? LAMBDA_REQUEST_BYTES
  return { bytes, tooLarge: errorReply('too-large', bodyTooLarge(bytes).problems).body }
}
