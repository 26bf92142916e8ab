/** Restricts tokens used in browsers to the origins their environment allows, if it lists any. */

import type { Role } from '../../schemas/access/permissions.ts'
import { message } from '../../schemas/messages/index.ts'
import { env } from '../core/env.ts'
import { forbidden } from '../core/errors.ts'
import { Environments } from '../entities/environments.ts'
import type { Principal } from './principal.ts'

const BROWSER_ROLES: readonly Role[] = [
  'publishable',
  'embedded',
  'singleSpaceGuest',
  'multiSpaceGuest',
  'singleWorkbookGuest',
  'multiWorkbookGuest',
]

export async function assertOriginAllowed({ role, environmentId }: Principal, origin: string): Promise<void> {
  if (!BROWSER_ROLES.includes(role) || environmentId === undefined) return
  const allowedOrigins = (await Environments.get(environmentId))?.allowedOrigins
  if (!allowedOrigins || allowedOrigins.includes('*') || allowedOrigins.includes(origin.toLowerCase())) return
  if (origin === new URL(env().GUEST_URL || env().BASE_URL).origin) return
  throw forbidden(message('access.originNotAllowed', { origin }))
}
