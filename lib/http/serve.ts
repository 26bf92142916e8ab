/** `serve(contract)(work)` is the Lambda handler of one endpoint; `lambda(...)` combines several. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { buildPath, type Contract, getMaxBodyBytes } from '../../schemas/kit/endpoint.ts'
import { type HttpHandler, replyMethodNotAllowed, withMiddleware } from './middleware.ts'
import { run, type Work } from './pipeline.ts'
import { parseRequest } from './request.ts'

export type ServedEndpoint = HttpHandler & { contract: Contract }

export const serve =
  <C extends Contract>(contract: C) =>
  (work: Work<C>): ServedEndpoint =>
    Object.assign(
      withMiddleware(contract.id, (event: APIGatewayProxyEventV2) =>
        run(contract, work, parseRequest(event, getMaxBodyBytes(contract))),
      ),
      { contract },
    )

export function lambda(...endpoints: ServedEndpoint[]): HttpHandler & { served: ServedEndpoint[] } {
  const byPath = new Map<string, ServedEndpoint[]>()
  for (const endpoint of endpoints)
    byPath.set(buildPath(endpoint.contract), [...(byPath.get(buildPath(endpoint.contract)) ?? []), endpoint])
  const handler: HttpHandler = async (event, context) => {
    const candidates = byPath.get(event.routeKey.slice(event.routeKey.indexOf(' ') + 1)) ?? []
    const match = candidates.find(({ contract }) => contract.method === event.requestContext.http.method)
    if (match) return match(event, context)
    return replyMethodNotAllowed(
      event,
      candidates.map(({ contract }) => contract.method),
    )
  }
  return Object.assign(handler, { served: endpoints })
}
