/** Routes of the declared endpoints: one function a domain, one httpApi route an endpoint. */
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
  for (const endpoint of endpoints) {
    const domain = domainOf(endpoint)
    functions[domain] ??= { handler: `functions/${domain}.handler`, events: [] }
    if (endpoint.waits) functions[domain].memorySize = WAITING_MEMORY_MB
    functions[domain].events.push({ httpApi: { method: endpoint.method, path: pathOf(endpoint) } })
  }
  return functions
}
