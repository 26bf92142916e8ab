/** Tokens that live in browsers are used from the pages an environment names, where it names any. */
import type { Role } from '../../schemas/access.ts'
import { env } from '../core/env.ts'
import { forbidden } from '../core/errors.ts'
import { Environments } from '../entities/environments.ts'
import type { Principal } from './principal.ts'

const IN_BROWSERS: readonly Role[] = [
  'publishable',
  'embedded',
  'singleSpaceGuest',
  'multiSpaceGuest',
  'singleWorkbookGuest',
  'multiWorkbookGuest',
]

/** @throws 403 for a page of another origin; the pages of the platform itself are none */
export async function refuseForeignOrigin({ role, environmentId }: Principal, origin: string): Promise<void> {
  if (!IN_BROWSERS.includes(role) || environmentId === undefined) return
  const allowed = (await Environments.get(environmentId))?.allowedOrigins
  if (!allowed || allowed.includes('*') || allowed.includes(origin.toLowerCase())) return
  if (origin === new URL(env().GUEST_URL || env().BASE_URL).origin) return
  throw forbidden(`This token may not be used from pages of ${origin}: the environment does not allow it.`)
}
