/** Authentication: exchange of credentials, environment keys, personal access tokens. */
import * as z from 'zod'
import { AuditEntry, ENTRIES_AT_ONCE } from './audit-entry.ts'
import { endpoint } from './endpoint.ts'
import { free, Id, narrowing, scoped, Time } from './ids.ts'
import { maybe } from './optional.ts'
import { data, list, QueryNumber, Success } from './page.ts'
import { PersonalAccessToken, SESSION_SECONDS } from './token.ts'

export const AccessToken = z.object({
  accessToken: z.string(),
  /** Seconds, as text. */
  expiresIn: z.string(),
  expires: Time,
  email: z.string().optional(),
  userId: Id.optional(),
  accountId: Id.optional(),
})

export const UserCredentials = z.object({
  type: z.literal('userCredentials').optional(),
  email: z.string().min(1),
  password: z.string().min(1),
  /** Which account, where users of several have the address and the password. */
  accountId: maybe(free('the account whose user signs in, by the password')),
})
export const ApiCredentials = z.object({
  type: z.literal('apiCredentials').optional(),
  clientId: free('known by its secret alone', z.string().min(1)),
  secret: z.string().min(1),
})

export const exchange = endpoint({
  id: 'auth.exchange',
  method: 'POST',
  path: '/auth',
  summary: 'Exchanges credentials for an access token',
  description:
    'Either `{email, password}` or the legacy pair `{clientId, secret}`; `type` may be left out. The token ends with what it was ' +
    'exchanged for: when the pair is deleted, the password is another one, or the account switches to single sign-on. An address ' +
    'may belong to users of several accounts: where the password fits more than one, the answer is a 409 until `accountId` names ' +
    'the account. The answer is not wrapped in `data`.',
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
  summary: 'Exchanges an access token that is still valid for a fresh one',
  description:
    'The body is the token, as a JSON string. For tokens of users, guests and embedded spaces; the fresh one opens what the old one ' +
    `opens, and the last one ends ${SESSION_SECONDS / 86_400} days after credentials were given. The answer is not wrapped in \`data\`.`,
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
  summary: 'Reads the public keys that access tokens are checked with (JWKS)',
  description:
    'The first one signs. When it is replaced, it stays here until the last token it signed is over; the answer may be kept for a minute.',
  policy: { public: true },
  reply: z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string(), alg: z.string() })) }),
  example: {},
})

export const KeyType = z.enum(['SECRET', 'PUBLISHABLE'])
const QueryKeyType = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(KeyType)

/** An environment's key. `rawKey` is the value used as the bearer token. */
export const ApiKey = z.object({
  id: Id,
  rawKey: z.string().optional(),
  type: KeyType,
  environmentId: Id,
  accountId: Id,
  operations: z.array(z.object({ path: z.string(), method: z.string() })),
  createdAt: Time,
})
export type ApiKey = z.infer<typeof ApiKey>

const inEnvironment = { on: 'environment', at: 'query.environmentId', optional: true } as const
const environmentQuery = { environmentId: scoped('environment').optional() }

export const listKeys = endpoint({
  id: 'auth.listKeys',
  method: 'GET',
  path: '/auth/api-keys',
  summary: "Lists an environment's keys with their values",
  policy: { can: 'keys:read', ...inEnvironment },
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
  policy: { can: 'keys:read', ...inEnvironment },
  audit: 'read',
  query: z.object(environmentQuery),
  reply: data(ApiKey),
  example: { query: { environmentId: '{environmentId}' } },
})

export const createKey = endpoint({
  id: 'auth.createKey',
  method: 'POST',
  path: '/auth/api-key',
  summary: 'Creates a key; the old ones stay valid until they are deleted',
  policy: { can: 'keys:write', ...inEnvironment },
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
  summary: 'Deletes a key, named by its id or its value: the next request with it is refused',
  policy: { can: 'keys:write', ...inEnvironment },
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
  summary: 'Creates a personal access token; its value is in this answer only',
  policy: { can: 'tokens:write', on: 'account' },
  audit: 'change',
  body: z.object({ name: z.string().trim().min(1).max(200) }),
  secrets: ['token'],
  reply: data(z.object({ token: z.string(), personalAccessToken: PersonalAccessToken })),
  example: { body: { name: 'nightly import' } },
})

