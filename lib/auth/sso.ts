/**
 * Single sign-on by OpenID Connect: authorization code with PKCE at the account's own provider, found by discovery. What a sign-in
 * needs to be told apart from a forged one travels sealed in a cookie of the browser that began it. The provider vouches for
 * users of its account alone, and for those who were invited.
 */
import * as client from 'openid-client'
import { conflict, forbidden, unauthenticated } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { ask } from '../core/outbound.ts'
import { AuditLog } from '../entities/audit.ts'
import { SignOns, type StoredSignOn } from '../entities/sso.ts'
import { UserChanges } from '../entities/user-changes.ts'
import { type StoredUser, Users } from '../entities/users.ts'
import { begin } from '../tx.ts'
import { callbackUrl } from './links.ts'
import { seal, unseal } from './secrets.ts'
import { signOnSession } from './session.ts'

/** A sign-in takes at most so long. */
const SIGN_IN_SECONDS = 600
/** Providers answer small documents, and soon. */
const ANSWER = { timeoutMs: 8000, answerBytes: 512 * 1024 }
const SEALED_FOR = 'sso sign-in'

type Settings = Pick<StoredSignOn, 'issuer' | 'clientId' | 'trustEmails'> & { clientSecret?: string | undefined }

const settingsOf = ({ id, issuer, clientId, trustEmails, sealedSecret }: StoredSignOn): Settings => ({
  issuer,
  clientId,
  trustEmails,
  clientSecret: sealedSecret && unseal(sealedSecret, id),
})

/** The provider as it describes itself. @throws 409 when it cannot be reached, or is none */
export async function providerOf({ issuer, clientId, clientSecret }: Settings): Promise<client.Configuration> {
  const options: client.DiscoveryRequestOptions = {
    [client.customFetch]: guardedFetch,
    // Plain HTTP is for this machine itself: guardedFetch sees to that.
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
  }
  const authentication = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret)
  try {
    return await client.discovery(new URL(issuer), clientId, undefined, authentication, options)
  } catch (error) {
    throw conflict(`There is no OpenID provider at ${issuer}: ${(error as Error).message}`)
  }
}

/** Requests to the provider go where requests to addresses that users chose may go. */
const guardedFetch: client.CustomFetch = async (url, { method, headers, body }) => {
  const text = body === undefined || body === null ? undefined : String(body)
  const answer = await ask({ url, headers, ...(method === 'GET' ? {} : { body: text ?? '' }), ...ANSWER })
  return new Response(new Uint8Array(answer.body), { status: answer.status, headers: { 'content-type': answer.type } })
}

interface SignIn {
  accountId: string
  state: string
  nonce: string
  verifier: string
  /** What the page that started the sign-in knows it by. */
  pageState?: string | undefined
  /** Seconds since 1970. */
  expires: number
}

/** Where the browser goes to sign in, and the cookie it keeps meanwhile. @throws 409 for an account without single sign-on */
export async function beginSignIn(
  accountId: string,
  pageState?: string,
): Promise<{ location: string; cookie: string }> {
  const signOn = await SignOns.get(accountId)
  if (!signOn) throw conflict('This account has no single sign-on.')
  const provider = await providerOf(settingsOf(signOn))
  const signIn: SignIn = {
    accountId,
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    pageState,
    expires: Math.floor(Date.now() / 1000) + SIGN_IN_SECONDS,
  }
  const location = client.buildAuthorizationUrl(provider, {
    redirect_uri: callbackUrl(),
    scope: 'openid email profile',
    state: signIn.state,
    nonce: signIn.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(signIn.verifier),
    code_challenge_method: 'S256',
  })
  return { location: location.href, cookie: cookieOf(seal(JSON.stringify(signIn), SEALED_FOR), SIGN_IN_SECONDS) }
}

const COOKIE = 'wharf_sign_in'

function cookieOf(value: string, seconds: number): string {
  const { protocol, pathname } = new URL(callbackUrl())
  const secure = protocol === 'https:' ? '; Secure' : ''
  return `${COOKIE}=${value}; Max-Age=${seconds}; Path=${pathname}; HttpOnly; SameSite=Lax${secure}`
}

/** Takes the cookie away again. */
export const spentCookie = (): string => cookieOf('', 0)

