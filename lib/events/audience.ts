/**
 * The listeners of an environment, under pk audience#<environmentId>. A consistent read after a commit finds each one
 * whose creation returned before it. Until the item `complete` exists, older agents and webhooks may have no item.
 */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { Event } from '../../schemas/events/shape.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../../schemas/kit/time.ts'
import { documents, getTableName } from '../table/client.ts'
import { tryWrite } from '../table/condition.ts'
import { queryPages, shareRead } from '../table/query.ts'
import type { PutWrite, Write } from '../table/write.ts'
import { matchesEvent } from './webhook-match.ts'

const SOCKET_SECONDS = 3 * HOUR_SECONDS
const COMPLETE_SECONDS = 30 * DAY_SECONDS

const Webhook = z.object({ active: z.boolean(), topics: z.array(z.string()), spaceId: z.string().optional() })
type Webhook = z.infer<typeof Webhook>
const AgentTopics = z.object({ topics: z.array(z.string()) })
const Until = z.object({ until: z.number() })

export interface Audience {
  isComplete: boolean
  agentTopics: ReadonlySet<string>
  webhooks: readonly (Webhook & { id: string })[]
  socketChannels: ReadonlySet<string>
}

export const LISTENERS = ['agents', 'webhooks', 'sockets'] as const
export type Listener = (typeof LISTENERS)[number]
export const formatListenerResource = (listener: Listener): string => `urn:wharf:for:${listener}`

const buildKey = (environmentId: string, sk: string) => ({ pk: `audience#${environmentId}`, sk })
const getNowSeconds = (): number => Math.floor(Date.now() / 1000)
const buildPut = (environmentId: string, sk: string, item: object): PutWrite => ({
  Put: { TableName: getTableName(), Item: { ...buildKey(environmentId, sk), ...item } },
})
const buildDelete = (environmentId: string, sk: string): Write => ({
  Delete: { TableName: getTableName(), Key: buildKey(environmentId, sk) },
})

export const listAgent = (environmentId: string, agentId: string, topics: readonly string[]): Write =>
  topics.length === 0 ? unlistAgent(environmentId, agentId) : buildPut(environmentId, `agent#${agentId}`, { topics })

export const unlistAgent = (environmentId: string, agentId: string): Write =>
  buildDelete(environmentId, `agent#${agentId}`)

type ListedWebhook = Webhook & { id: string; environmentId: string }

export const listWebhook = ({ id, environmentId, ...webhook }: ListedWebhook): PutWrite =>
  buildPut(environmentId, `webhook#${id}`, Webhook.parse(webhook))

export const unlistWebhook = ({ id, environmentId }: Pick<ListedWebhook, 'id' | 'environmentId'>): Write =>
  buildDelete(environmentId, `webhook#${id}`)

export async function listSocket(environmentId: string, channelId: string): Promise<void> {
  const until = getNowSeconds() + SOCKET_SECONDS
  await documents.send(new PutCommand(buildPut(environmentId, `socket#${channelId}`, { until, expires: until }).Put))
}

export async function completeAudience(
  environmentId: string,
  agents: readonly { id: string; topics: readonly string[] }[],
  webhooks: readonly ListedWebhook[],
): Promise<void> {
  const writes = [...agents.map(({ id, topics }) => listAgent(environmentId, id, topics)), ...webhooks.map(listWebhook)]
  for (const write of writes)
    if ('Put' in write)
      await tryWrite(documents.send(new PutCommand({ ...write.Put, ConditionExpression: 'attribute_not_exists(pk)' })))
  const until = getNowSeconds() + COMPLETE_SECONDS
  await documents.send(new PutCommand(buildPut(environmentId, 'complete', { until, expires: until }).Put))
}

/** For an environment that no longer exists; its agents and webhooks are unlisted by their own removal. */
export const forgetAudience = (environmentId: string): Write => buildDelete(environmentId, 'complete')

export const readAudience = (environmentId: string): Promise<Audience> =>
  shareRead(`audience#${environmentId}`, () => queryAudience(environmentId))

async function queryAudience(environmentId: string): Promise<Audience> {
  const agentTopics = new Set<string>()
  const webhooks: (Webhook & { id: string })[] = []
  const socketChannels = new Set<string>()
  let isComplete = false
  const now = getNowSeconds()
  const pages = queryPages({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': buildKey(environmentId, '').pk },
    ConsistentRead: true,
  })
  for await (const items of pages)
    for (const item of items) {
      const [kind, id = ''] = String(item.sk).split('#')
      if (kind === 'agent') for (const topic of AgentTopics.parse(item).topics) agentTopics.add(topic)
      else if (kind === 'webhook') webhooks.push({ id, ...Webhook.parse(item) })
      else if (kind === 'socket' && Until.parse(item).until > now) socketChannels.add(id)
      else if (kind === 'complete') isComplete = Until.parse(item).until > now
    }
  return { isComplete, agentTopics, webhooks, socketChannels }
}

export function findListeners(audience: Audience, event: Pick<Event, 'topic' | 'context'>): readonly Listener[] {
  if (!audience.isComplete) return LISTENERS
  const { environmentId, spaceId } = event.context
  const { agentTopics, webhooks, socketChannels } = audience
  const isListening: Record<Listener, boolean> = {
    agents: agentTopics.has(event.topic),
    webhooks: webhooks.some((webhook) => matchesEvent(webhook, event)),
    sockets: socketChannels.has(environmentId) || (!!spaceId && socketChannels.has(spaceId)),
  }
  return LISTENERS.filter((listener) => isListening[listener])
}
