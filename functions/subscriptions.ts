import { type Channel, loadScope } from '../lib/auth/load-resource.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { getChannelId, getSubscriptionSeconds, issueSubscriptionToken } from '../lib/auth/subscription.ts'
import { env } from '../lib/core/env.ts'
import { markListening } from '../lib/events/live-listeners.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as subscriptions from '../schemas/subscriptions/endpoints.ts'
import { type EventToken, SUBSCRIPTION_MINUTES } from '../schemas/subscriptions/shape.ts'

async function issueEventToken(caller: Principal, channel: Channel) {
  await markListening(getChannelId(channel), SUBSCRIPTION_MINUTES)
  const data: EventToken = {
    accountId: caller.accountId,
    subscribeKey: caller.accountId,
    ttl: Math.ceil(getSubscriptionSeconds(caller) / 60),
    token: await issueSubscriptionToken(caller, channel),
    ...(env().LIVE_URL ? { webSocketUrl: env().LIVE_URL } : {}),
  }
  return { data }
}

export const get = serve(subscriptions.get)(async ({ channel, query, caller }) =>
  issueEventToken(
    caller,
    channel ?? (await loadScope('channel', caller, query.spaceId ?? caller.spaceId ?? caller.environmentId)),
  ),
)

export const ofEnvironment = serve(subscriptions.ofEnvironment)(async ({ channel, caller }) =>
  issueEventToken(caller, channel),
)

export const handler = lambda(get, ofEnvironment)