function signInOf(cookies: readonly string[]): SignIn {
  const value = cookies.map((cookie) => cookie.trim()).find((cookie) => cookie.startsWith(`${COOKIE}=`))
  try {
    const signIn = JSON.parse(unseal(value!.slice(COOKIE.length + 1), SEALED_FOR)) as SignIn
    if (signIn.expires * 1000 > Date.now()) return signIn
  } catch {
    // None, or forged.
  }
  throw conflict('This sign-in was not begun in this browser, or took too long: begin again.')
}

/** The state of the page that started the sign-in. @throws 409 for a sign-in that was not started in this browser */
export const pageStateOf = (cookies: readonly string[]): string | undefined => signInOf(cookies).pageState

/**
 * Who came back from the provider.
 * @param query as it came
 * @param address where the request came from
 * @throws 409 for a sign-in that was not begun here, 401 when the provider does not vouch, 403 for one who is no user
 */
export async function endSignIn(
  query: string,
  cookies: readonly string[],
  address: string,
): Promise<{ user: StoredUser; session: string }> {
  const { accountId, state, nonce, verifier } = signInOf(cookies)
  const signOn = await SignOns.get(accountId)
  if (!signOn) throw conflict('This account has no single sign-on.')
  const provider = await providerOf(settingsOf(signOn))
  const person = await vouchedFor(provider, new URL(`${callbackUrl()}?${query}`), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
  })
  const user = await userOf(signOn, person, address)
  return { user, session: signOnSession(user, signOn) }
}

interface Person {
  sub: string
  email?: string | undefined
  /** The provider says that the address is the person's. */
  isProven: boolean
}

async function vouchedFor(
  provider: client.Configuration,
  url: URL,
  checks: client.AuthorizationCodeGrantChecks,
): Promise<Person> {
  try {
    const tokens = await client.authorizationCodeGrant(provider, url, { ...checks, idTokenExpected: true })
    const claims = tokens.claims()!
    const told = claims.email ? claims : await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
    const { email, email_verified } = told
    return {
      sub: claims.sub,
      email: typeof email === 'string' ? email : undefined,
      isProven: email_verified === true,
    }
  } catch (error) {
    log.warn('A sign-in was refused', { error: error as Error })
    throw unauthenticated('The provider does not vouch for this sign-in.')
  }
}

/**
 * By the provider's own id, once it is known; the first time at a provider by the address the user was invited with, which must
 * be proven: where anybody may write any address into a profile, it says nothing of who the person is.
 */
async function userOf(signOn: StoredSignOn, person: Person, address: string): Promise<StoredUser> {
  const { id: accountId, issuer } = signOn
  const idpRef = `${issuer}#${person.sub}`
  const known = await Users.byIdpRef(accountId, idpRef)
  if (known) return known
  const invited = await invitedUser(signOn, person)
  if (!invited || invited.idpRef?.startsWith(`${issuer}#`))
    throw forbidden('You are no user of this account: ask an administrator to invite you.')
  const tx = begin({ accountId, actorId: invited.id })
  const { invite: _, rev: __, ...rest } = invited
  const after = { ...rest, idp: 'oidc', idpRef, updatedAt: tx.now }
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

/** @throws 403 where the provider does not say that the address is the person's */
async function invitedUser(
  { id: accountId, trustEmails }: StoredSignOn,
  { email, isProven }: Person,
): Promise<StoredUser | undefined> {
  if (email === undefined) return undefined
  if (!isProven && !trustEmails)
    throw forbidden('The provider does not say that your address is proven (the claim email_verified).')
  return Users.byEmail(accountId, email)
}

/** Configures it anew, once the provider was met. */
export async function configure(
  tx: ReturnType<typeof begin>,
  accountId: string,
  settings: Settings,
): Promise<Settings> {
  await providerOf(settings)
  const before = await SignOns.get(accountId)
  const { issuer, clientId, clientSecret, trustEmails } = settings
  const after = {
    id: accountId,
    issuer,
    clientId,
    trustEmails,
    ...(clientSecret === undefined ? {} : { sealedSecret: seal(clientSecret, accountId) }),
    createdAt: before?.createdAt ?? tx.now,
    updatedAt: tx.now,
  }
  tx.write(before ? SignOns.replace(before, after) : SignOns.create(after))
  return settings
}
