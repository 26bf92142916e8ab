/**
 * Chooses the route of a request as an HTTP API does: literal segments win over parameters, parameters over `{proxy+}`,
 * a named method over ANY, and `$default` takes the rest. Knows no HTTP beyond method and path.
 */
import findMyWay, { type HTTPMethod } from 'find-my-way'

export interface Match<Route> {
  route: Route
  /** Decoded; absent when the path has no parameters. */
  pathParameters?: Record<string, string>
}

interface Entry<Route> {
  route: Route
  greedyName?: string
}

const METHODS: readonly HTTPMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const MAX_PARAMETER_LENGTH = 8192
const GREEDY = /\{([^{}+]+)\+\}$/
const noQuery = () => undefined
const neverCalled = () => {}

/** Builds the lookup once; throws when two routes are the same. */
export function router<Route extends { routeKey: string }>(
  routes: readonly Route[],
): (method: string, path: string) => Match<Route> | undefined {
  const tree = findMyWay({ caseSensitive: true, maxParamLength: MAX_PARAMETER_LENGTH, querystringParser: noQuery })
  const taken = new Set(routes.map((route) => route.routeKey))
  let fallback: Match<Route> | undefined
  for (const route of routes) {
    if (route.routeKey === '$default') {
      fallback = { route }
      continue
    }
    const [method = '', path = ''] = route.routeKey.split(' ')
    const methods = method === 'ANY' ? METHODS.filter((each) => !taken.has(`${each} ${path}`)) : [method as HTTPMethod]
    const entry: Entry<Route> = { route, greedyName: GREEDY.exec(path)?.[1] }
    tree.on([...methods], pattern(path), neverCalled, entry)
  }
  return (method, path) => {
    const found = tree.find(method as HTTPMethod, path)
    return (found && matchOf(found.store as Entry<Route>, found.params)) ?? fallback
  }
}

/** `/files/{id}/{path+}` in find-my-way's words: `/files/:id/*`. */
function pattern(path: string): string {
  return path.replace(GREEDY, '*').replace(/\{([^{}]+)\}/g, ':$1')
}

/** A parameter never matches an empty segment on AWS; then the route is not the one asked for. */
function matchOf<Route>(entry: Entry<Route>, params: Record<string, string | undefined>): Match<Route> | undefined {
  let pathParameters: Record<string, string> | undefined
  for (const name in params) {
    const value = params[name]
    if (!value) return undefined
    pathParameters ??= {}
    pathParameters[name === '*' ? entry.greedyName! : name] = value
  }
  return { route: entry.route, pathParameters }
}
