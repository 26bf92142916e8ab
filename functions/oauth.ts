/** OAuth 2.1 over HTTP, for AI agents that users connect. */
import { loadScope } from '../lib/auth/load-resource.ts'
import { env } from '../lib/core/env.ts'
import { forbidden, invalidField } from '../lib/core/errors.ts'
import { getClientAddress } from '../lib/http/address.ts'
import { jsonReply } from '../lib/http/response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { getConsentPage, getIssuer, getMcpAddress, isRedirectAllowed } from '../lib/oauth/addresses.ts'
import { checkRequest, createCode, getRequestedAccess } from '../lib/oauth/approve.ts'
import { buildClientId } from '../lib/oauth/clients.ts'
import { exchangeToken, OAuthError, revokeConnection } from '../lib/oauth/tokens.ts'
import { message } from '../schemas/messages/index.ts'
import * as oauth from '../schemas/oauth/endpoints.ts'
import { AGENT_ACCESS } from '../schemas/oauth/shape.ts'

const SCOPES = [...AGENT_ACCESS]
const HTTP_BAD_REQUEST = 400

export const resource = serve(oauth.resource)(async () => ({
  resource: getMcpAddress(),
  authorization_servers: [getIssuer()],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Wharf',
}))

export const server = serve(oauth.server)(async () => {
  const base = `${env().BASE_URL}/v1/oauth`
  return {
    issuer: getIssuer(),
    authorization_endpoint: getConsentPage(),
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    revocation_endpoint: `${base}/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
})

export const register = serve(oauth.register)(async ({ body }) => {
  body.redirect_uris.forEach((uri, index) => {
    if (!isRedirectAllowed(uri)) throw invalidField(`redirect_uris.${index}`, message('access.redirectNotAllowed'))
  })
  const name = body.client_name ?? new URL(body.redirect_uris[0]!).hostname
  return {
    client_id: buildClientId({ name, redirectUris: body.redirect_uris }),
    client_name: name,
    redirect_uris: body.redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
})

export const describeRequest = serve(oauth.describeRequest)(async ({ query }) => {
  const client = await checkRequest(query)
  const redirectHost = new URL(query.redirect_uri).host || query.redirect_uri
  return { data: { clientName: client.name, redirectHost, access: getRequestedAccess(query) } }
})

export const approve = serve(oauth.approve)(async ({ body, caller, tx }) => {
  if (caller.role !== 'administrator' && caller.role !== 'member')
    throw forbidden(message('access.onlyUsersHaveTokens'))
  const { environmentId, access, ...request } = body
  await loadScope('environment', caller, environmentId)
  const client = await checkRequest(request)
  const approval = { accountId: caller.accountId, userId: caller.actorId, environmentId, access }
  return { data: { redirectTo: createCode(tx, request, client, approval) } }
})

export const token = serve(oauth.token)(async ({ body, request }) => {
  try {
    return await exchangeToken(body, getClientAddress(request))
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const { code, message: text } = error
    const reply = { error: code, error_description: text, errors: [{ key: code, message: text }] }
    return jsonReply(reply, HTTP_BAD_REQUEST)
  }
})

export const revoke = serve(oauth.revoke)(async ({ body }) => {
  await revokeConnection(body.token)
  return {}
})

export const handler = lambda(resource, server, register, describeRequest, approve, token, revoke)
