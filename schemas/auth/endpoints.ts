/** Endpoints for token exchange, environment keys, personal access tokens, single sign-on and the audit log. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { Id, narrowing, scoped, unscoped } from '../kit/ids.ts'
import { data, list, QueryNumber, Success } from '../kit/page.ts'
import { DAY_SECONDS } from '../kit/time.ts'
import { message } from '../messages/index.ts'
import { AuditEntry, MAX_ENTRIES_PER_PAGE } from './audit-entry.ts'
import { AccessToken, ApiCredentials, ApiKey, KeyType, UserCredentials } from './shape.ts'
import { PersonalAccessToken, SESSION_SECONDS } from './token.ts'

export const exchange = endpoint({
  id: 'auth.exchange',
  method: 'POST',
  path: '/auth',
  summary: 'Exchanges credentials for an access token',
  description:
    'Send either `{email, password}` or the legacy pair `{clientId, secret}`; `type` is optional. The token is revoked with the ' +
    'credentials: when the pair is deleted, the password changes or the account switches to single sign-on. Users of several accounts ' +
    'can have the same email address. If the password matches more than one, the response is 409 until `accountId` selects ' +
    'the account. The response is not wrapped in `data`.',
  policy: { public: true },
  body: z.union([UserCredentials, ApiCredentials]),
  reply: AccessToken,
  errors: ['unauthenticated', 'conflict', 'too-many-requests'],
  example: { body: { email: '{email}', password: '{password}' } },
})

export const refresh = endpoint({
  id: 'auth.refresh',
  method: 'POST',
  path: '/auth/refresh-token',
  summary: 'Refreshes an access token that is still valid',
  description:
    'The body is the token as a JSON string. For tokens of users, guests and embedded spaces. The new token has the same access ' +
    `as the old one. A session ends ${SESSION_SECONDS / DAY_SECONDS} days after signing in. The response is not wrapped in \`data\`.`,
  policy: { public: true },
  body: z.string().min(1).max(5000),
  reply: AccessToken,
  errors: ['unauthenticated'],
  example: { body: '{accessToken}' },
})

export const signingKeys = endpoint({
  id: 'auth.signingKeys',
  method: 'GET',
  root: true,
  path: '/.well-known/jwks.json',
  summary: 'Returns the public keys for verifying access tokens (JWKS)',
  description:
    'The first key signs new tokens. A replaced key remains listed until its last token expires. The response can be cached for a minute.',
  policy: { public: true },
  reply: z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string(), alg: z.string() })) }),
  example: {},
})
const QueryKeyType = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(KeyType)

const environmentScope = { on: 'environment', at: 'query.environmentId', optional: true } as const
const environmentQuery = { environmentId: scoped('environment').optional() }

export const listKeys = endpoint({
  id: 'auth.listKeys',
  method: 'GET',
  path: '/auth/api-keys',
  summary: "Lists an environment's keys with their values",
  policy: { can: 'keys:read', ...environmentScope },
  audit: 'read',
  query: z.object(environmentQuery),
  reply: list(ApiKey),
  example: { query: { environmentId: '{environmentId}' } },
})

export const publishableKey = endpoint({
  id: 'auth.publishableKey',
  method: 'GET',
  path: '/auth/publishable-key',
  summary: "Reads an environment's publishable key",
  policy: { can: 'keys:read', ...environmentScope },
  audit: 'read',
  query: z.object(environmentQuery),
  reply: data(ApiKey),
  example: { query: { environmentId: '{environmentId}' } },
})

export const createKey = endpoint({
  id: 'auth.createKey',
  method: 'POST',
  path: '/auth/api-key',
  summary: 'Creates a key; existing keys remain valid until deleted',
  policy: { can: 'keys:write', ...environmentScope },
  audit: 'change',
  query: z.object({ type: QueryKeyType, environmentId: scoped('environment').optional() }),
  secrets: ['rawKey'],
  reply: list(ApiKey),
  example: { query: { type: 'SECRET', environmentId: '{environmentId}' } },
})

export const removeKey = endpoint({
  id: 'auth.removeKey',
  method: 'DELETE',
  path: '/auth/api-key',
  summary: 'Deletes a key by id or value; it stops working immediately',
  policy: { can: 'keys:write', ...environmentScope },
  audit: 'change',
  query: z.object({ key: z.string().min(1), environmentId: scoped('environment').optional() }),
  reply: Success,
  example: { query: { key: '{keyId}', environmentId: '{environmentId}' } },
})

export const listTokens = endpoint({
  id: 'auth.listTokens',
  method: 'GET',
  path: '/auth/personal-access-tokens',
  summary: "Lists the caller's personal access tokens",
  policy: { can: 'tokens:read', on: 'account' },
  reply: list(PersonalAccessToken),
  example: {},
})

export const createToken = endpoint({
  id: 'auth.createToken',
  method: 'POST',
  path: '/auth/personal-access-tokens',
  summary: 'Creates a personal access token; only this response contains its value',
  policy: { can: 'tokens:write', on: 'account' },
  audit: 'change',
  body: z.object({ name: z.string().trim().min(1).max(200) }),
  secrets: ['token'],
  reply: data(z.object({ token: z.string(), personalAccessToken: PersonalAccessToken })),
  example: { body: { name: 'Nightly import' } },
})

export const removeToken = endpoint({
  id: 'auth.removeToken',
  method: 'DELETE',
  path: '/auth/personal-access-tokens/{tokenId}',
  summary: 'Deletes a personal access token; it stops working immediately',
  policy: { can: 'tokens:write', on: 'token', at: 'params.tokenId' },
  audit: 'change',
  params: z.object({ tokenId: Id }),
  reply: Success,
  example: { params: { tokenId: '{tokenId}' } },
})

const SignOn = z.object({
  issuer: z.string(),
  clientId: z.string(),
  trustEmails: z.boolean(),
  /** Must be registered at the provider. */
  callbackUrl: z.string(),
  signInUrl: z.string(),
})

