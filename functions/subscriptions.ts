/** Subscription tokens over HTTP. */
import type { Principal } from '../lib/auth/principal.ts'
import { type Channel, loadScope } from '../lib/auth/scopes.ts'
import { channelId, subscriptionSeconds, subscriptionToken } from '../lib/auth/subscription.ts'
import { env } from '../lib/core/env.ts'
import { noteListening } from '../lib/events/listening.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as subscriptions from '../schemas/subscriptions.ts'

async function eventToken(caller: Principal, channel: Channel) {
  await noteListening(channelId(channel), subscriptions.SUBSCRIPTION_MINUTES)
  const data: subscriptions.EventToken = {
    accountId: caller.accountId,
    subscribeKey: caller.accountId,
    ttl: Math.ceil(subscriptionSeconds(caller) / 60),
    token: await subscriptionToken(caller, channel),
    ...(env().LIVE_URL ? { webSocketUrl: env().LIVE_URL } : {}),
  }
  return { data }
}

export const get = serve(subscriptions.get)(async ({ channel, query, caller }) =>
  eventToken(
    caller,
    channel ?? (await loadScope('channel', caller, query.spaceId ?? caller.spaceId ?? caller.environmentId)),
  ),
)

export const ofEnvironment = serve(subscriptions.ofEnvironment)(async ({ channel, caller }) =>
  eventToken(caller, channel),
)

export const handler = lambda(get, ofEnvironment)
