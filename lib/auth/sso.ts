/** Single sign-on by OpenID Connect (code flow with PKCE); its state is in an encrypted browser cookie. */

import * as client from 'openid-client'
import { message } from '../../schemas/messages/index.ts'
import { decrypt, encrypt } from '../core/crypto.ts'
import { conflict, forbidden, unauthenticated } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { safeFetch } from '../core/safe-fetch.ts'
import { AuditLog } from '../entities/audit.ts'
import { SignOns, type StoredSignOn } from '../entities/sso.ts'
import { UserChanges } from '../entities/user-changes.ts'
import { type StoredUser, Users } from '../entities/users.ts'
import { begin } from '../tx.ts'
import { getCallbackUrl } from './links.ts'
import { deriveSignOnSession } from './session.ts'

const SIGN_IN_SECONDS = 600
const RESPONSE_LIMITS = { timeoutMs: 8000, maxResponseBytes: 512 * 1024 }
const COOKIE_CONTEXT = 'sso sign-in'

type Settings = Pick<StoredSignOn, 'issuer' | 'clientId' | 'trustEmails'> & { clientSecret?: string | undefined }

const decryptSettings = ({ id, issuer, clientId, trustEmails, sealedSecret }: StoredSignOn): Settings => ({
  issuer,
  clientId,
  trustEmails,
  clientSecret: sealedSecret && decrypt(sealedSecret, id),
})

export async function discoverProvider({ issuer, clientId, clientSecret }: Settings): Promise<client.Configuration> {
  const options: client.DiscoveryRequestOptions = {
    [client.customFetch]: providerFetch,
    // {@link providerFetch} allows plain HTTP only to this machine.
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
  }
  const authentication = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret)
  try {
    return await client.discovery(new URL(issuer), clientId, undefined, authentication, options)
  } catch (error) {
    throw conflict(message('access.noIdentityProvider', { issuer, reason: (error as Error).message }))
  }
}

/** Users choose the provider's address, so it gets the checks of all outbound requests. */
const providerFetch: client.CustomFetch = async (url, { method, headers, body }) => {
  const text = body === undefined || body === null ? undefined : String(body)
  const response = await safeFetch({
    url,
    headers,
    ...(method === 'GET' ? {} : { body: text ?? '' }),
    ...RESPONSE_LIMITS,
  })
  return new Response(new Uint8Array(response.body), {
    status: response.status,
    headers: { 'content-type': response.type },
  })
}

interface SignIn {
  accountId: string
  state: string
  nonce: string
  verifier: string
  pageState?: string | undefined
  /** Seconds since 1970. */
  expires: number
}

/** Throws 409 for an account without single sign-on. */
export async function startSignIn(
  accountId: string,
  pageState?: string,
): Promise<{ location: string; cookie: string }> {
  const signOn = await SignOns.get(accountId)
  if (!signOn) throw conflict(message('access.noSingleSignOn'))
  const provider = await discoverProvider(decryptSettings(signOn))
  const signIn: SignIn = {
    accountId,
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    pageState,
    expires: Math.floor(Date.now() / 1000) + SIGN_IN_SECONDS,
  }
  const location = client.buildAuthorizationUrl(provider, {
    redirect_uri: getCallbackUrl(),
    scope: 'openid email profile',
    state: signIn.state,
    nonce: signIn.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(signIn.verifier),
    code_challenge_method: 'S256',
  })
  return {
    location: location.href,
    cookie: buildCookie(encrypt(JSON.stringify(signIn), COOKIE_CONTEXT), SIGN_IN_SECONDS),
  }
}

const COOKIE = 'wharf_sign_in'

function buildCookie(value: string, seconds: number): string {
  const { protocol, pathname } = new URL(getCallbackUrl())
  const secure = protocol === 'https:' ? '; Secure' : ''
  return `${COOKIE}=${value}; Max-Age=${seconds}; Path=${pathname}; HttpOnly; SameSite=Lax${secure}`
}

export const buildExpiredCookie = (): string => buildCookie('', 0)

