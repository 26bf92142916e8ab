/** Secrets over HTTP. */

import type { Principal } from '../lib/auth/principal.ts'
import { loadScope } from '../lib/auth/scopes.ts'
import { removeSecret, secretsFor, secretsIn, shownSecret, writeSecret } from '../lib/auth/stored-secrets.ts'
import { invalidField, notFound } from '../lib/core/errors.ts'
import { kindOf } from '../lib/core/ids.ts'
import type { StoredEnvironment } from '../lib/entities/environments.ts'
import type { SecretPlace } from '../lib/entities/secrets.ts'
import { type StoredSpace, spaceNamespaces } from '../lib/entities/spaces.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import * as secrets from '../schemas/secrets.ts'

export const list = serve(secrets.list)(async ({ environments, query, caller }) => {
  const places = placesOf(environments, await spaceOf(query, caller), query)
  return { data: (await Promise.all(places.map(secretsFor))).flat() }
})

export const upsert = serve(secrets.upsert)(async ({ environments, body, caller, tx }) => {
  const space = await spaceOf(body, caller)
  const [place, ...others] = placesOf(environments, space, body)
  if (!place || others.length > 0)
    throw invalidField('environmentId', 'is required: this token is not bound to one environment')
  if (place.actorId) await refuseUnknownActor(place.actorId, place.environmentId, caller)
  return { data: [await writeSecret(tx.actor, place, body.name, body.value, space && spaceNamespaces(space))] }
})

export const remove = serve(secrets.remove)(async ({ secret, tx }) => {
  removeSecret(tx, secret)
  const rest = (await secretsIn(secret)).filter(({ id }) => id !== secret.id)
  return { data: await Promise.all(rest.map(shownSecret)) }
})

export const handler = lambda(list, upsert, remove)

/** The space asked for, if one is. Throws 404 for one the caller does not reach. */
const spaceOf = async (
  { spaceId }: { spaceId?: string | undefined },
  caller: Principal,
): Promise<StoredSpace | undefined> => (spaceId === undefined ? undefined : loadScope('space', caller, spaceId))

/** The places meant: each of the environments, or the space's own one. Throws 404 where the space is in none of them. */
function placesOf(
  environments: StoredEnvironment[],
  space: StoredSpace | undefined,
  { actorId }: { actorId?: string | undefined },
): SecretPlace[] {
  const meant = environments.filter(({ id }) => space === undefined || id === space.environmentId)
  if (space && meant.length === 0) throw notFound('space', space.id)
  return meant.map(({ id }) => ({
    environmentId: id,
    ...(space ? { spaceId: space.id } : {}),
    ...(actorId ? { actorId } : {}),
  }))
}

/** Throws 404 for an agent that does not live in the environment, and for a user the caller does not reach. */
async function refuseUnknownActor(actorId: string, environmentId: string, caller: Principal): Promise<void> {
  if (kindOf(actorId) === 'agent') {
    const agent = await loadScope('agent', caller, actorId)
    if (agent.environmentId !== environmentId) throw notFound('agent', actorId)
  } else if (actorId !== caller.actorId) await loadScope('user', caller, actorId)
}
