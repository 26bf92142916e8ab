/** Resolves a bearer value to a principal. Reads are never cached, so a revoked value fails immediately. */
import type { RoleAssignment } from '../../schemas/access/assignments.ts'
import {
  getAllowedPermissions,
  type Permission,
  ROLES,
  type Role,
  type Scope,
} from '../../schemas/access/permissions.ts'
import { type GuestSpace, isPartial } from '../../schemas/guests/shape.ts'
import type { AgentAccess } from '../../schemas/oauth/shape.ts'
import { lazy } from '../core/lazy.ts'
import { Agents, type StoredAgent } from '../entities/agents.ts'
import { Keys, type StoredKey } from '../entities/keys.ts'
import { Spaces } from '../entities/spaces.ts'
import { SignOns } from '../entities/sso.ts'
import { type StoredToken, Tokens } from '../entities/tokens.ts'
import { type StoredUser, Users } from '../entities/users.ts'
import { updateLastUsed } from '../table/last-used.ts'
import { matchesKeyHash, type ParsedKey, parseKey } from './keys.ts'
import { type IssuerCredential, isOpenSession } from './session.ts'
import type { Claims, SignedToken } from './signing.ts'

/** Lazy: keys need no signatures, and every function imports this file. */
const loadSigning = lazy(() => import('./signing.ts'))

export interface Principal {
  accountId: string
  /** A user, key, agent or guest; `actorId` in events and `createdBy` on resources. */
  actorId: string
  role: Role
  environmentId?: string
  spaceId?: string
  keyId?: string
  tokenId?: string
  /** Set for a connected AI agent: what its user allowed. */
  agentAccess?: AgentAccess
  /** The token is only for the MCP endpoint. */
  isForAgents?: boolean
  session?: string
  grants?: GuestSpace[]
  ignoresOwnCommits?: boolean
  /** A guest token for one space; it cannot be exchanged for another. */
  fixed?: boolean
  /** Set without an account role: limits the caller to these environments and spaces. */
  roles?: RoleAssignment[]
  link?: number
  /** Set if someone other than the guest created the token; it ends with this credential. */
  madeBy?: IssuerCredential
  /** Sign-in time, in seconds since 1970. */
  since?: number
  /** Seconds since 1970. */
  expires?: number
  /** Set for guests of a public clip link, whose address is unverified: they see only this clip. */
  clipId?: string
}

/** A bearer value with a valid form, checksum and signature. Nothing of its owner has been read yet. */
export type VerifiedBearer = { key: ParsedKey; value: string } | { signed: SignedToken }

export async function verifyBearer(value: string): Promise<VerifiedBearer | undefined> {
  const key = parseKey(value)
  if (key) return { key, value }
  if (!value.startsWith('eyJ')) return undefined
  const signed = await (await loadSigning()).verifySignature(value)
  return signed && { signed }
}

export async function loadPrincipal(bearer: VerifiedBearer): Promise<Principal | undefined> {
  if ('signed' in bearer) return authenticateAccessToken(bearer.signed)
  const { key, value } = bearer
  return key.prefix === 'pat' ? authenticatePersonalToken(key.id, value) : authenticateKey(key.id, value)
}

const ROLE_BY_KEY_TYPE = { SECRET: 'environment', PUBLISHABLE: 'publishable', AGENT: 'agent' } as const

async function authenticateKey(id: string, value: string): Promise<Principal | undefined> {
  return loadKeyPrincipal(id, ({ hash }) => matchesKeyHash(value, hash))
}

const MAX_KNOWN_KEYS = 10_000
/** The agent of a key never changes, so that the agent is read together with the key. */
const agentIds = new Map<string, string>()

async function loadKeyPrincipal(id = '', isValid = (_: StoredKey): boolean => true): Promise<Principal | undefined> {
  const agentId = agentIds.get(id)
  const [key, knownAgent] = await Promise.all([Keys.get(id), agentId === undefined ? undefined : Agents.get(agentId)])
  if (!key || !isValid(key)) return undefined
  const principal: Principal = {
    accountId: key.accountId,
    actorId: key.agentId ?? key.createdBy,
    role: ROLE_BY_KEY_TYPE[key.type],
    environmentId: key.environmentId,
    keyId: key.id,
  }
  if (key.agentId === undefined) return principal
  const agent = agentId === undefined ? await loadAgentOf(key.id, key.agentId) : knownAgent
  return (
    agent && {
      ...principal,
      ...(agent.actorRoles ? { roles: agent.actorRoles } : {}),
      ...(agent.ignoreOwnCommits ? { ignoresOwnCommits: true } : {}),
    }
  )
}

function loadAgentOf(keyId: string, agentId: string): Promise<StoredAgent | undefined> {
  if (agentIds.size >= MAX_KNOWN_KEYS) agentIds.clear()
  agentIds.set(keyId, agentId)
  return Agents.get(agentId)
}

