/** How a guest comes in: its access tokens, and the principal one stands for as long as the guest has what it names. */
import type { GuestRole } from '../../schemas/access.ts'
import { type GuestSpace, isPartial } from '../../schemas/guest.ts'
import { SESSION_SECONDS, TOKEN_SECONDS } from '../../schemas/token.ts'
import { unauthenticated } from '../core/errors.ts'
import { Clips, type NewClip } from '../entities/clips.ts'
import { Environments } from '../entities/environments.ts'
import { Guests, type NewGuest } from '../entities/guests.ts'
import { Spaces } from '../entities/spaces.ts'
import { isSharedBy, linkVersionOf } from './link-version.ts'
import type { MadeBy } from './session.ts'
import { sign } from './signing.ts'

/** The part of a principal that a guest has. */
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

/** The rest of what a guest's access token carries. */
export interface GuestSession {
  /** The one space it opens; every space of the guest by default. */
  spaceId?: string | undefined
  /** It opens this space alone, and never becomes a token for another one. */
  fixed?: boolean | undefined
  /** The version of the shared link it came by. */
  link?: number | undefined
  /** Who made the token, where that is not the guest. */
  madeBy?: MadeBy | undefined
  /** When the guest came in, in seconds since 1970; now by default. */
  since?: number | undefined
}

/**
 * A token of the guest, valid for an hour, and no longer than the session.
 * @throws 401 where the session is over
 */
export async function guestToken(guest: NewGuest, session: GuestSession = {}): Promise<string> {
  const { spaceId: space, fixed, link, madeBy, since } = session
  const now = Math.floor(Date.now() / 1000)
  const seconds = Math.min(TOKEN_SECONDS.guest, (since ?? now) + SESSION_SECONDS - now)
  if (seconds <= 0) throw unauthenticated('The session is over: come in by the link again.')
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
  return (await sign(claims, seconds)).token
}

/** A token that opens a public clip alone. The guest's address is not proven, so that what else it has stays closed. */
export async function clipToken(guest: NewGuest, clip: NewClip): Promise<string> {
  const { id, spaceId } = clip
  const claims = { sub: guest.id, acc: guest.accountId, kind: 'guest' as const, env: guest.environmentId }
  const shared = { space: spaceId, fixed: true, clip: id, link: linkVersionOf(clip) }
  return (await sign({ ...claims, ...shared }, TOKEN_SECONDS.guest)).token
}

/** The claims of a guest's token that decide whether it is still valid. */
interface Said {
  actorId: string
  environmentId?: string | undefined
  spaceId?: string | undefined
  fixed?: boolean | undefined
  link?: number | undefined
}

/** The guest in a clip that is public; undefined once the clip is not, or has another link. */
export async function clipPrincipal({ actorId, link }: Said, clipId: string): Promise<GuestPrincipal | undefined> {
  const [guest, clip] = await Promise.all([Guests.get(actorId), Clips.get(clipId)])
  if (!guest || clip?.sharedLinkAccess !== 'public' || clip.environmentId !== guest.environmentId) return undefined
  if (link !== linkVersionOf(clip)) return undefined
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

/** The guest as it is now; undefined once it has nothing left of what the token names, or the link it came by has ended. */
export async function guestPrincipal(said: Said): Promise<GuestPrincipal | undefined> {
  const { actorId, environmentId, spaceId, fixed, link } = said
  const [guest, environment, space] = await Promise.all([
    Guests.get(actorId),
    Environments.get(environmentId ?? ''),
    spaceId === undefined ? undefined : Spaces.get(spaceId),
  ])
  if (!guest || !environment || guest.environmentId !== environment.id) return undefined
  if (spaceId !== undefined && !space) return undefined
  if (fixed && !(space && isSharedBy(space, environment, link))) return undefined
  const grants = guest.spaces.filter((grant) => spaceId === undefined || grant.id === spaceId)
  if (grants.length === 0) return undefined
  return {
    accountId: guest.accountId,
    actorId: guest.id,
    role: roleOf(grants),
    environmentId: guest.environmentId,
    ...(spaceId ? { spaceId } : {}),
    grants,
    ...(fixed ? { fixed, ...(link === undefined ? {} : { link }) } : {}),
  }
}

/** What the guest is called after. It says nothing of what the guest may do: each grant says so for its own space. */
export function roleOf(grants: GuestSpace[]): GuestRole {
  if (!grants.some(isPartial)) return grants.length > 1 ? 'multiSpaceGuest' : 'singleSpaceGuest'
  const parts = grants.flatMap(({ workbooks = [], sheets = [] }) => [...workbooks, ...sheets])
  return parts.length > 1 || grants.length > 1 ? 'multiWorkbookGuest' : 'singleWorkbookGuest'
}