function parseSignIn(cookies: readonly string[]): SignIn {
  const value = cookies.map((cookie) => cookie.trim()).find((cookie) => cookie.startsWith(`${COOKIE}=`))
  try {
    const signIn = JSON.parse(decrypt(value!.slice(COOKIE.length + 1), COOKIE_CONTEXT)) as SignIn
    if (signIn.expires * 1000 > Date.now()) return signIn
  } catch {}
  throw conflict(message('access.signInNotStartedHere'))
}

export const parsePageState = (cookies: readonly string[]): string | undefined => parseSignIn(cookies).pageState

/** @throws 409 if not started in this browser, 401 if the provider rejects it, 403 without a matching user */
export async function finishSignIn(
  query: string,
  cookies: readonly string[],
  address: string,
): Promise<{ user: StoredUser; session: string }> {
  const { accountId, state, nonce, verifier } = parseSignIn(cookies)
  const signOn = await SignOns.get(accountId)
  if (!signOn) throw conflict(message('access.noSingleSignOn'))
  const provider = await discoverProvider(decryptSettings(signOn))
  const identity = await verifyIdentity(provider, new URL(`${getCallbackUrl()}?${query}`), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
  })
  const user = await findUser(signOn, identity, address)
  return { user, session: deriveSignOnSession(user, signOn) }
}

interface Identity {
  sub: string
  email?: string | undefined
  isEmailVerified: boolean
}

async function verifyIdentity(
  provider: client.Configuration,
  url: URL,
  checks: client.AuthorizationCodeGrantChecks,
): Promise<Identity> {
  try {
    const tokens = await client.authorizationCodeGrant(provider, url, { ...checks, idTokenExpected: true })
    const claims = tokens.claims()!
    const userInfo = claims.email ? claims : await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
    const { email, email_verified } = userInfo
    return {
      sub: claims.sub,
      email: typeof email === 'string' ? email : undefined,
      isEmailVerified: email_verified === true,
    }
  } catch (error) {
    log.warn('A sign-in was rejected', { error: error as Error })
    throw unauthenticated(message('access.signInRejected'))
  }
}

/** The first sign-in matches by email, which must be verified: some providers let anyone enter any address. */
async function findUser(signOn: StoredSignOn, identity: Identity, address: string): Promise<StoredUser> {
  const { id: accountId, issuer } = signOn
  const idpRef = `${issuer}#${identity.sub}`
  const existing = await Users.byIdpRef(accountId, idpRef)
  if (existing) return existing
  const invited = await findInvitedUser(signOn, identity)
  if (!invited || invited.idpRef?.startsWith(`${issuer}#`)) throw forbidden(message('access.notAUserOfAccount'))
  const tx = begin({ accountId, actorId: invited.id })
  const { invite: _, rev: __, ...fields } = invited
  const after = { ...fields, idp: 'oidc', idpRef, updatedAt: tx.now }
  await UserChanges.change(tx, invited, after)
  AuditLog.add(tx, {
    action: 'auth.ssoCallback',
    role: 'invited',
    address,
    resources: [invited.id],
    before: invited,
    after,
  })
  await tx.commit()
  return { ...after, rev: invited.rev + 1 }
}

async function findInvitedUser(
  { id: accountId, trustEmails }: StoredSignOn,
  { email, isEmailVerified }: Identity,
): Promise<StoredUser | undefined> {
  if (email === undefined) return undefined
  if (!isEmailVerified && !trustEmails) throw forbidden(message('access.emailNotVerified'))
  return Users.byEmail(accountId, email)
}

export async function configureSignOn(
  tx: ReturnType<typeof begin>,
  accountId: string,
  settings: Settings,
): Promise<Settings> {
  await discoverProvider(settings)
  const before = await SignOns.get(accountId)
  const { issuer, clientId, clientSecret, trustEmails } = settings
  const after = {
    id: accountId,
    issuer,
    clientId,
    trustEmails,
    ...(clientSecret === undefined ? {} : { sealedSecret: encrypt(clientSecret, accountId) }),
    createdAt: before?.createdAt ?? tx.now,
    updatedAt: tx.now,
  }
  tx.write(before ? SignOns.replace(before, after) : SignOns.create(after))
  return settings
}