async function authenticatePersonalToken(id: string, value: string): Promise<Principal | undefined> {
  const token = await Tokens.get(id)
  // The value of a connection is a refresh token, which only POST /oauth/token accepts.
  if (!token || token.connection || !matchesKeyHash(value, token.hash)) return undefined
  const user = await Users.get(token.userId)
  if (!user) return undefined
  await updateLastUsed('token', token.id, 'lastUsedAt', token.lastUsedAt)
  return { ...toUserPrincipal(user), tokenId: token.id }
}

async function authenticateAccessToken({ claims, kid }: SignedToken): Promise<Principal | undefined> {
  const { isCurrentKey } = await loadSigning()
  const [found, current] = await Promise.all([authenticateSubject(claims), isCurrentKey(kid)])
  if (!found || !current) return undefined
  await found.recordUse?.()
  const { exp, iat, auth_time: since = iat } = claims
  return {
    ...found.principal,
    ...(since === undefined ? {} : { since }),
    ...(exp === undefined ? {} : { expires: exp }),
    ...(claims.aud === undefined ? {} : { isForAgents: true }),
  }
}

interface Authenticated {
  principal: Principal
  /** Called only once the rest of the token is valid. */
  recordUse?: () => Promise<void>
}

async function authenticateSubject(claims: Claims): Promise<Authenticated | undefined> {
  const { acc, sub, key, space, link, madeBy } = claims
  switch (claims.kind) {
    case 'user':
      return authenticateUser({ accountId: acc, userId: sub, tokenId: claims.pat, session: claims.ses })
    case 'embedded':
      return authenticateEmbeddedToken({ acc, sub, key, space })
    case 'guest':
      return authenticateGuest({
        accountId: acc,
        actorId: sub,
        environmentId: claims.env,
        spaceId: space,
        fixed: claims.fixed,
        link,
        clipId: claims.clip,
        madeBy,
      })
    case 'subscription':
      return undefined
  }
}

interface UserCredential {
  accountId: string
  userId: string
  tokenId?: string | undefined
  session?: string | undefined
}

async function authenticateUser({
  accountId,
  userId,
  tokenId,
  session,
}: UserCredential): Promise<Authenticated | undefined> {
  if (tokenId !== undefined) {
    const [user, token] = await Promise.all([Users.get(userId), Tokens.get(tokenId)])
    if (!user || token?.userId !== userId) return undefined
    return {
      principal: { ...restrictToConnection(toUserPrincipal(user), token), tokenId },
      recordUse: () => updateLastUsed('token', tokenId, 'lastUsedAt', token.lastUsedAt),
    }
  }
  const [user, signOn] = await Promise.all([Users.get(userId), SignOns.get(accountId)])
  if (!user || session === undefined || !isOpenSession(session, user, signOn)) return undefined
  return {
    principal: { ...toUserPrincipal(user), session },
    recordUse: () => updateLastUsed('user', userId, 'lastSeenAt', user.lastSeenAt),
  }
}

/** An account role makes the user an administrator, whatever other roles it has. */
const toUserPrincipal = ({ accountId, id: actorId, actorRoles }: StoredUser): Principal =>
  actorRoles.some(isAccountRole)
    ? { accountId, actorId, role: 'administrator' }
    : { accountId, actorId, role: 'member', roles: actorRoles }

/** A connected agent has at most the role `agent`, or `reader`, and only in its environment. */
function restrictToConnection(principal: Principal, { id, connection, createdAt }: StoredToken): Principal {
  if (!connection) return principal
  const { environmentId, access } = connection
  const limit = access === 'read' ? 'reader' : 'agent'
  const roles: RoleAssignment[] = principal.roles
    ? principal.roles
        .filter((assignment) => assignment.environmentId === environmentId)
        .map((assignment) => ({ ...assignment, role: assignment.role === 'reader' ? 'reader' : limit }))
    : [{ id, role: limit, environmentId, createdAt }]
  return { ...principal, role: 'member', roles, agentAccess: access }
}

export const isAccountRole = ({ environmentId }: RoleAssignment): boolean => environmentId === undefined

