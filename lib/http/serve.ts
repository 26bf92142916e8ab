/**
 * `serve(contract)(work)`: a complete Lambda handler for one endpoint; it can be invoked, tested and deployed alone.
 * `lambda(...)`: several of them as one function, told apart by the route key.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { type Contract, routeKeyOf } from '../../schemas/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { run, type Work } from './pipeline.ts'
import { requestOf } from './request.ts'
import { type HttpHandler, stack } from './stack.ts'

export type Served = HttpHandler & { contract: Contract }

/** Serves a declared endpoint by `work`; see {@link run} for the steps. */
export const serve =
  <C extends Contract>(contract: C) =>
  (work: Work<C>): Served =>
    Object.assign(
      stack(contract.id, (event: APIGatewayProxyEventV2) => run(contract, work, requestOf(event))),
      { contract },
    )

/** One Lambda function for a domain's endpoints. */
export function lambda(...served: Served[]): HttpHandler & { served: Served[] } {
  const byRoute = new Map(served.map((handler) => [routeKeyOf(handler.contract), handler]))
  const unknown = stack('unknown', async (event) => {
    throw new ApiError('not-found', [{ key: 'not-found', message: `There is no endpoint ${event.routeKey}.` }])
  })
  const handler: HttpHandler = (event, context) => (byRoute.get(event.routeKey) ?? unknown)(event, context)
  return Object.assign(handler, { served })
}
