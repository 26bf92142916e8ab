/** Names of the people and agents behind the actor ids of one account. */
import { parseKind } from '../core/ids.ts'
import { lazy } from '../core/lazy.ts'

const importUsers = lazy(() => import('../entities/users.ts'))
const importGuests = lazy(() => import('../entities/guests.ts'))
const importAgents = lazy(() => import('../entities/agents.ts'))

/** Without those who were deleted or belong to another account. */
export async function readActorNames(
  accountId: string,
  actorIds: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = await Promise.all(
    [...new Set(actorIds)].map(async (id): Promise<[string, string | undefined]> => {
      const actor = await readActor(id)
      return [id, actor?.accountId === accountId ? actor.name : undefined]
    }),
  )
  return new Map(names.flatMap(([id, name]) => (name ? [[id, name] as const] : [])))
}

async function readActor(
  id: string,
): Promise<{ accountId?: string | undefined; name: string | undefined } | undefined> {
  switch (parseKind(id)) {
    case 'user': {
      const user = await (await importUsers()).Users.get(id)
      return user && { ...user, name: user.name || user.email }
    }
    case 'guest':
      return (await importGuests()).Guests.get(id)
    case 'agent': {
      const agent = await (await importAgents()).Agents.get(id)
      return agent && { ...agent, name: agent.slug }
    }
    default:
      return undefined
  }
}
