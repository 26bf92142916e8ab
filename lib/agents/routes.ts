/**
 * The agents of an environment that the router calls, as items of one partition: read whole and strongly consistent for
 * every event, so that an agent hears what is emitted right after its deployment.
 *
 *   route  agent-routes#<environmentId>  <agentId>   functionName, topics, claimUntil
 *   claim  agent-claim#<agentId>#<id>    -           by: which way the event of that bus id went, expires
 */
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { documents, tableName } from '../table/client.ts'
import type { Write } from '../table/entity.ts'
import { queried } from '../table/query.ts'
import { unlessConditionFails } from './missing.ts'

const Route = z.object({
  agentId: z.string(),
  functionName: z.string(),
  topics: z.array(z.string()),
  /** Until then (seconds since 1970) an event may come by a rule of the agent's own too: the first one counts. */
  claimUntil: z.number(),
})
export type Route = z.infer<typeof Route>

/** While an agent has both a route and rules of its own. */
export const ALWAYS = 9_999_999_999
const CLAIM_SECONDS = 86_400

const keyOf = (environmentId: string, agentId: string) => ({ pk: `agent-routes#${environmentId}`, sk: agentId })
const seconds = (): number => Math.floor(Date.now() / 1000)

export const putRoute = (environmentId: string, route: Route): Write => ({
  Put: { TableName: tableName(), Item: { ...keyOf(environmentId, route.agentId), ...route } },
})
export const removeRoute = (environmentId: string, agentId: string): Write => ({
  Delete: { TableName: tableName(), Key: keyOf(environmentId, agentId) },
})

/** Has events claimed until then; without a route nothing is changed. */
export async function claimUntil(environmentId: string, agentId: string, until: number): Promise<void> {
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: keyOf(environmentId, agentId),
    UpdateExpression: 'SET claimUntil = :until',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':until': until },
  })
  await unlessConditionFails(documents.send(command))
}

/** Events under way take at most this long: after it nothing comes twice any more. */
export const soon = (): number => seconds() + 300

/** The routes of the agents that are called for the topic. */
export async function routesFor(environmentId: string, topic: string): Promise<Route[]> {
  const routes: Route[] = []
  const answers = queried({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keyOf(environmentId, '').pk },
    ConsistentRead: true,
  })
  for await (const items of answers) routes.push(...items.map((item) => Route.parse(item)))
  return routes.filter(({ topics }) => topics.includes(topic))
}

export const mayComeTwice = (route: Route): boolean => route.claimUntil > seconds()

/**
 * Takes a publication of an event for one of the two ways it may come; a repeated attempt of the same way takes it again.
 * @param busId the id the bus gave this publication: a replay has another
 */
export async function claimDelivery(agentId: string, busId: string, by: 'rule' | 'router'): Promise<boolean> {
  const command = new PutCommand({
    TableName: tableName(),
    Item: { pk: `agent-claim#${agentId}#${busId}`, sk: '-', by, expires: seconds() + CLAIM_SECONDS },
    ConditionExpression: 'attribute_not_exists(pk) OR #by = :by',
    ExpressionAttributeNames: { '#by': 'by' },
    ExpressionAttributeValues: { ':by': by },
  })
  return (await unlessConditionFails(documents.send(command))) !== undefined
}
