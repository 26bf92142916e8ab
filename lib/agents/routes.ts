/**
 * The routes of an environment's agents, read strongly consistently so that a new agent receives the next event.
 * - route: `agent-routes#<environmentId>`, `<agentId>`: functionName, topics, claimUntil, recordsPerEvent
 * - claim: `agent-claim#<agentId>#<id>`, `-`: by (which way this publication went), expires
 */
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { DAY_SECONDS } from '../../schemas/kit/time.ts'
import { documents, getTableName } from '../table/client.ts'
import { tryWrite } from '../table/condition.ts'
import { queryPages } from '../table/query.ts'
import type { Write } from '../table/write.ts'

const Route = z.object({
  agentId: z.string(),
  functionName: z.string(),
  topics: z.array(z.string()),
  /** Seconds since 1970. Until then an event may also arrive through a rule of the agent; the first arrival wins. */
  claimUntil: z.number(),
  recordsPerEvent: z.number().optional(),
})
export type Route = z.infer<typeof Route>

export const CLAIM_FOREVER = 9_999_999_999
const CLAIM_TTL_SECONDS = DAY_SECONDS

const buildRouteKey = (environmentId: string, agentId: string) => ({ pk: `agent-routes#${environmentId}`, sk: agentId })
const getNowSeconds = (): number => Math.floor(Date.now() / 1000)

export const putRoute = (environmentId: string, route: Route): Write => ({
  Put: { TableName: getTableName(), Item: { ...buildRouteKey(environmentId, route.agentId), ...route } },
})
export const removeRoute = (environmentId: string, agentId: string): Write => ({
  Delete: { TableName: getTableName(), Key: buildRouteKey(environmentId, agentId) },
})

export async function setClaimUntil(environmentId: string, agentId: string, until: number): Promise<void> {
  const command = new UpdateCommand({
    TableName: getTableName(),
    Key: buildRouteKey(environmentId, agentId),
    UpdateExpression: 'SET claimUntil = :until',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':until': until },
  })
  await tryWrite(documents.send(command))
}

/** Events in flight take at most 5 minutes; afterwards nothing can arrive twice. */
export const getClaimDeadline = (): number => getNowSeconds() + 300

export async function findRoutes(environmentId: string, topic: string): Promise<Route[]> {
  const routes: Route[] = []
  const pages = queryPages({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': buildRouteKey(environmentId, '').pk },
    ConsistentRead: true,
  })
  for await (const items of pages) routes.push(...items.map((item) => Route.parse(item)))
  return routes.filter(({ topics }) => topics.includes(topic))
}

export const mayArriveTwice = (route: Route): boolean => route.claimUntil > getNowSeconds()

/** A retry of the same way succeeds again. @param busId the bus's id of this publication; a replay has a new one */
export async function claimDelivery(agentId: string, busId: string, by: 'rule' | 'router'): Promise<boolean> {
  const command = new PutCommand({
    TableName: getTableName(),
    Item: { pk: `agent-claim#${agentId}#${busId}`, sk: '-', by, expires: getNowSeconds() + CLAIM_TTL_SECONDS },
    ConditionExpression: 'attribute_not_exists(pk) OR #by = :by',
    ExpressionAttributeNames: { '#by': 'by' },
    ExpressionAttributeValues: { ':by': by },
  })
  return tryWrite(documents.send(command))
}
