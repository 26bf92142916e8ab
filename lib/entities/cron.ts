/**
 * Which environments the clock ticks for: one small item for each active agent and each cron topic it names exactly,
 * written in the transaction that deploys or removes the agent. Every deployment writes all of them anew.
 */
import { CRON_TOPICS } from '../../schemas/cron.ts'
import type { Write } from '../table/entity.ts'
import { join, leave, membersOf } from '../table/members.ts'

interface Subscriber {
  id: string
  accountId: string
  environmentId: string
  topics: readonly string[]
}

/** Where a tick is told. */
export interface CronPlace {
  accountId: string
  environmentId: string
}

/** By environment first: those of one environment follow one another. */
const memberOf = ({ environmentId, id }: Pick<Subscriber, 'environmentId' | 'id'>) => `${environmentId}#${id}`

/** The agent's subscriptions as they are from now on; none of them for an agent that is removed. */
export const cronSubscriptions = (agent: Subscriber): Write[] =>
  CRON_TOPICS.map(({ topic }) =>
    agent.topics.includes(topic)
      ? join(topic, memberOf(agent), { accountId: agent.accountId, environmentId: agent.environmentId })
      : leave(topic, memberOf(agent)),
  )

/** The environments with an active agent subscribed to exactly this topic, each once. */
export async function* environmentsTicking(topic: string): AsyncGenerator<CronPlace[]> {
  let last: string | undefined
  for await (const members of membersOf(topic)) {
    const places: CronPlace[] = []
    for (const { told } of members) {
      const { accountId = '', environmentId = '' } = told
      if (environmentId !== last) places.push({ accountId, environmentId })
      last = environmentId
    }
    yield places
  }
}
