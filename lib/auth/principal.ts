/** Who calls: a bearer value becomes a principal by reads that are never cached, so that a revoked value fails at once. */
import { allowedBy, type Permission, ROLES, type Role, type Scope } from '../../schemas/access.ts'
import { type GuestSpace, isPartial } from '../../schemas/guest.ts'
import type { HeldRole } from '../../schemas/held-role.ts'
import { onDemand } from '../core/on-demand.ts'
import { Keys, type StoredKey } from '../entities/keys.ts'
import { Spaces } from '../entities/spaces.ts'
import { SignOns } from '../entities/sso.ts'
import { Tokens } from '../entities/tokens.ts'
import { type StoredUser, Users } from '../entities/users.ts'
import { touch } from '../table/touch.ts'
import { keyIdOf, keyMatches } from './keys.ts'
import { isOpenSession, type MadeBy } from './session.ts'
import type { Claims } from './signing.ts'

/** Requests with keys need no signatures, and every function reads this file. */
const signing = onDemand(() => import('./signing.ts'))
const agents = onDemand(() => import('../entities/agents.ts'))

export interface Principal {
  accountId: string
  /** Stands as `actorId` in events and as `createdBy` on things: a user, a key, an agent or a guest. */
  actorId: string
  role: Role
  /** Set when the principal lives in one environment. */
  environmentId?: string
  /** Set when the principal lives in one space. */
  spaceId?: string
  /** The key it came with. */
  keyId?: string
  /** The personal access token it came with, or that its access token was exchanged from. */
  tokenId?: string
  /** The session of the user that its access token was exchanged from; see session.ts. */
  session?: string
  /** Set for a guest: what it reaches, and nothing else. */
  grants?: GuestSpace[]
  /** A guest's token for this space alone: it cannot be used to get one for another. */
  fixed?: boolean
  /** Set for a user or agent with roles on single environments or spaces: it reaches these, and nothing else. */
  roles?: HeldRole[]
  /** The version of the shared link that a guest came by. */
  link?: number
  /** For a guest whose access token somebody else made: the credential of the maker. The token ends with it. */
  madeBy?: MadeBy
  /** When the credentials behind its access token were given, in seconds since 1970. */
  since?: number
  /** When its access token ends, in seconds since 1970. */
  expires?: number
  /** Came by the link of this public clip, with an address that is not proven: it sees the clip, and brings in nobody. */
  clipId?: string
}

/**
 * The principal of a bearer value, or undefined when it is unknown, expired or revoked.
 * @param beside called as the first read begins, which what can be no value of ours does not come to: what it reads in the same
 * turn is of the same request to the table
 */
export async function authenticate(bearer: string, beside?: () => void): Promise<Principal | undefined> {
  const key = keyIdOf(bearer)
  if (!key) return bearer.startsWith('eyJ') ? byAccessToken(bearer, beside) : undefined
  beside?.()
  return key.prefix === 'pat' ? byPersonalToken(key.id, bearer) : byKey(key.id, bearer)
}

const ROLE_OF = { SECRET: 'environment', PUBLISHABLE: 'publishable', AGENT: 'agent' } as const

async function byKey(id: string, value: string): Promise<Principal | undefined> {
  const key = await Keys.get(id)
  return key && keyMatches(value, key.hash) ? ofKey(key) : undefined
}

async function ofKey(key: StoredKey): Promise<Principal | undefined> {
  const principal: Principal = {
    accountId: key.accountId,
    actorId: key.agentId ?? key.createdBy,
    role: ROLE_OF[key.type],
    environmentId: key.environmentId,
    keyId: key.id,
  }
  if (key.agentId === undefined) return principal
  const agent = await (await agents()).Agents.get(key.agentId)
  return agent && { ...principal, ...(agent.actorRoles ? { roles: agent.actorRoles } : {}) }
}

async function byPersonalToken(id: string, value: string): Promise<Principal | undefined> {
  const token = await Tokens.get(id)
  if (!token || !keyMatches(value, token.hash)) return undefined
  const user = await Users.get(token.userId)
  if (!user) return undefined
  await touch('token', token.id, 'lastUsedAt', token.lastUsedAt)
  return { ...ofUser(user), tokenId: token.id }
}

