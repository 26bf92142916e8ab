/** Who calls: a bearer value becomes a principal by reads that are never cached, so that a revoked value fails at once. */
import { type Permission, ROLES, type Role } from '../../schemas/access.ts'
import { Keys } from '../entities/keys.ts'
import { Spaces } from '../entities/spaces.ts'
import { Tokens } from '../entities/tokens.ts'
import { Users } from '../entities/users.ts'
import { touch } from '../table/touch.ts'
import { keyIdOf, keyMatches } from './keys.ts'
import { type Claims, verify } from './signing.ts'

export interface Principal {
  accountId: string
  /** Stands as `actorId` in events and as `createdBy` on things: a user, a key or an agent. */
  actorId: string
  role: Role
  /** Set when the principal lives in one environment. */
  environmentId?: string
  /** Set when the principal lives in one space. */
  spaceId?: string
  /** The key it came with. */
  keyId?: string
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
  if (!key || !keyMatches(value, key.hash)) return undefined
  return {
    accountId: key.accountId,
    actorId: key.agentId ?? key.createdBy,
    role: ROLE_OF[key.type],
    environmentId: key.environmentId,
    keyId: key.id,
  }
}

async function byPersonalToken(id: string, value: string): Promise<Principal | undefined> {
  const token = await Tokens.get(id)
  if (!token || !keyMatches(value, token.hash)) return undefined
  const user = await Users.get(token.userId)
  if (!user) return undefined
  await touch('token', token.id, 'lastUsedAt', token.lastUsedAt)
  return { accountId: user.accountId, actorId: user.id, role: 'administrator' }
}

async function byAccessToken(value: string): Promise<Principal | undefined> {
  const claims = await verify(value)
  if (!claims) return undefined
  return claims.kind === 'embedded' ? byEmbeddedToken(claims) : byUserToken(claims)
}

async function byUserToken(claims: Claims): Promise<Principal | undefined> {
  const user = await Users.get(claims.sub)
  return user && { accountId: user.accountId, actorId: user.id, role: 'administrator' }
}

async function byEmbeddedToken(claims: Claims): Promise<Principal | undefined> {
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

/** May the principal do this inside its own reach? */
export const may = (principal: Principal, permission: Permission | 'spaces:create'): boolean => {
  const allowed: readonly string[] = ROLES[principal.role]
  return allowed.includes('*') || allowed.includes(permission)
}