async function authenticateEmbeddedToken(
  claims: Pick<Claims, 'acc' | 'sub' | 'key' | 'space'>,
): Promise<Authenticated | undefined> {
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

const loadGuestAccess = lazy(() => import('./guest-principal.ts'))

async function authenticateGuest(credential: Omit<Credential, 'role'>): Promise<Authenticated | undefined> {
  const { loadGuestPrincipal, loadClipPrincipal } = await loadGuestAccess()
  const { madeBy, clipId } = credential
  const [guest, issuer] = await Promise.all([
    clipId === undefined ? loadGuestPrincipal(credential) : loadClipPrincipal(credential, clipId),
    madeBy && authenticateIssuer(credential.accountId, madeBy),
  ])
  if (!guest || !madeBy) return guest && { principal: guest }
  const grants = guest.grants.filter((grant) => issuer && mayInvite(issuer, guest, grant))
  return grants.length > 0 ? { principal: { ...guest, grants, madeBy } } : undefined
}

async function authenticateIssuer(accountId: string, madeBy: IssuerCredential): Promise<Principal | undefined> {
  if (!('keyId' in madeBy)) return (await authenticateUser({ accountId, ...madeBy }))?.principal
  return loadKeyPrincipal(madeBy.keyId)
}

const mayInvite = (issuer: Principal, { accountId, environmentId }: Principal, { id: spaceId }: GuestSpace): boolean =>
  may(issuer, 'invitations:write', { accountId, environmentId, spaceId })

type CredentialFields = Pick<
  Principal,
  'environmentId' | 'spaceId' | 'keyId' | 'tokenId' | 'session' | 'fixed' | 'link' | 'clipId' | 'madeBy'
>
export type Credential = Pick<Principal, 'accountId' | 'actorId' | 'role'> & {
  [K in keyof CredentialFields]?: CredentialFields[K] | undefined
}

/** Undefined once the key, token, session, link or actor is gone. */
export async function reauthenticate(credential: Credential): Promise<Principal | undefined> {
  const { accountId, actorId, keyId } = credential
  switch (credential.role) {
    case 'administrator':
    case 'member': {
      const { tokenId, session } = credential
      const found = await authenticateUser({ accountId, userId: actorId, tokenId, session })
      await found?.recordUse?.()
      return found?.principal
    }
    case 'embedded':
      return (await authenticateEmbeddedToken({ acc: accountId, sub: actorId, key: keyId, space: credential.spaceId }))
        ?.principal
    case 'environment':
    case 'agent':
    case 'publishable':
      return loadKeyPrincipal(keyId)
    case 'singleSpaceGuest':
    case 'multiSpaceGuest':
    case 'singleWorkbookGuest':
    case 'multiWorkbookGuest':
      return (await authenticateGuest(credential))?.principal
  }
}

export type RequestedPermission = Permission | 'spaces:create'

const includesPermission = (allowed: readonly string[], permission: RequestedPermission): boolean =>
  allowed.includes('*') || allowed.includes(permission)

const roleAllows = ({ role, spaceId }: RoleAssignment, permission: RequestedPermission): boolean =>
  includesPermission(getAllowedPermissions(role, spaceId === undefined ? 'environment' : 'space'), permission)

const grantAllows = (grant: GuestSpace, permission: RequestedPermission): boolean =>
  includesPermission(ROLES[isPartial(grant) ? 'singleWorkbookGuest' : 'singleSpaceGuest'], permission)

export interface ResourceLocation {
  accountId: string
  environmentId?: string | undefined
  spaceId?: string | undefined
  workbookId?: string | undefined
  sheetId?: string | undefined
}

export const roleApplies = ({ environmentId, spaceId }: RoleAssignment, location: ResourceLocation): boolean =>
  spaceId === undefined ? environmentId === location.environmentId : spaceId === location.spaceId

/** Without a location: is it allowed anywhere? */
export function may(
  { role, roles, grants }: Principal,
  permission: RequestedPermission,
  location?: ResourceLocation,
): boolean {
  if (grants)
    return grants.some(
      (grant) => grantAllows(grant, permission) && (location === undefined || grant.id === location.spaceId),
    )
  if (!roles) return includesPermission(ROLES[role], permission)
  return roles.some(
    (assignment) => roleAllows(assignment, permission) && (location === undefined || roleApplies(assignment, location)),
  )
}

/** Roles on environments and spaces do not apply to these. */
const ABOVE_ENVIRONMENTS: readonly Scope[] = ['account', 'user', 'token']

/** The principal reduced to the roles or grants that have the permission; undefined if none do. */
export function restrictTo(principal: Principal, permission: RequestedPermission, scope: Scope): Principal | undefined {
  if (principal.grants) {
    const grants = principal.grants.filter((grant) => grantAllows(grant, permission))
    if (grants.length === principal.grants.length) return principal
    return grants.length > 0 ? { ...principal, grants } : undefined
  }
  if (!principal.roles) return includesPermission(ROLES[principal.role], permission) ? principal : undefined
  if (ABOVE_ENVIRONMENTS.includes(scope)) {
    const isAllowed = principal.agentAccess
      ? permission === 'account:read'
      : includesPermission(ROLES.member, permission)
    return isAllowed ? principal : undefined
  }
  const roles = principal.roles.filter((role) => roleAllows(role, permission))
  return roles.length > 0 ? { ...principal, roles } : undefined
}