async function byAccessToken(value: string, beside?: () => void): Promise<Principal | undefined> {
  const { signedToken, isCurrentKey } = await signing()
  const signed = await signedToken(value)
  if (!signed) return undefined
  beside?.()
  const [found, current] = await Promise.all([subjectOf(signed.claims), isCurrentKey(signed.kid)])
  if (!found || !current) return undefined
  await found.noteUse?.()
  const { exp, iat, auth_time: since = iat } = signed.claims
  return {
    ...found.principal,
    ...(since === undefined ? {} : { since }),
    ...(exp === undefined ? {} : { expires: exp }),
  }
}

interface Found {
  principal: Principal
  /** Writes down the use, once the rest of the token is found to be valid. */
  noteUse?: () => Promise<void>
}

async function subjectOf(claims: Claims): Promise<Found | undefined> {
  const { acc, sub, key, space, link, madeBy } = claims
  switch (claims.kind) {
    case 'user':
      return byUser({ accountId: acc, userId: sub, tokenId: claims.pat, session: claims.ses })
    case 'embedded':
      return byEmbeddedToken({ acc, sub, key, space })
    case 'guest':
      return byGuest({
        accountId: acc,
        actorId: sub,
        environmentId: claims.env,
        spaceId: space,
        fixed: claims.fixed,
        link,
        clipId: claims.clip,
        madeBy,
      })
    case 'subscription': // opens a channel, nothing else
      return undefined
  }
}

interface UserCredential {
  accountId: string
  userId: string
  tokenId?: string | undefined
  session?: string | undefined
}

/** A user, as long as the personal access token or the session behind its access token is valid. */
async function byUser({ accountId, userId, tokenId, session }: UserCredential): Promise<Found | undefined> {
  if (tokenId !== undefined) {
    const [user, token] = await Promise.all([Users.get(userId), Tokens.get(tokenId)])
    if (!user || token?.userId !== userId) return undefined
    return {
      principal: { ...ofUser(user), tokenId },
      noteUse: () => touch('token', tokenId, 'lastUsedAt', token.lastUsedAt),
    }
  }
  const [user, signOn] = await Promise.all([Users.get(userId), SignOns.get(accountId)])
  if (!user || session === undefined || !isOpenSession(session, user, signOn)) return undefined
  return {
    principal: { ...ofUser(user), session },
    noteUse: () => touch('user', userId, 'lastSeenAt', user.lastSeenAt),
  }
}

/** With a role in the account a user is its administrator, whatever else it was given; otherwise it is where its roles are. */
const ofUser = ({ accountId, id: actorId, actorRoles }: StoredUser): Principal =>
  actorRoles.some(isOfAccount)
    ? { accountId, actorId, role: 'administrator' }
    : { accountId, actorId, role: 'member', roles: actorRoles }

/** A role in the account as a whole. */
export const isOfAccount = ({ environmentId }: HeldRole): boolean => environmentId === undefined

async function byEmbeddedToken(claims: Pick<Claims, 'acc' | 'sub' | 'key' | 'space'>): Promise<Found | undefined> {
  const [key, space] = await Promise.all([Keys.get(claims.key ?? ''), Spaces.get(claims.space ?? '')])
  if (!key || !space) return undefined
  const principal: Principal = {
    accountId: claims.acc,
    actorId: claims.sub,
    role: 'embedded',
    environmentId: space.environmentId,
    spaceId: space.id,
    keyId: key.id,
  }
  return { principal }
}

/** Few requests come from guests, and every function reads this file. */
const guestAccess = onDemand(() => import('./guest-access.ts'))

/** A guest as it is now; undefined once the link it came by, or the credential that made its token, is no longer valid. */
async function byGuest(credential: Omit<Credential, 'role'>): Promise<Found | undefined> {
  const { guestPrincipal, clipPrincipal } = await guestAccess()
  const { madeBy, clipId } = credential
  const [guest, maker] = await Promise.all([
    clipId === undefined ? guestPrincipal(credential) : clipPrincipal(credential, clipId),
    madeBy && makerOf(credential.accountId, madeBy),
  ])
  if (!guest || !madeBy) return guest && { principal: guest }
  const grants = guest.grants.filter((grant) => maker && mayInvite(maker, guest, grant))
  return grants.length > 0 ? { principal: { ...guest, grants, madeBy } } : undefined
}

