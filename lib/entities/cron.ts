/** The environments that receive cron events: one small item per active agent and cron topic. */
import { CRON_TOPICS } from '../../schemas/cron/events.ts'
import { addMember, listMembers, removeMember } from '../table/sets.ts'
import type { Write } from '../table/write.ts'

interface Subscriber {
  id: string
  accountId: string
  environmentId: string
  topics: readonly string[]
}

export interface CronEnvironment {
  accountId: string
  environmentId: string
}

/** Sorted by environment first, so that the agents of one environment are adjacent. */
const buildMemberKey = ({ environmentId, id }: Pick<Subscriber, 'environmentId' | 'id'>) => `${environmentId}#${id}`

export const buildCronSubscriptions = (agent: Subscriber): Write[] =>
  CRON_TOPICS.map(({ topic }) =>
    agent.topics.includes(topic)
      ? addMember(topic, buildMemberKey(agent), { accountId: agent.accountId, environmentId: agent.environmentId })
      : removeMember(topic, buildMemberKey(agent)),
  )

export async function* listCronEnvironments(topic: string): AsyncGenerator<CronEnvironment[]> {
  let lastEnvironmentId: string | undefined
  for await (const members of listMembers(topic)) {
    const environments: CronEnvironment[] = []
    for (const { attributes } of members) {
      const { accountId = '', environmentId = '' } = attributes
      if (environmentId !== lastEnvironmentId) environments.push({ accountId, environmentId })
      lastEnvironmentId = environmentId
    }
    yield environments
  }
}
