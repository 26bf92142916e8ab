/** The routes whose contracts take bodies over the gateway's 6 MB: on one machine they get room, in AWS a presigned way. */
import { pathOf, routeKeyOf } from '../schemas/endpoint.ts'
import { endpoints } from '../schemas/index.ts'

const large = new Set(
  endpoints
    .filter((endpoint) => endpoint.largeBody)
    // A route may take every method of a path.
    .flatMap((endpoint) => [routeKeyOf(endpoint), `ANY ${pathOf(endpoint)}`]),
)

export const isLargeBodyRoute = (routeKey: string): boolean => large.has(routeKey)