async function makerOf(accountId: string, madeBy: MadeBy): Promise<Principal | undefined> {
  if (!('keyId' in madeBy)) return (await byUser({ accountId, ...madeBy }))?.principal
  const key = await Keys.get(madeBy.keyId)
  return key && ofKey(key)
}

const mayInvite = (maker: Principal, { accountId, environmentId }: Principal, { id: spaceId }: GuestSpace): boolean =>
  may(maker, 'invitations:write', { accountId, environmentId, spaceId })

type CameWith = Pick<
  Principal,
  'environmentId' | 'spaceId' | 'keyId' | 'tokenId' | 'session' | 'fixed' | 'link' | 'clipId' | 'madeBy'
>
/** What a principal is read again by. */
export type Credential = Pick<Principal, 'accountId' | 'actorId' | 'role'> & {
  [K in keyof CameWith]?: CameWith[K] | undefined
}

/** The principal as it is now; undefined once what it came with is gone: a key, a token, a session, a link or the actor itself. */
export async function renewed(credential: Credential): Promise<Principal | undefined> {
  const { accountId, actorId, keyId } = credential
  switch (credential.role) {
    case 'administrator':
    case 'member': {
      const { tokenId, session } = credential
      const found = await byUser({ accountId, userId: actorId, tokenId, session })
      await found?.noteUse?.()
      return found?.principal
    }
    case 'embedded':
      return (await byEmbeddedToken({ acc: accountId, sub: actorId, key: keyId, space: credential.spaceId }))?.principal
    case 'environment':
    case 'agent':
    case 'publishable': {
      const found = await Keys.get(keyId ?? '')
      return found && ofKey(found)
    }
    case 'singleSpaceGuest':
    case 'multiSpaceGuest':
    case 'singleWorkbookGuest':
    case 'multiWorkbookGuest':
      return (await byGuest(credential))?.principal
  }
}

/** What is asked of a principal. */
export type Asked = Permission | 'spaces:create'

const includes = (allowed: readonly string[], permission: Asked): boolean =>
  allowed.includes('*') || allowed.includes(permission)

const allows = ({ role, spaceId }: HeldRole, permission: Asked): boolean =>
  includes(allowedBy(role, spaceId === undefined ? 'environment' : 'space'), permission)

/** A grant allows the same whatever else the guest has. */
const grantAllows = (grant: GuestSpace, permission: Asked): boolean =>
  includes(ROLES[isPartial(grant) ? 'singleWorkbookGuest' : 'singleSpaceGuest'], permission)

/** Where a stored thing lives. */
export interface Placed {
  accountId: string
  environmentId?: string | undefined
  spaceId?: string | undefined
  workbookId?: string | undefined
  sheetId?: string | undefined
}

/** Does the role hold where the thing lives? */
export const holdsAt = ({ environmentId, spaceId }: HeldRole, place: Placed): boolean =>
  spaceId === undefined ? environmentId === place.environmentId : spaceId === place.spaceId

/** May the principal do this: somewhere in its reach, or with things that live at the place? */
export function may({ role, roles, grants }: Principal, permission: Asked, place?: Placed): boolean {
  if (grants)
    return grants.some((grant) => grantAllows(grant, permission) && (place === undefined || grant.id === place.spaceId))
  if (!roles) return includes(ROLES[role], permission)
  return roles.some((held) => allows(held, permission) && (place === undefined || holdsAt(held, place)))
}

/** What belongs to the account or to the caller itself; roles on environments and spaces say nothing about it. */
const ABOVE_ENVIRONMENTS: readonly Scope[] = ['account', 'user', 'token']

/** The principal as far as it may do this with things of the scope; undefined where it may do it with none. */
export function permitted(principal: Principal, permission: Asked, scope: Scope): Principal | undefined {
  if (principal.grants) {
    const grants = principal.grants.filter((grant) => grantAllows(grant, permission))
    if (grants.length === principal.grants.length) return principal
    return grants.length > 0 ? { ...principal, grants } : undefined
  }
  if (!principal.roles) return includes(ROLES[principal.role], permission) ? principal : undefined
  if (ABOVE_ENVIRONMENTS.includes(scope)) return includes(ROLES.member, permission) ? principal : undefined
  const roles = principal.roles.filter((role) => allows(role, permission))
  return roles.length > 0 ? { ...principal, roles } : undefined
}
