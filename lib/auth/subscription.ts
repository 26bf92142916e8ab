/** Subscription tokens. Each use authorizes again, so they end with their credential, space or environment. */
import * as z from 'zod'
import { ROLES, type Role } from '../../schemas/access/permissions.ts'
import { SUBSCRIPTION_MINUTES } from '../../schemas/subscriptions/shape.ts'
import { ApiError } from '../core/errors.ts'
import { authorize, type Channel } from './load-resource.ts'
import { type Credential, type Principal, reauthenticate } from './principal.ts'
import { isCurrentKey, signToken, verifyToken } from './signing.ts'

export interface Subscription {
  channel: Channel
  credential: Credential
  /** Seconds since 1970. */
  expires: number
  kid: string
}

export const getChannelId = (channel: Channel): string =>
  'spaceId' in channel ? channel.spaceId : channel.environmentId

/** `environment.<id>` or `space.<id>`, as published clients expect. */
export const formatChannelName = (channel: Channel): string =>
  `${'spaceId' in channel ? 'space' : 'environment'}.${getChannelId(channel)}`

/** Never longer than the access token it was requested with. */
export const getSubscriptionSeconds = ({ expires = Infinity }: Principal): number =>
  Math.min(SUBSCRIPTION_MINUTES * 60, Math.max(1, expires - Math.floor(Date.now() / 1000)))

export async function issueSubscriptionToken(caller: Principal, channel: Channel): Promise<string> {
  const { accountId: acc, actorId: sub, role } = caller
  const claims = {
    acc,
    sub,
    kind: 'subscription' as const,
    channel: getChannelId(channel),
    role,
    by: pickCredential(caller),
  }
  return (await signToken(claims, getSubscriptionSeconds(caller))).token
}

const CredentialShape = z.object({
  environmentId: z.string().optional(),
  spaceId: z.string().optional(),
  keyId: z.string().optional(),
  tokenId: z.string().optional(),
  session: z.string().optional(),
  fixed: z.boolean().optional(),
  link: z.number().optional(),
  clipId: z.string().optional(),
  madeBy: z
    .union([
      z.object({ keyId: z.string() }),
      z.object({ userId: z.string(), tokenId: z.string().optional(), session: z.string().optional() }),
    ])
    .optional(),
})
const pickCredential = (caller: Principal): z.infer<typeof CredentialShape> => CredentialShape.parse(caller)

const SubscriptionClaims = z.object({
  kind: z.literal('subscription'),
  acc: z.string(),
  sub: z.string(),
  channel: z.string(),
  role: z.enum(Object.keys(ROLES) as [Role, ...Role[]]),
  by: CredentialShape,
  exp: z.number(),
})

/** Undefined if the token is forged or expired, or its credential or channel is gone. */
export async function loadSubscription(token: string): Promise<Subscription | undefined> {
  const signed = await verifyToken(token)
  const parsed = SubscriptionClaims.safeParse(signed?.claims)
  if (!signed || !parsed.success) return undefined
  const { acc, sub, channel, role, by, exp } = parsed.data
  const credential: Credential = { accountId: acc, actorId: sub, role, ...by }
  const access = await authorizeChannel(credential, channel)
  return access && { channel: access.channel, credential, expires: exp, kid: signed.kid }
}

export async function authenticateListener({
  credential,
  channel,
  expires,
  kid,
}: Subscription): Promise<Principal | undefined> {
  if (expires * 1000 <= Date.now()) return undefined
  const [access, current] = await Promise.all([authorizeChannel(credential, getChannelId(channel)), isCurrentKey(kid)])
  return current ? access?.listener : undefined
}

async function authorizeChannel(
  credential: Credential,
  id: string,
): Promise<{ channel: Channel; listener: Principal } | undefined> {
  const principal = await reauthenticate(credential)
  if (!principal) return undefined
  try {
    const { caller, resource } = await authorize(principal, { can: 'events:read', on: 'channel' }, id)
    return { channel: resource, listener: caller }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
