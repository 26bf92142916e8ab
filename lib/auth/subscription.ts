/**
 * Subscription tokens: bound to one channel and to the credential that asked. Each use authorises anew what stands behind
 * the token, so that it ends with its credential, its space or its environment.
 */
import * as z from 'zod'
import { ROLES, type Role } from '../../schemas/access.ts'
import { SUBSCRIPTION_MINUTES } from '../../schemas/subscriptions.ts'
import { ApiError } from '../core/errors.ts'
import { type Credential, type Principal, permitted, renewed } from './principal.ts'
import { type Channel, loadScope } from './scopes.ts'
import { isCurrentKey, sign, verify } from './signing.ts'

export interface Subscription {
  channel: Channel
  credential: Credential
  /** When the token ends, in seconds since 1970. */
  expires: number
  /** The key that signed it. */
  kid: string
}

export const channelId = (channel: Channel): string => ('spaceId' in channel ? channel.spaceId : channel.environmentId)

/** As published clients name it: `environment.<id>` or `space.<id>`. */
export const channelName = (channel: Channel): string =>
  `${'spaceId' in channel ? 'space' : 'environment'}.${channelId(channel)}`

/** A subscription token is valid no longer than the access token it was asked for with. */
export const subscriptionSeconds = ({ expires = Infinity }: Principal): number =>
  Math.min(SUBSCRIPTION_MINUTES * 60, Math.max(1, expires - Math.floor(Date.now() / 1000)))

export async function subscriptionToken(caller: Principal, channel: Channel): Promise<string> {
  const { accountId: acc, actorId: sub, role } = caller
  const claims = {
    acc,
    sub,
    kind: 'subscription' as const,
    channel: channelId(channel),
    role,
    by: credentialIn(caller),
  }
  return (await sign(claims, subscriptionSeconds(caller))).token
}

/** What the principal came with, beside who it is. */
const Came = z.object({
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
const credentialIn = (caller: Principal): z.infer<typeof Came> => Came.parse(caller)

const Claims = z.object({
  kind: z.literal('subscription'),
  acc: z.string(),
  sub: z.string(),
  channel: z.string(),
  role: z.enum(Object.keys(ROLES) as [Role, ...Role[]]),
  by: Came,
  exp: z.number(),
})

/** What a token opens now; undefined when it is forged, expired, of another kind, or what stands behind it is gone. */
export async function subscriptionOf(token: string): Promise<Subscription | undefined> {
  const signed = await verify(token)
  const parsed = Claims.safeParse(signed?.claims)
  if (!signed || !parsed.success) return undefined
  const { acc, sub, channel, role, by, exp } = parsed.data
  const credential: Credential = { accountId: acc, actorId: sub, role, ...by }
  const open = await channelOf(credential, channel)
  return open && { channel: open.channel, credential, expires: exp, kid: signed.kid }
}

/** Who listens by the subscription; undefined once its time is over, or its credential, channel or key is gone. */
export async function listenerOf({ credential, channel, expires, kid }: Subscription): Promise<Principal | undefined> {
  if (expires * 1000 <= Date.now()) return undefined
  const [open, current] = await Promise.all([channelOf(credential, channelId(channel)), isCurrentKey(kid)])
  return current ? open?.listener : undefined
}

async function channelOf(
  credential: Credential,
  id: string,
): Promise<{ channel: Channel; listener: Principal } | undefined> {
  const principal = await renewed(credential)
  const listener = principal && permitted(principal, 'events:read', 'channel')
  if (!listener) return undefined
  try {
    return { channel: await loadScope('channel', listener, id), listener }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
