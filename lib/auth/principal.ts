/** Who calls: a bearer value becomes a principal by reads that are never cached, so that a revoked value fails at once. */
import { type Permission, ROLES, type Role } from '../../schemas/access.ts'
import type { GuestSpace } from '../../schemas/guest.ts'
import { Keys, type StoredKey } from '../entities/keys.ts'
import { Spaces } from '../entities/spaces.ts'
import { Tokens } from '../entities/tokens.ts'
import { type StoredUser, Users } from '../entities/users.ts'
import { touch } from '../table/touch.ts'
import { keyIdOf, keyMatches } from './keys.ts'
import { type Claims, verify } from './signing.ts'

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
  /** The personal access token it came with. */
  tokenId?: string
  /** Set for a guest: what it reaches, and nothing else. */
  grants?: GuestSpace[]
  /** A guest's token for this space alone: it cannot be used to get one for another. */
  fixed?: boolean
  /** Came by the link of this public clip, with an address that is not proven: it sees the clip, and brings in nobody. */
  clipId?: string
}

/** The principal of a bearer value, or undefined when it is unknown, expired or revoked. */
export async function authenticate(bearer: string): Promise<Principal | undefined> {
  const key = keyIdOf(bearer)
  if (!key) return bearer.startsWith('eyJ') ? byAccessToken(bearer) : undefined
  return key.prefix === 'pat' ? byPersonalToken(key.id, bearer) : byKey(key.id, bearer)
}

const ROLE_OF = { SECRET: 'environment', PUBLISHABLE: 'publishable', AGENT: 'agent' } as const

async function byKey(id: string, value: string): Promise<Principal | undefined> {
  const key = await Keys.get(id)
  return key && keyMatches(value, key.hash) ? ofKey(key) : undefined
}

const ofKey = (key: StoredKey): Principal => ({
  accountId: key.accountId,
  actorId: key.agentId ?? key.createdBy,
  role: ROLE_OF[key.type],
  environmentId: key.environmentId,
  keyId: key.id,
})

async function byPersonalToken(id: string, value: string): Promise<Principal | undefined> {
  const token = await Tokens.get(id)
  if (!token || !keyMatches(value, token.hash)) return undefined
  const user = await Users.get(token.userId)
  if (!user) return undefined
  await touch('token', token.id, 'lastUsedAt', token.lastUsedAt)
  return { ...ofUser(user), tokenId: token.id }
}

async function byAccessToken(value: string): Promise<Principal | undefined> {
  const claims = await verify(value)
  if (!claims) return undefined
  switch (claims.kind) {
    case 'user':
      return byUser(claims.sub)
    case 'embedded':
      return byEmbeddedToken(claims)
    case 'guest':
      return byGuest(claims.sub, { spaceId: claims.space, fixed: claims.fixed, clipId: claims.clip })
    case 'subscription': // opens a channel, nothing else
      return undefined
  }
}

async function byUser(id: string): Promise<Principal | undefined> {
  const user = await Users.get(id)
  return user && ofUser(user)
}

const ofUser = (user: StoredUser): Principal => ({
  accountId: user.accountId,
  actorId: user.id,
  role: 'administrator',
})

async function byEmbeddedToken(claims: Pick<Claims, 'acc' | 'sub' | 'key' | 'space'>): Promise<Principal | undefined> {
  const [key, space] = await Promise.all([Keys.get(claims.key ?? ''), Spaces.get(claims.space ?? '')])
  if (!key || !space) return undefined
  return {
    accountId: claims.acc,
    actorId: claims.sub,
    role: 'embedded',
    environmentId: space.environmentId,
    spaceId: space.id,
    keyId: key.id,
  }
}

/** Imported at its first use: few requests come from guests, and every function reads this file. */
async function byGuest(
  id: string,
  token: Partial<Pick<Principal, 'spaceId' | 'fixed' | 'clipId'>>,
): Promise<Principal | undefined> {
  const { guestPrincipal, clipPrincipal } = await import('./guest-access.ts')
  return token.clipId === undefined ? guestPrincipal(id, token) : clipPrincipal(id, token.clipId)
}

/** What a principal is read anew by. */
export type Credential = Pick<Principal, 'accountId' | 'actorId' | 'role' | 'keyId' | 'tokenId' | 'spaceId'>

/** The principal as it is now; undefined once the key, token or user it came with is gone. */
export async function renewed(credential: Credential): Promise<Principal | undefined> {
  const { accountId: acc, actorId: sub, keyId: key, tokenId, spaceId: space } = credential
  switch (credential.role) {
    case 'administrator':
      return tokenId && !(await Tokens.get(tokenId)) ? undefined : byUser(sub)
    case 'embedded':
      return byEmbeddedToken({ acc, sub, key, space })
    case 'environment':
    case 'agent':
    case 'publishable': {
      const found = await Keys.get(key ?? '')
      return found && ofKey(found)
    }
    case 'singleSpaceGuest':
    case 'multiSpaceGuest':
    case 'singleWorkbookGuest':
    case 'multiWorkbookGuest':
      return byGuest(sub, { spaceId: space })
  }
}

/** May the principal do this inside its own reach? */
export const may = (principal: Principal, permission: Permission | 'spaces:create'): boolean => {
  const allowed: readonly string[] = ROLES[principal.role]
  return allowed.includes('*') || allowed.includes(permission)
}
