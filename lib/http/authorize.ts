/** Authorizes the caller of a request by the policy of its endpoint. */

import type { Scope } from '../../schemas/access/permissions.ts'
import { message } from '../../schemas/messages/index.ts'
import { authorize } from '../auth/load-resource.ts'
import { type Principal, restrictTo } from '../auth/principal.ts'
import { forbidden, missingPermission } from '../core/errors.ts'
import type { AuthenticatedRequest, GuardedPolicy } from './authenticate.ts'
import type { Request } from './request.ts'

const SCOPES_WITH_DEFAULT: readonly Scope[] = ['environment', 'environments']

export const requiresIdInBody = ({ at, on, optional }: GuardedPolicy): boolean =>
  at?.startsWith('body.') === true && !optional && !SCOPES_WITH_DEFAULT.includes(on)

/** @returns the handler's caller, and the resource under the name of its scope unless it is optional and omitted */
export async function authorizeRequest(
  policy: GuardedPolicy,
  request: Request,
  { caller, readAhead }: AuthenticatedRequest,
  id: string | undefined,
): Promise<{ caller: Principal; [scope: string]: unknown }> {
  const { can, on, optional, outsideBrowsers, guests } = policy
  if (id === undefined && optional && !SCOPES_WITH_DEFAULT.includes(on)) {
    const allowedCaller = restrictTo(caller, can, on)
    if (!allowedCaller) throw missingPermission(can)
    return { caller: allowedCaller }
  }
  const { caller: allowedCaller, resource } = await authorize(caller, policy, id, readAhead)
  if (outsideBrowsers) assertNotBrowser(caller, request)
  if (guests === 'own') assertOwnResource(caller, resource)
  return { caller: allowedCaller, [on]: resource }
}

/** Without `Sec-Fetch-Mode`, which Node's fetch sends, too. */
const BROWSER_HEADERS = ['origin', 'referer', 'cookie', 'sec-fetch-site', 'sec-fetch-dest']

function assertNotBrowser({ role, tokenId }: Principal, { headers, event }: Request): void {
  const usesKey = role === 'environment' || role === 'agent' || tokenId !== undefined
  const isBrowser = BROWSER_HEADERS.some((name) => headers[name] !== undefined) || (event.cookies ?? []).length > 0
  if (!usesKey || isBrowser) throw forbidden(message('access.changesState'))
}

function assertOwnResource({ grants, actorId }: Principal, resource: object): void {
  const { createdBy } = resource as { createdBy?: unknown }
  if (grants && createdBy !== actorId) throw forbidden(message('access.createdBySomeoneElse'))
}
