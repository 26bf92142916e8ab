/**
 * `serve(contract)(work)`: a complete Lambda handler for one endpoint; it can be invoked, tested and deployed alone.
 * `lambda(...)`: several of them as one function, told apart by path and method.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { bodyBytesOf, type Contract, pathOf } from '../../schemas/endpoint.ts'
import { run, type Work } from './pipeline.ts'
import { requestOf } from './request.ts'
import { type HttpHandler, otherMethod, stack } from './stack.ts'

export type Served = HttpHandler & { contract: Contract }

/** Serves a declared endpoint by `work`; see {@link run} for the steps. */
export const serve =
  <C extends Contract>(contract: C) =>
  (work: Work<C>): Served =>
    Object.assign(
      stack(contract.id, (event: APIGatewayProxyEventV2) =>
        run(contract, work, requestOf(event, bodyBytesOf(contract))),
      ),
      { contract },
    )

/** One Lambda function for a domain's endpoints. A route of it may take every method of its path. */
export function lambda(...served: Served[]): HttpHandler & { served: Served[] } {
  const byPath = new Map<string, Served[]>()
  for (const each of served) byPath.set(pathOf(each.contract), [...(byPath.get(pathOf(each.contract)) ?? []), each])
  const handler: HttpHandler = async (event, context) => {
    const atPath = byPath.get(event.routeKey.slice(event.routeKey.indexOf(' ') + 1)) ?? []
    const found = atPath.find(({ contract }) => contract.method === event.requestContext.http.method)
    if (found) return found(event, context)
    return otherMethod(
      event,
      atPath.map(({ contract }) => contract.method),
    )
  }
  return Object.assign(handler, { served })
}