export const ssoSettings = endpoint({
  id: 'auth.ssoSettings',
  method: 'GET',
  path: '/auth/sso',
  summary: "Reads the account's single sign-on configuration",
  policy: { can: 'account:write', on: 'account' },
  reply: data(SignOn),
  errors: ['not-found'],
  example: {},
})

export const ssoConfigure = endpoint({
  id: 'auth.ssoConfigure',
  method: 'PUT',
  path: '/auth/sso',
  summary: "Configures single sign-on with the account's OpenID provider",
  description:
    'The provider is configured by discovery (`<issuer>/.well-known/openid-configuration`). From then on invited users can only sign in there: ' +
    'the first time by their email address, which the provider must confirm with the claim `email_verified`, later ' +
    "by the provider's user id. Passwords are rejected and password sessions end. Personal access tokens remain " +
    'valid: keep one until you have signed in once. Some providers (such as Microsoft Entra ID) never send `email_verified`; ' +
    '`trustEmails` accepts their email addresses without it. Only set it if users of the provider cannot choose an address they do not own: ' +
    'anyone with the address of an invited user can sign in as that user.',
  policy: { can: 'account:write', on: 'account' },
  audit: 'change',
  body: z.object({
    issuer: z.string().min(1).max(1000),
    clientId: unscoped('the client id of the account at its OpenID provider', z.string().min(1).max(500)),
    clientSecret: z.string().min(1).max(1000).optional(),
    trustEmails: z.boolean().default(false),
  }),
  reply: data(SignOn),
  errors: ['conflict'],
  example: { body: { issuer: '{issuer}', clientId: 'wharf', clientSecret: 'the client secret at the provider' } },
})

export const ssoRemove = endpoint({
  id: 'auth.ssoRemove',
  method: 'DELETE',
  path: '/auth/sso',
  summary: 'Disables single sign-on; users sign in with email and password again',
  policy: { can: 'account:write', on: 'account' },
  audit: 'change',
  reply: Success,
  errors: ['not-found'],
  example: {},
})

export const ssoStart = endpoint({
  id: 'auth.ssoStart',
  method: 'GET',
  path: '/auth/sso/start',
  summary: "Redirects a browser to the account's OpenID provider",
  description:
    'The page that starts a sign-in sends a random `state`, stores it, and only accepts a token that is returned with it. Without a `state` the ' +
    'browser is redirected to the sign-in page, if the deployment has one.',
  policy: { public: true },
  query: z.object({
    accountId: scoped('account'),
    state: z
      .string()
      .regex(/^[\w-]{16,200}$/, message('access.signInState'))
      .optional(),
  }),
  reply: 'bytes',
  errors: ['conflict'],
  replyTypes: ['text/plain'],
  also: ['redirect'],
  example: { query: { accountId: '{accountId}', state: 'a-random-text-of-the-page' } },
})

export const ssoCallback = endpoint({
  id: 'auth.ssoCallback',
  method: 'GET',
  path: '/auth/sso/callback',
  summary: 'OAuth callback; returns the access token',
  description:
    'The response is that of `POST /auth`. If the deployment has a sign-in page, redirects there with the token and the ' +
    'original `state` after `#`.',
  policy: { public: true },
  reply: 'bytes',
  errors: ['unauthenticated', 'forbidden', 'conflict'],
  replyTypes: ['application/json'],
  also: ['redirect'],
  example: { query: { code: 'x', state: 'x' } },
})

const DateTimeInput = z.iso.datetime({ offset: true })

export const audit = endpoint({
  id: 'auth.audit',
  method: 'GET',
  path: '/audit',
  summary: 'Reads the audit log of the account, newest first',
  description:
    'Includes changes to the access of users, guests, keys, agents and webhooks, and reads of keys, secrets and links by users. Entries are ' +
    'written in the transaction of the change. To continue, pass `next` as `before`.',
  policy: { can: 'account:write', on: 'account' },
  query: z.object({
    actorId: narrowing('user', 'guest').optional(),
    action: z.string().max(100).optional(),
    resourceId: narrowing('space', 'user').optional(),
    since: DateTimeInput.optional(),
    until: DateTimeInput.optional(),
    before: narrowing('auditEntry').optional(),
    pageSize: QueryNumber(1, MAX_ENTRIES_PER_PAGE).default(100),
  }),
  reply: z.object({ data: z.array(AuditEntry), next: Id.optional() }),
  example: { query: { action: 'users.invite' } },
})
