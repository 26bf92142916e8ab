import { loadScope } from '../lib/auth/load-resource.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { listSecrets, removeSecret, resolveSecrets, serializeSecret, writeSecret } from '../lib/auth/secret-store.ts'
import { invalidField, notFound } from '../lib/core/errors.ts'
import { parseKind } from '../lib/core/ids.ts'
import type { StoredEnvironment } from '../lib/entities/environments.ts'
import type { SecretScope } from '../lib/entities/secrets.ts'
import { type StoredSpace, spaceNamespaces } from '../lib/entities/spaces.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { message } from '../schemas/messages/index.ts'
import * as secrets from '../schemas/secrets/endpoints.ts'

export const list = serve(secrets.list)(async ({ environments, query, caller }) => {
  const locations = resolveLocations(environments, await loadSpace(query, caller), query)
  return { data: (await Promise.all(locations.map(resolveSecrets))).flat() }
})

export const upsert = serve(secrets.upsert)(async ({ environments, body, caller, tx }) => {
  const space = await loadSpace(body, caller)
  const [location, ...others] = resolveLocations(environments, space, body)
  if (!location || others.length > 0) throw invalidField('environmentId', message('access.environmentRequired'))
  if (location.actorId) await assertActorExists(location.actorId, location.environmentId, caller)
  return { data: [await writeSecret(tx.actor, location, body.name, body.value, space && spaceNamespaces(space))] }
})

export const remove = serve(secrets.remove)(async ({ secret, tx }) => {
  removeSecret(tx, secret)
  const remaining = (await listSecrets(secret)).filter(({ id }) => id !== secret.id)
  return { data: await Promise.all(remaining.map(serializeSecret)) }
})

export const handler = lambda(list, upsert, remove)

const loadSpace = async (
  { spaceId }: { spaceId?: string | undefined },
  caller: Principal,
): Promise<StoredSpace | undefined> => (spaceId === undefined ? undefined : loadScope('space', caller, spaceId))

function resolveLocations(
  environments: StoredEnvironment[],
  space: StoredSpace | undefined,
  { actorId }: { actorId?: string | undefined },
): SecretScope[] {
  const matching = environments.filter(({ id }) => space === undefined || id === space.environmentId)
  if (space && matching.length === 0) throw notFound('space', space.id)
  return matching.map(({ id }) => ({
    environmentId: id,
    ...(space ? { spaceId: space.id } : {}),
    ...(actorId ? { actorId } : {}),
  }))
}

async function assertActorExists(actorId: string, environmentId: string, caller: Principal): Promise<void> {
  if (parseKind(actorId) === 'agent') {
    const agent = await loadScope('agent', caller, actorId)
    if (agent.environmentId !== environmentId) throw notFound('agent', actorId)
  } else if (actorId !== caller.actorId) await loadScope('user', caller, actorId)
}
