/** Checks of endpoint declarations; each returns lines that say what to do. Pure, so that tests can break them. */
import { buildRouteKey, type Contract, getDomain } from '../../schemas/kit/endpoint.ts'

export type Functions = Record<string, Record<string, unknown>>

const verbOf = (contract: Contract): string => contract.id.slice(contract.id.indexOf('.') + 1)
const isServed = (value: unknown): value is { contract: Contract } => typeof value === 'function' && 'contract' in value

export function findUnserved(endpoints: readonly Contract[], functions: Functions): string[] {
  return endpoints.flatMap((endpoint) => {
    const [domain, verb] = [getDomain(endpoint), verbOf(endpoint)]
    const handler = functions[domain]?.[verb]
    if (!isServed(handler) || handler.contract.id !== endpoint.id)
      return [
        `${endpoint.id} is declared but not served: add \`export const ${verb} = serve(...)\` to functions/${domain}.ts`,
      ]
    const group = functions[domain]?.handler as { served?: { contract: Contract }[] } | undefined
    const reachable = group?.served?.some(({ contract }) => contract.id === endpoint.id)
    return reachable
      ? []
      : [
          `${endpoint.id} is served but not reachable: add ${verb} to \`handler = lambda(...)\` in functions/${domain}.ts`,
        ]
  })
}

export function findUndeclared(endpoints: readonly Contract[], functions: Functions): string[] {
  const ids = new Set(endpoints.map(({ id }) => id))
  return Object.entries(functions).flatMap(([domain, exports]) =>
    Object.values(exports)
      .filter(isServed)
      .filter(({ contract }) => !ids.has(contract.id))
      .map(
        ({ contract }) => `functions/${domain}.ts serves ${contract.id}, which schemas/${domain}.ts does not declare`,
      ),
  )
}

export function findDuplicates(endpoints: readonly Contract[]): string[] {
  const seen = new Map<string, string>()
  return endpoints.flatMap((endpoint) =>
    [endpoint.id, buildRouteKey(endpoint)].flatMap((name) => {
      const before = seen.get(name)
      seen.set(name, endpoint.id)
      return before ? [`${name} is declared twice: by ${before} and ${endpoint.id}`] : []
    }),
  )
}

export function findBadExamples(endpoints: readonly Contract[]): string[] {
  return endpoints.flatMap((endpoint) => {
    const { example } = endpoint as { example?: Contract['example'] }
    if (!example)
      return [
        `${endpoint.id} has no example: add \`example: {...}\` to its declaration, the access tests and the docs are made from it`,
      ]
    const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
    const missing = names
      .filter((name) => !example.params?.[name])
      .map((name) => `the example of ${endpoint.id} does not name the path parameter ${name}`)
    const parts = [
      ['params', endpoint.params, example.params ?? {}],
      ['query', endpoint.query, example.query ?? {}],
      ['body', endpoint.bodyType === 'multipart' ? undefined : endpoint.body, example.body],
    ] as const
    const unfit = parts.flatMap(([name, shape, value]) => {
      if (!shape || (name === 'body' && value === undefined && endpoint.bodyOptional)) return []
      const result = shape.safeParse(value)
      return result.success
        ? []
        : [
            `the example of ${endpoint.id} does not fit its ${name}: ${result.error.issues[0]?.path.join('.')} ${result.error.issues[0]?.message}`,
          ]
    })
    return [...missing, ...unfit]
  })
}

const PUBLIC = [
  'auth.exchange',
  'auth.refresh',
  'auth.signingKeys',
  'auth.ssoCallback',
  'auth.ssoStart',
  'health.live',
  'health.ready',
  'invitations.exchange',
  'live.time',
  'oauth.register',
  'oauth.resource',
  'oauth.revoke',
  'oauth.server',
  'oauth.token',
  'reference.file',
  'reference.openApi',
  'reference.page',
  'users.acceptInvite',
]

export function findUnlocatedPolicies(endpoints: readonly Contract[]): string[] {
  return endpoints.flatMap((endpoint) => {
    const { policy } = endpoint
    if (!policy)
      return [`${endpoint.id} has no policy: add \`policy: { can, on, at }\`, or \`{ public: true }\` with a reason`]
    if ('public' in policy)
      return PUBLIC.includes(endpoint.id)
        ? []
        : [
            `${endpoint.id} is public: only what lets people in, the keys to check it by, health, the time and the reference may be`,
          ]
    if ('subscription' in policy) return []
    const named = ['account', 'environment', 'environments'].includes(policy.on)
    if (!policy.at)
      return named
        ? []
        : [`the policy of ${endpoint.id} guards a ${policy.on} but does not say where its id stands: add \`at\``]
    const [part, key] = policy.at.split('.') as ['params' | 'query' | 'body', string]
    const shape = endpoint[part] as { shape?: Record<string, unknown> } | undefined
    const declared = endpoint.bodyType === 'multipart' || (shape?.shape ? key in shape.shape : shape !== undefined)
    return declared ? [] : [`the policy of ${endpoint.id} reads ${policy.at}, which the endpoint does not declare`]
  })
}
