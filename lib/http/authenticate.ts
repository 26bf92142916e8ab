import type { Scope } from '../../schemas/access/permissions.ts'
import type { Policy } from '../../schemas/kit/endpoint.ts'
import { message } from '../../schemas/messages/index.ts'
import { type Guarded, readScope, type ScopeResources } from '../auth/load-resource.ts'
import { assertOriginAllowed } from '../auth/origins.ts'
import { loadPrincipal, type Principal, verifyBearer } from '../auth/principal.ts'
import type { Subscription } from '../auth/subscription.ts'
import { forbidden, unauthenticated } from '../core/errors.ts'
import { lazy } from '../core/lazy.ts'
import { getClientAddress } from './address.ts'
import { admitAddress } from './rate-limit.ts'
import { type Request, readPath } from './request.ts'

export type GuardedPolicy = Extract<Policy, { on: Scope }>

export interface AuthenticatedRequest {
  caller: Principal
  /** The resource named in the path or query, read together with the caller. */
  readAhead: Guarded<ScopeResources[Scope]> | undefined
}

/** @throws 401 */
export async function authenticateRequest(policy: GuardedPolicy, request: Request): Promise<AuthenticatedRequest> {
  const bearer = parseBearer(request.headers.authorization)
  // URLs end up in logs, so only publishable keys are accepted there.
  const key = bearer === undefined && policy.key ? await readPath(request, policy.key) : undefined
  const verified = await verifyBearer(bearer ?? key ?? '')
  // Both start in one turn of the event loop, so that their reads share a request (lib/table/batch.ts).
  const [caller, readAhead] = verified ? await Promise.all([loadPrincipal(verified), readTarget(policy, request)]) : []
  const isMeant = caller?.isForAgents !== true || policy.acceptsAgents === true
  if (!caller || !isMeant || (key !== undefined && caller.role !== 'publishable')) {
    await admitAddress(getClientAddress(request))
    throw unauthenticated(
      explainMissingToken(request.headers.authorization, bearer),
      policy.acceptsAgents ? await buildAgentChallenge() : undefined,
    )
  }
  // A frame of the platform sends its own origin and names the embedding page.
  const { origin, 'x-embedded-in': embedder } = request.headers
  for (const page of new Set([origin, embedder])) if (page) await assertOriginAllowed(caller, page)
  return { caller, readAhead }
}

const loadAddresses = lazy(() => import('../oauth/addresses.ts'))

/** Tells clients where to sign in (RFC 9728). */
async function buildAgentChallenge(): Promise<string> {
  const { getResourceMetadataAddress } = await loadAddresses()
  return `Bearer resource_metadata="${getResourceMetadataAddress()}"`
}

function parseBearer(authorization = ''): string | undefined {
  const [scheme, value] = authorization.split(' ')
  return scheme?.toLowerCase() === 'bearer' && value ? value : undefined
}

async function readTarget({ on, at }: GuardedPolicy, request: Request): Promise<AuthenticatedRequest['readAhead']> {
  const id = at && !at.startsWith('body.') ? await readPath(request, at) : undefined
  return id === undefined ? undefined : readScope(on, id)
}

function explainMissingToken(authorization: string | undefined, bearer: string | undefined): string | undefined {
  if (bearer !== undefined) return undefined
  return authorization ? message('access.noBearerToken') : message('access.noAuthorization')
}

const loadSubscriptionModule = lazy(() => import('../auth/subscription.ts'))

/** @throws 403 unless `auth` is a token for the requested channel */
export async function authenticateSubscription({ params, query }: Request): Promise<Subscription> {
  const { formatChannelName, loadSubscription } = await loadSubscriptionModule()
  const subscription = typeof query.auth === 'string' ? await loadSubscription(query.auth) : undefined
  if (!subscription || formatChannelName(subscription.channel) !== params.channel)
    throw forbidden(message('access.subscriptionTokenNotValid'))
  return subscription
}
