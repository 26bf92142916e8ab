/** OAuth 2.1 for AI agents: clients without a secret, PKCE, and tokens that only the MCP endpoint accepts. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { scoped, unscoped } from '../kit/ids.ts'
import { data } from '../kit/page.ts'
import {
  AgentAccess,
  MAX_CLIENT_ID_LENGTH,
  MAX_CLIENT_NAME_LENGTH,
  MAX_REDIRECT_ADDRESSES,
  MAX_URL_LENGTH,
} from './shape.ts'

const Url = z.string().min(1).max(MAX_URL_LENGTH)
const ClientId = unscoped(
  'verified by its encryption or fetched by its address',
  z.string().min(1).max(MAX_CLIENT_ID_LENGTH),
)
const publicPolicy = { public: true } as const
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

export const resource = endpoint({
  id: 'oauth.resource',
  method: 'GET',
  root: true,
  path: '/.well-known/oauth-protected-resource/api/v1/mcp',
  summary: 'Describes the MCP endpoint as a protected resource (RFC 9728)',
  policy: publicPolicy,
  reply: z.object({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
    resource_name: z.string(),
  }),
  example: {},
})

export const server = endpoint({
  id: 'oauth.server',
  method: 'GET',
  root: true,
  path: '/.well-known/oauth-authorization-server',
  summary: 'Describes the authorization server (RFC 8414)',
  policy: publicPolicy,
  reply: z.looseObject({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    registration_endpoint: z.string(),
    revocation_endpoint: z.string(),
  }),
  example: {},
})

export const register = endpoint({
  id: 'oauth.register',
  method: 'POST',
  path: '/oauth/register',
  summary: 'Registers a client (RFC 7591)',
  description:
    'Nothing is stored: the client id contains the registration, encrypted. Clients that have a metadata document use its HTTPS address as their id and need no registration.',
  policy: publicPolicy,
  body: z.looseObject({
    redirect_uris: z.array(Url).min(1).max(MAX_REDIRECT_ADDRESSES),
    client_name: z.string().trim().min(1).max(MAX_CLIENT_NAME_LENGTH).optional(),
  }),
  reply: z.looseObject({ client_id: z.string(), redirect_uris: z.array(z.string()) }),
  example: { body: { client_name: 'Editor', redirect_uris: ['http://127.0.0.1/callback'] } },
})

const authorizationRequest = {
  client_id: ClientId,
  redirect_uri: Url,
  response_type: z.literal('code'),
  code_challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  code_challenge_method: z.literal('S256'),
  resource: Url.optional(),
  scope: z.string().max(200).optional(),
}
const exampleRequest = {
  client_id: '{clientId}',
  redirect_uri: 'http://127.0.0.1/callback',
  response_type: 'code',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
}

export const describeRequest = endpoint({
  id: 'oauth.describeRequest',
  method: 'GET',
  path: '/oauth/authorize',
  summary: 'Checks the request of a client and describes it, for the page on which a user approves it',
  policy: { can: 'tokens:write', on: 'account' },
  query: z.object(authorizationRequest),
  reply: data(z.object({ clientName: z.string(), redirectHost: z.string(), access: AgentAccess })),
  errors: ['unprocessable'],
  example: { query: exampleRequest },
})

export const approve = endpoint({
  id: 'oauth.approve',
  method: 'POST',
  path: '/oauth/authorize',
  summary: 'Approves the request of a client for one environment; returns the address to send the browser to',
  policy: { can: 'tokens:write', on: 'account' },
  audit: 'change',
  body: z.object({
    ...authorizationRequest,
    state: z.string().max(MAX_URL_LENGTH).optional(),
    environmentId: scoped('environment'),
    access: AgentAccess,
  }),
  secrets: ['redirectTo'],
  reply: data(z.object({ redirectTo: z.string() })),
  errors: ['not-found', 'unprocessable'],
  example: {
    body: { ...exampleRequest, environmentId: '{environmentId}', access: 'propose' },
  },
})

export const token = endpoint({
  id: 'oauth.token',
  method: 'POST',
  path: '/oauth/token',
  summary: 'Exchanges a code or a refresh token for an access token',
  description:
    'An access token is valid for an hour, and only for the MCP endpoint. Each refresh token works once; using an old one revokes the connection.',
  policy: publicPolicy,
  bodyType: 'form',
  body: z.looseObject({
    grant_type: z.string().max(100),
    client_id: ClientId.optional(),
    code: z.string().max(200).optional(),
    code_verifier: z.string().max(200).optional(),
    redirect_uri: Url.optional(),
    refresh_token: z.string().max(200).optional(),
  }),
  reply: z.object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.number().int(),
    refresh_token: z.string(),
    scope: AgentAccess,
  }),
  example: { body: { grant_type: 'refresh_token', refresh_token: '{refreshToken}' } },
})

export const revoke = endpoint({
  id: 'oauth.revoke',
  method: 'POST',
  path: '/oauth/revoke',
  summary: 'Revokes a connection by its refresh token (RFC 7009); unknown tokens are ignored',
  policy: publicPolicy,
  bodyType: 'form',
  body: z.looseObject({ token: z.string().max(10_000) }),
  reply: z.object({}),
  example: { body: { token: 'pat_unknown' } },
})
