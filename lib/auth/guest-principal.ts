/** Issues guest tokens and loads the principal of a guest. */

import type { GuestRole } from '../../schemas/access/permissions.ts'
import { SESSION_SECONDS, TOKEN_SECONDS } from '../../schemas/auth/token.ts'
import { type GuestSpace, isPartial } from '../../schemas/guests/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { unauthenticated } from '../core/errors.ts'
import { Clips, type NewClip } from '../entities/clips.ts'
import { Environments } from '../entities/environments.ts'
import { Guests, type NewGuest } from '../entities/guests.ts'
import { Spaces } from '../entities/spaces.ts'
import { getLinkVersion, matchesSharedLink } from './link-version.ts'
import type { IssuerCredential } from './session.ts'
import { signToken } from './signing.ts'

interface GuestPrincipal {
  accountId: string
  actorId: string
  role: GuestRole
  environmentId: string
  spaceId?: string
  grants: GuestSpace[]
  fixed?: boolean
  link?: number
  clipId?: string
}

export interface GuestSession {
  spaceId?: string | undefined
  fixed?: boolean | undefined
  link?: number | undefined
  madeBy?: IssuerCredential | undefined
  since?: number | undefined
}

/** Valid for an hour, but never beyond the session. @throws 401 when the session has ended */
export async function issueGuestToken(guest: NewGuest, session: GuestSession = {}): Promise<string> {
  const { spaceId: space, fixed, link, madeBy, since } = session
  const now = Math.floor(Date.now() / 1000)
  const seconds = Math.min(TOKEN_SECONDS.guest, (since ?? now) + SESSION_SECONDS - now)
  if (seconds <= 0) throw unauthenticated(message('access.sessionExpiredOpenLink'))
  const claims = {
    sub: guest.id,
    acc: guest.accountId,
    kind: 'guest' as const,
    env: guest.environmentId,
    ...(space === undefined ? {} : { space }),
    ...(fixed ? { fixed } : {}),
    ...(link === undefined ? {} : { link }),
    ...(madeBy ? { madeBy } : {}),
    ...(since === undefined ? {} : { auth_time: since }),
  }
  return (await signToken(claims, seconds)).token
}

/** Opens only this clip: the guest's address is not verified. */
export async function issueClipToken(guest: NewGuest, clip: NewClip): Promise<string> {
  const { id, spaceId } = clip
  const claims = { sub: guest.id, acc: guest.accountId, kind: 'guest' as const, env: guest.environmentId }
  const clipClaims = { space: spaceId, fixed: true, clip: id, link: getLinkVersion(clip) }
  return (await signToken({ ...claims, ...clipClaims }, TOKEN_SECONDS.guest)).token
}

interface GuestClaims {
  actorId: string
  environmentId?: string | undefined
  spaceId?: string | undefined
  fixed?: boolean | undefined
  link?: number | undefined
}

/** Undefined once the clip is private or its link was replaced. */
export async function loadClipPrincipal(
  { actorId, link }: GuestClaims,
  clipId: string,
): Promise<GuestPrincipal | undefined> {
  const [guest, clip] = await Promise.all([Guests.get(actorId), Clips.get(clipId)])
  if (!guest || clip?.sharedLinkAccess !== 'public' || clip.environmentId !== guest.environmentId) return undefined
  if (link !== getLinkVersion(clip)) return undefined
  const { spaceId, workbookId, environmentId } = clip
  const [space, environment] = await Promise.all([Spaces.get(spaceId), Environments.get(environmentId)])
  if (!space || !environment) return undefined
  return {
    accountId: guest.accountId,
    actorId: guest.id,
    role: 'singleWorkbookGuest',
    environmentId,
    spaceId,
    grants: [{ id: spaceId, workbooks: [{ id: workbookId }] }],
    fixed: true,
    link,
    clipId,
  }
}

/** Undefined once the guest has no access left or the shared link was replaced. */
export async function loadGuestPrincipal(guestClaims: GuestClaims): Promise<GuestPrincipal | undefined> {
  const { actorId, environmentId, spaceId, fixed, link } = guestClaims
  const [guest, environment, space] = await Promise.all([
    Guests.get(actorId),
    Environments.get(environmentId ?? ''),
    spaceId === undefined ? undefined : Spaces.get(spaceId),
  ])
  if (!guest || !environment || guest.environmentId !== environment.id) return undefined
  if (spaceId !== undefined && !space) return undefined
  if (fixed && !(space && matchesSharedLink(space, environment, link))) return undefined
  const grants = guest.spaces.filter((grant) => spaceId === undefined || grant.id === spaceId)
  if (grants.length === 0) return undefined
  return {
    accountId: guest.accountId,
    actorId: guest.id,
    role: deriveGuestRole(grants),
    environmentId: guest.environmentId,
    ...(spaceId ? { spaceId } : {}),
    grants,
    ...(fixed ? { fixed, ...(link === undefined ? {} : { link }) } : {}),
  }
}

/** A label only: permissions come from each grant. */
export function deriveGuestRole(grants: GuestSpace[]): GuestRole {
  if (!grants.some(isPartial)) return grants.length > 1 ? 'multiSpaceGuest' : 'singleSpaceGuest'
  const parts = grants.flatMap(({ workbooks = [], sheets = [] }) => [...workbooks, ...sheets])
  return parts.length > 1 || grants.length > 1 ? 'multiWorkbookGuest' : 'singleWorkbookGuest'
}
