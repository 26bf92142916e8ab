/** Authentication over HTTP: token exchange, environment keys, personal access tokens, single sign-on. */

import { addEnvironmentKey, serializeKey } from '../lib/auth/environment-keys.ts'
import { issueAdministratorToken, issueUserToken, refreshToken } from '../lib/auth/exchange.ts'
import { buildSignedInPageLink, buildSignInPageLink, buildSsoStartLink, getCallbackUrl } from '../lib/auth/links.ts'
import { getPublicKeys } from '../lib/auth/signing-keys.ts'
import { addPersonalToken } from '../lib/auth/users.ts'
import { env } from '../lib/core/env.ts'
import { forbidden, invalidField, notFound } from '../lib/core/errors.ts'
import { lazy } from '../lib/core/lazy.ts'
import { findUrlProblem } from '../lib/core/safe-fetch.ts'
import { AuditLog } from '../lib/entities/audit.ts'
import { Keys } from '../lib/entities/keys.ts'
import { SignOns, type StoredSignOn } from '../lib/entities/sso.ts'
import { Tokens } from '../lib/entities/tokens.ts'
import { getClientAddress } from '../lib/http/address.ts'
import { Bytes } from '../lib/http/response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as auth from '../schemas/auth/endpoints.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'

export const exchange = serve(auth.exchange)(({ body, request }) =>
  issueAdministratorToken(body, getClientAddress(request)),
)

export const refresh = serve(auth.refresh)(({ body }) => refreshToken(body))

export const signingKeys = serve(auth.signingKeys)(async () => {
  const body = JSON.stringify({ keys: await getPublicKeys() })
  return new Bytes(Buffer.from(body), { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' })
})

export const listKeys = serve(auth.listKeys)(async ({ environment }) => ({
  data: (await Keys.inEnvironment(environment.id)).map(serializeKey),
}))

export const publishableKey = serve(auth.publishableKey)(async ({ environment }) => {
  const key = (await Keys.inEnvironment(environment.id)).find(({ type }) => type === 'PUBLISHABLE')
  if (!key) throw notFound('publishableKey', environment.id)
  return { data: serializeKey(key) }
})

export const createKey = serve(auth.createKey)(async ({ environment, query, tx }) => ({
  data: [addEnvironmentKey(tx, environment.id, query.type)],
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
    throw forbidden(message('access.onlyUsersHaveTokens'))
  const owner = { accountId: caller.accountId, userId: caller.actorId }
  const { value, token } = await addPersonalToken(tx, owner, body.name)
  return { data: { token: value, personalAccessToken: token } }
})

export const removeToken = serve(auth.removeToken)(async ({ token, tx }) => {
  tx.write(Tokens.remove(token))
  return success
})

const serializeSignOn = (
  { issuer, clientId, trustEmails }: Pick<StoredSignOn, 'issuer' | 'clientId' | 'trustEmails'>,
  accountId: string,
) => ({
  issuer,
  clientId,
  trustEmails,
  callbackUrl: getCallbackUrl(),
  signInUrl: buildSsoStartLink(accountId),
})

async function getSignOn(account: { id: string }): Promise<StoredSignOn> {
  const found = await SignOns.get(account.id)
  if (!found) throw notFound('signOn', account.id)
  return found
}

const importSso = lazy(() => import('../lib/auth/sso.ts'))

export const ssoSettings = serve(auth.ssoSettings)(async ({ account }) => ({
  data: serializeSignOn(await getSignOn(account), account.id),
}))

export const ssoConfigure = serve(auth.ssoConfigure)(async ({ account, body, tx }) => {
  const problem = findUrlProblem(body.issuer)
  if (problem) throw invalidField('issuer', problem)
  return { data: serializeSignOn(await (await importSso()).configureSignOn(tx, account.id, body), account.id) }
})

export const ssoRemove = serve(auth.ssoRemove)(async ({ account, tx }) => {
  tx.write(SignOns.remove(await getSignOn(account)))
  return success
})

const redirect = (location: string, cookie?: string) =>
  new Bytes(
    Buffer.alloc(0),
    { 'content-type': 'text/plain', location, ...(cookie ? { 'set-cookie': cookie } : {}) },
    302,
  )

export const ssoStart = serve(auth.ssoStart)(async ({ query }) => {
  // A sign-in must start on a page that can recognize its own state.
  if (query.state === undefined && env().CONSOLE_URL) return redirect(buildSignInPageLink(query.accountId))
  const { location, cookie } = await (await importSso()).startSignIn(query.accountId, query.state)
  return redirect(location, cookie)
})

export const ssoCallback = serve(auth.ssoCallback)(async ({ request }) => {
  const { finishSignIn, parsePageState, buildExpiredCookie } = await importSso()
  const cookies = request.event.cookies ?? []
  const { user, session } = await finishSignIn(request.event.rawQueryString, cookies, getClientAddress(request))
  const token = await issueUserToken(user, { ses: session })
  const state = parsePageState(cookies)
  if (state || env().CONSOLE_URL) return redirect(buildSignedInPageLink(token.accessToken, state), buildExpiredCookie())
  const body = Buffer.from(JSON.stringify(token))
  return new Bytes(body, { 'content-type': 'application/json', 'set-cookie': buildExpiredCookie() })
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
