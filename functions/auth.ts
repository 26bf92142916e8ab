/** Authentication over HTTP: credentials for a token, environment keys, personal access tokens. */

import { addKey, shownKey } from '../lib/auth/environment-keys.ts'
import { administratorToken, refreshedToken, userToken } from '../lib/auth/exchange.ts'
import { callbackUrl, signedInPage, signInLink, signInPage } from '../lib/auth/links.ts'
import { publicKeys } from '../lib/auth/signing-keys.ts'
import { addToken } from '../lib/auth/users.ts'
import { env } from '../lib/core/env.ts'
import { forbidden, invalidField, notFound } from '../lib/core/errors.ts'
import { onDemand } from '../lib/core/on-demand.ts'
import { urlProblem } from '../lib/core/outbound.ts'
import { AuditLog } from '../lib/entities/audit.ts'
import { Keys } from '../lib/entities/keys.ts'
import { SignOns, type StoredSignOn } from '../lib/entities/sso.ts'
import { Tokens } from '../lib/entities/tokens.ts'
import { addressOf } from '../lib/http/address.ts'
import { Bytes } from '../lib/http/respond.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as auth from '../schemas/auth.ts'
import { success } from '../schemas/page.ts'

export const exchange = serve(auth.exchange)(({ body, request }) => administratorToken(body, addressOf(request)))

export const refresh = serve(auth.refresh)(({ body }) => refreshedToken(body))

export const signingKeys = serve(auth.signingKeys)(async () => {
  const body = JSON.stringify({ keys: await publicKeys() })
  return new Bytes(Buffer.from(body), { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' })
})

export const listKeys = serve(auth.listKeys)(async ({ environment }) => ({
  data: (await Keys.inEnvironment(environment.id)).map(shownKey),
}))

export const publishableKey = serve(auth.publishableKey)(async ({ environment }) => {
  const key = (await Keys.inEnvironment(environment.id)).find(({ type }) => type === 'PUBLISHABLE')
  if (!key) throw notFound('publishable key in environment', environment.id)
  return { data: shownKey(key) }
})

export const createKey = serve(auth.createKey)(async ({ environment, query, tx }) => ({
  data: [addKey(tx, environment.id, query.type)],
}))

export const removeKey = serve(auth.removeKey)(async ({ environment, query, tx }) => {
  const key = await Keys.get(query.key.split('_').slice(0, 2).join('_'))
  if (!key || key.environmentId !== environment.id || key.type === 'AGENT') throw notFound('key', query.key)
  tx.write(Keys.remove(key))
  return success
})

export const listTokens = serve(auth.listTokens)(async ({ caller }) => ({ data: await Tokens.ofUser(caller.actorId) }))

export const createToken = serve(auth.createToken)(async ({ caller, body, tx }) => {
  if (caller.role !== 'administrator' && caller.role !== 'member')
    throw forbidden('Personal access tokens belong to users.')
  const owner = { accountId: caller.accountId, userId: caller.actorId }
  const { value, token } = await addToken(tx, owner, body.name)
  return { data: { token: value, personalAccessToken: token } }
})

export const removeToken = serve(auth.removeToken)(async ({ token, tx }) => {
  tx.write(Tokens.remove(token))
  return success
})

const shownSignOn = (
  { issuer, clientId, trustEmails }: Pick<StoredSignOn, 'issuer' | 'clientId' | 'trustEmails'>,
  accountId: string,
) => ({
  issuer,
  clientId,
  trustEmails,
  callbackUrl: callbackUrl(),
  signInUrl: signInLink(accountId),
})

async function signOnOf(account: { id: string }): Promise<StoredSignOn> {
  const found = await SignOns.get(account.id)
  if (!found) throw notFound('single sign-on of', account.id)
  return found
}

/** Few accounts have it. */
const signingOn = onDemand(() => import('../lib/auth/sso.ts'))

export const ssoSettings = serve(auth.ssoSettings)(async ({ account }) => ({
  data: shownSignOn(await signOnOf(account), account.id),
}))

export const ssoConfigure = serve(auth.ssoConfigure)(async ({ account, body, tx }) => {
  const problem = urlProblem(body.issuer)
  if (problem) throw invalidField('issuer', problem)
  return { data: shownSignOn(await (await signingOn()).configure(tx, account.id, body), account.id) }
})

export const ssoRemove = serve(auth.ssoRemove)(async ({ account, tx }) => {
  tx.write(SignOns.remove(await signOnOf(account)))
  return success
})

const redirect = (location: string, cookie?: string) =>
  new Bytes(
    Buffer.alloc(0),
    { 'content-type': 'text/plain', location, ...(cookie ? { 'set-cookie': cookie } : {}) },
    302,
  )

export const ssoStart = serve(auth.ssoStart)(async ({ query }) => {
  // A sign-in starts at a page that can tell its own from somebody else's.
  if (query.state === undefined && env().CONSOLE_URL) return redirect(signInPage(query.accountId))
  const { location, cookie } = await (await signingOn()).beginSignIn(query.accountId, query.state)
  return redirect(location, cookie)
})

export const ssoCallback = serve(auth.ssoCallback)(async ({ request }) => {
  const { endSignIn, pageStateOf, spentCookie } = await signingOn()
  const cookies = request.event.cookies ?? []
  const { user, session } = await endSignIn(request.event.rawQueryString, cookies, addressOf(request))
  const token = await userToken(user, { ses: session })
  const state = pageStateOf(cookies)
  if (state || env().CONSOLE_URL) return redirect(signedInPage(token.accessToken, state), spentCookie())
  const body = Buffer.from(JSON.stringify(token))
  return new Bytes(body, { 'content-type': 'application/json', 'set-cookie': spentCookie() })
})

export const audit = serve(auth.audit)(({ account, query }) => AuditLog.page(account.id, query, query.pageSize))

export const handler = lambda(
  exchange,
  refresh,
  signingKeys,
  ssoSettings,
  ssoConfigure,
  ssoRemove,
  ssoStart,
  ssoCallback,
  audit,
  listKeys,
  publishableKey,
  createKey,
  removeKey,
  listTokens,
  createToken,
  removeToken,
)
