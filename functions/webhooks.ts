import { loadScope } from '../lib/auth/load-resource.ts'
import { mergeDefined } from '../lib/core/diff.ts'
import { conflict, invalidField, notFound } from '../lib/core/errors.ts'
import { newId } from '../lib/core/ids.ts'
import { findUrlProblem } from '../lib/core/safe-fetch.ts'
import { Deliveries, type NewWebhook, Webhooks } from '../lib/entities/webhooks.ts'
import { buildEvent, declareTopic } from '../lib/events/envelope.ts'
import { createLargeJsonReply } from '../lib/http/large-response.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { redeliver } from '../lib/webhooks/deliver.ts'
import { createSecret, rotateSecrets } from '../lib/webhooks/secrets.ts'
import { send } from '../lib/webhooks/send.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'
import * as webhooks from '../schemas/webhooks/endpoints.ts'
import { MAX_WEBHOOKS_PER_ENVIRONMENT, SECRET_OVERLAP_SECONDS } from '../schemas/webhooks/shape.ts'

const clock = () => new Date()

function assertReachableUrl(url: string): void {
  const problem = findUrlProblem(url)
  if (problem) throw invalidField('url', problem)
}

export const create = serve(webhooks.create)(async ({ environment, body, caller, tx }) => {
  assertReachableUrl(body.url)
  if (body.spaceId) {
    const space = await loadScope('space', caller, body.spaceId)
    if (space.environmentId !== environment.id) throw notFound('space', body.spaceId)
  }
  if ((await Webhooks.inEnvironment(environment.id)).length >= MAX_WEBHOOKS_PER_ENVIRONMENT)
    throw conflict(message('requests.webhooksMaximum', { count: MAX_WEBHOOKS_PER_ENVIRONMENT }))
  const id = newId('webhook')
  const { secret, sealed } = await createSecret({ environmentId: environment.id, id })
  const webhook: NewWebhook = {
    ...body,
    id,
    accountId: environment.accountId,
    environmentId: environment.id,
    format: body.format ?? 'json',
    active: body.active ?? true,
    secrets: [{ sealed }],
    createdBy: caller.actorId,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  tx.write(...Webhooks.create(webhook))
  return { data: { ...webhook, secret } }
})

export const list = serve(webhooks.listed)(async ({ environments, query }) => {
  const found = (await Promise.all(environments.map(({ id }) => Webhooks.inEnvironment(id)))).flat()
  return paginate(
    found.filter(({ spaceId }) => query.spaceId === undefined || spaceId === query.spaceId),
    query,
  )
})

export const get = serve(webhooks.get)(async ({ webhook }) => ({ data: webhook }))

export const update = serve(webhooks.update)(async ({ webhook, body, tx }) => {
  if (body.url !== undefined) assertReachableUrl(body.url)
  const { failingSince, disabledAt, disabledReason, ...configuration } = webhook
  const base = body.active ? configuration : { ...configuration, failingSince, disabledAt, disabledReason }
  const after = { ...mergeDefined(base, body), updatedAt: tx.now }
  tx.write(...Webhooks.replace(webhook, after))
  return { data: after }
})

export const remove = serve(webhooks.remove)(async ({ webhook, tx }) => {
  tx.write(...Webhooks.remove(webhook))
  return success
})

export const rotateSecret = serve(webhooks.rotateSecret)(async ({ webhook, body, tx }) => {
  const { secret, sealed } = await createSecret(webhook)
  const overlapSeconds = body?.overlapSeconds ?? SECRET_OVERLAP_SECONDS
  const secrets = rotateSecrets(webhook.secrets, sealed, overlapSeconds, new Date(tx.now))
  const after = { ...webhook, secrets, updatedAt: tx.now }
  tx.write(...Webhooks.replace(webhook, after))
  return { data: { ...after, secret } }
})

export const ping = serve(webhooks.ping)(async ({ webhook, caller }) => {
  const { id: webhookId, accountId, environmentId, spaceId } = webhook
  const context = { accountId, environmentId, actorId: caller.actorId, ...(spaceId ? { spaceId } : {}) }
  const event = buildEvent(declareTopic('webhook:ping'), context, { webhookId })
  return { data: await send(webhook, event, clock()) }
})

export const deliveries = serve(webhooks.deliveries)(async ({ webhook, query, request }) => {
  const reply = webhooks.deliveries.reply.parse({ data: await Deliveries.page(webhook.id, query) })
  const scope = { environmentId: webhook.environmentId, spaceId: webhook.spaceId ?? webhook.id }
  return createLargeJsonReply(request, scope, 'deliveries', reply)
})

export const replay = serve(webhooks.replay)(async ({ webhook, params }) => {
  const delivery = await Deliveries.get(params.deliveryId)
  if (delivery?.webhookId !== webhook.id) throw notFound('delivery', params.deliveryId)
  if (!webhook.active) throw conflict(message('requests.webhookDeliversNothing'))
  const after = await redeliver(delivery, clock)
  if (!after) throw conflict(message('requests.eventBeingDelivered'))
  return { data: after }
})

export const handler = lambda(create, list, get, update, remove, rotateSecret, ping, deliveries, replay)