export const removeToken = endpoint({
  id: 'auth.removeToken',
  method: 'DELETE',
  path: '/auth/personal-access-tokens/{tokenId}',
  summary: 'Deletes a personal access token: the next request with it is refused',
  policy: { can: 'tokens:write', on: 'token', at: 'params.tokenId' },
  audit: 'change',
  params: z.object({ tokenId: Id }),
  reply: Success,
  example: { params: { tokenId: '{tokenId}' } },
})

/** An account's OpenID provider; its secret is never shown. */
const SignOn = z.object({
  issuer: z.string(),
  clientId: z.string(),
  trustEmails: z.boolean(),
  /** What the provider must be told to lead back to. */
  callbackUrl: z.string(),
  /** Where the account's users begin. */
  signInUrl: z.string(),
})

export const ssoSettings = endpoint({
  id: 'auth.ssoSettings',
  method: 'GET',
  path: '/auth/sso',
  summary: "Reads the account's single sign-on",
  policy: { can: 'account:write', on: 'account' },
  reply: data(SignOn),
  errors: ['not-found'],
  example: {},
})

export const ssoConfigure = endpoint({
  id: 'auth.ssoConfigure',
  method: 'PUT',
  path: '/auth/sso',
  summary: 'Has users of the account sign in at its OpenID provider',
  description:
    'The provider is found by discovery (`<issuer>/.well-known/openid-configuration`). From then on users sign in there alone, ' +
    'those who were invited: the first time by their address, which the provider must vouch for by the claim `email_verified`, later ' +
    "by the provider's own id of them. E-mail and password are refused and sessions by password end, personal access tokens work " +
    'on: keep one until you have signed in once. Some providers (Microsoft Entra ID among them) never send `email_verified`: with ' +
    '`trustEmails` their addresses count without it. Set it only where nobody can choose an address there without owning it: ' +
    'whoever gets the address of an invited user becomes that user.',
  policy: { can: 'account:write', on: 'account' },
  audit: 'change',
  body: z.object({
    issuer: z.string().min(1).max(1000),
    clientId: free('the name of the account at its own OpenID provider', z.string().min(1).max(500)),
    clientSecret: z.string().min(1).max(1000).optional(),
    /** The provider's addresses count as proven without the claim `email_verified`. */
    trustEmails: z.boolean().default(false),
  }),
  reply: data(SignOn),
  errors: ['conflict'],
  example: { body: { issuer: '{issuer}', clientId: 'wharf', clientSecret: 'of the provider' } },
})

export const ssoRemove = endpoint({
  id: 'auth.ssoRemove',
  method: 'DELETE',
  path: '/auth/sso',
  summary: 'Ends single sign-on: users sign in by e-mail and password again',
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
  summary: "Leads a browser to the account's OpenID provider",
  description:
    'A page that starts a sign-in sends a random `state`, keeps it, and uses only a token that comes back with it. Without a `state` the ' +
    'browser is led to the sign-in page, where the deployment has a page of users.',
  policy: { public: true },
  query: z.object({
    accountId: scoped('account'),
    state: z
      .string()
      .regex(/^[\w-]{16,200}$/, 'must be 16 to 200 letters, digits, - or _')
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
  summary: 'Where the provider leads back to: answers the access token',
  description:
    'As `POST /auth` does; where the deployment has a page of users, leads there with the token, and the `state` ' +
    'that the sign-in started with, behind `#`.',
  policy: { public: true },
  reply: 'bytes',
  errors: ['unauthenticated', 'forbidden', 'conflict'],
  replyTypes: ['application/json'],
  also: ['redirect'],
  example: { query: { code: 'x', state: 'x' } },
})

const Moment = z.iso.datetime({ offset: true })

export const audit = endpoint({
  id: 'auth.audit',
  method: 'GET',
  path: '/audit',
  summary: 'Reads the audit log of the account, newest first',
  description:
    'Changes of what users, guests, keys, agents and webhooks may do or reach, and reads of keys, secrets and links by users. An entry is ' +
    'written in the transaction of its change. `next` continues the list, as `before`.',
  policy: { can: 'account:write', on: 'account' },
  query: z.object({
    actorId: narrowing('user', 'guest').optional(),
    action: z.string().max(100).optional(),
    /** Only what is about this thing. */
    resourceId: narrowing('space', 'user').optional(),
    since: Moment.optional(),
    until: Moment.optional(),
    before: narrowing('auditEntry').optional(),
    pageSize: QueryNumber(1, ENTRIES_AT_ONCE).default(100),
  }),
  reply: z.object({ data: z.array(AuditEntry), next: Id.optional() }),
  example: { query: { action: 'users.invite' } },
})
