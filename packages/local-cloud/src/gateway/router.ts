/** Routes like an HTTP API: literal segments win over parameters, those over `{proxy+}`, and a method over ANY. */
import findMyWay, { type HTTPMethod } from 'find-my-way'

export interface Match<Route> {
  route: Route
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

export function createRouter<Route extends { routeKey: string }>(
  routes: readonly Route[],
): (method: string, path: string) => Match<Route> | undefined {
  const tree = findMyWay({ caseSensitive: true, maxParamLength: MAX_PARAMETER_LENGTH, querystringParser: noQuery })
  const routeKeys = new Set(routes.map((route) => route.routeKey))
  let fallback: Match<Route> | undefined
  for (const route of routes) {
    if (route.routeKey === '$default') {
      fallback = { route }
      continue
    }
    const [method = '', path = ''] = route.routeKey.split(' ')
    const methods =
      method === 'ANY' ? METHODS.filter((candidate) => !routeKeys.has(`${candidate} ${path}`)) : [method as HTTPMethod]
    const entry: Entry<Route> = { route, greedyName: GREEDY.exec(path)?.[1] }
    tree.on([...methods], toPattern(path), neverCalled, entry)
  }
  return (method, path) => {
    const match = tree.find(method as HTTPMethod, path)
    return (match && toMatch(match.store as Entry<Route>, match.params)) ?? fallback
  }
}

function toPattern(path: string): string {
  return path.replace(GREEDY, '*').replace(/\{([^{}]+)\}/g, ':$1')
}

/** On AWS a parameter never matches an empty segment. */
function toMatch<Route>(entry: Entry<Route>, params: Record<string, string | undefined>): Match<Route> | undefined {
  let pathParameters: Record<string, string> | undefined
  for (const name in params) {
    const value = params[name]
    if (!value) return undefined
    pathParameters ??= {}
    pathParameters[name === '*' ? entry.greedyName! : name] = value
  }
  return { route: entry.route, pathParameters }
}
