/** Authentication over HTTP: credentials for a token, environment keys, personal access tokens. */

import { addKey, shownKey } from '../lib/auth/environment-keys.ts'
import { administratorToken, refreshedToken } from '../lib/auth/exchange.ts'
import { publicKeys } from '../lib/auth/signing-keys.ts'
import { addToken } from '../lib/auth/users.ts'
import { forbidden, notFound } from '../lib/core/errors.ts'
import { Keys } from '../lib/entities/keys.ts'
import { Tokens } from '../lib/entities/tokens.ts'
import { addressOf } from '../lib/http/request.ts'
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

export const handler = lambda(
  exchange,
  refresh,
  signingKeys,
  listKeys,
  publishableKey,
  createKey,
  removeKey,
  listTokens,
  createToken,
  removeToken,
)
