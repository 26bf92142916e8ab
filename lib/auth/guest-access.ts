/** How a guest comes in: its access tokens, and the principal one stands for as long as the guest has what it names. */
import type { GuestRole } from '../../schemas/access.ts'
import { type GuestSpace, isPartial } from '../../schemas/guest.ts'
import { TOKEN_SECONDS } from '../../schemas/token.ts'
import { Clips, type NewClip } from '../entities/clips.ts'
import { Environments } from '../entities/environments.ts'
import { Guests, type NewGuest } from '../entities/guests.ts'
import { Spaces } from '../entities/spaces.ts'
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
  since?: number
  clipId?: string
}

/**
 * A token of the guest, valid for an hour.
 * @param spaceId the one space it opens; every space of the guest unless told
 * @param fixed it opens this space alone, and never becomes a token for another one
 * @param since when the guest came in, if it has been in already
 */
export async function guestToken(guest: NewGuest, spaceId?: string, fixed = false, since?: number): Promise<string> {
  const claims = {
    sub: guest.id,
    acc: guest.accountId,
    kind: 'guest' as const,
    env: guest.environmentId,
    ...(spaceId ? { space: spaceId } : {}),
    ...(fixed ? { fixed } : {}),
    ...(since === undefined ? {} : { auth_time: since }),
  }
  return (await sign(claims, TOKEN_SECONDS.guest)).token
}

/** A token that opens a public clip alone. The guest's address is not proven, so that what else it has stays closed. */
export async function clipToken(guest: NewGuest, clip: NewClip): Promise<string> {
  const { id, spaceId } = clip
  const claims = { sub: guest.id, acc: guest.accountId, kind: 'guest' as const, env: guest.environmentId }
  return (await sign({ ...claims, space: spaceId, fixed: true, clip: id }, TOKEN_SECONDS.guest)).token
}

/** The guest in a clip that is public; undefined once the clip is not. */
export async function clipPrincipal(id: string, clipId: string): Promise<GuestPrincipal | undefined> {
  const [guest, clip] = await Promise.all([Guests.get(id), Clips.get(clipId)])
  if (!guest || clip?.sharedLinkAccess !== 'public' || clip.environmentId !== guest.environmentId) return undefined
  const { spaceId, workbookId, environmentId } = clip
  if (!(await Spaces.get(spaceId)) || !(await Environments.get(environmentId))) return undefined
  return {
    accountId: guest.accountId,
    actorId: guest.id,
    role: 'singleWorkbookGuest',
    environmentId,
    spaceId,
    grants: [{ id: spaceId, workbooks: [{ id: workbookId }] }],
    fixed: true,
    clipId,
  }
}

/** The guest as it is now; undefined once it has nothing left of what the token names. */
export async function guestPrincipal(
  id: string,
  token: { spaceId?: string | undefined; fixed?: boolean | undefined; since?: number | undefined },
): Promise<GuestPrincipal | undefined> {
  const { spaceId, fixed, since } = token
  const [guest, space] = await Promise.all([Guests.get(id), spaceId === undefined ? undefined : Spaces.get(spaceId)])
  if (!guest || (spaceId !== undefined && !space)) return undefined
  const grants = guest.spaces.filter((grant) => spaceId === undefined || grant.id === spaceId)
  if (grants.length === 0 || !(await Environments.get(guest.environmentId))) return undefined
  return {
    accountId: guest.accountId,
    actorId: guest.id,
    role: roleOf(grants),
    environmentId: guest.environmentId,
    ...(spaceId ? { spaceId } : {}),
    grants,
    ...(fixed ? { fixed } : {}),
    ...(since === undefined ? {} : { since }),
  }
}

/** What the guest is called after. It says nothing of what the guest may do: each grant says so for its own space. */
export function roleOf(grants: GuestSpace[]): GuestRole {
  if (!grants.some(isPartial)) return grants.length > 1 ? 'multiSpaceGuest' : 'singleSpaceGuest'
  const parts = grants.flatMap(({ workbooks = [], sheets = [] }) => [...workbooks, ...sheets])
  return parts.length > 1 || grants.length > 1 ? 'multiWorkbookGuest' : 'singleWorkbookGuest'
}
