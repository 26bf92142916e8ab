/**
 * Routes of the declared endpoints: one function a domain, one httpApi route an endpoint, or one for all methods of a path
 * (`*`) where they are one domain's: a stack has room for 500 resources, and each route is one.
 */
import { type Contract, domainOf, pathOf } from '../../schemas/endpoint.ts'

export interface RoutedFunction {
  handler: string
  memorySize?: number
  events: { httpApi: { method: string; path: string } }[]
}

/** Of a domain in which requests wait. */
const WAITING_MEMORY_MB = 256

/** Functions by name, as serverless.yml includes them. */
export function routedFunctions(endpoints: readonly Contract[]): Record<string, RoutedFunction> {
  const functions: Record<string, RoutedFunction> = {}
  for (const path of new Set(endpoints.map(pathOf))) {
    const served = endpoints.filter((endpoint) => pathOf(endpoint) === path)
    const domains = new Set(served.map(domainOf))
    for (const endpoint of domains.size === 1 ? served.slice(0, 1) : served) {
      const domain = domainOf(endpoint)
      const method = domains.size === 1 && served.length > 1 ? '*' : endpoint.method
      functions[domain] ??= { handler: `functions/${domain}.handler`, events: [] }
      functions[domain].events.push({ httpApi: { method, path } })
    }
  }
  for (const endpoint of endpoints) if (endpoint.waits) functions[domainOf(endpoint)]!.memorySize = WAITING_MEMORY_MB
  return functions
}
