/** Routes per function. A path of one domain gets a single `*` route, since a stack has at most 500 resources. */
import { buildPath, type Contract, getDomain } from '../../schemas/kit/endpoint.ts'

export interface RoutedFunction {
  handler: string
  memorySize?: number
  events: { httpApi: { method: string; path: string } }[]
}

const WAITING_MEMORY_MB = 256

export function buildRoutedFunctions(endpoints: readonly Contract[]): Record<string, RoutedFunction> {
  const functions: Record<string, RoutedFunction> = {}
  for (const path of new Set(endpoints.map(buildPath))) {
    const pathEndpoints = endpoints.filter((endpoint) => buildPath(endpoint) === path)
    const domains = new Set(pathEndpoints.map(getDomain))
    for (const endpoint of domains.size === 1 ? pathEndpoints.slice(0, 1) : pathEndpoints) {
      const domain = getDomain(endpoint)
      const method = domains.size === 1 && pathEndpoints.length > 1 ? '*' : endpoint.method
      functions[domain] ??= { handler: `functions/${domain}.handler`, events: [] }
      functions[domain].events.push({ httpApi: { method, path } })
    }
  }
  for (const endpoint of endpoints) if (endpoint.waits) functions[getDomain(endpoint)]!.memorySize = WAITING_MEMORY_MB
  return functions
}
