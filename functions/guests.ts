/** Guests over HTTP. */

import { type GuestSession, guestToken } from '../lib/auth/guest-access.ts'
import { rolesOfGuest, withoutSpace, withSpace } from '../lib/auth/guest-roles.ts'
import { addGuest, changeGuest, checkGrants, knowsOthers, removeGuest, shownGuest } from '../lib/auth/guests.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { knowsGuest, loadScope, reachesSpace } from '../lib/auth/scopes.ts'
import { leaveClips } from '../lib/clips/collaborators.ts'
import { conflict, forbidden, invalid, invalidField, notFound } from '../lib/core/errors.ts'
import { merged } from '../lib/entities/changes.ts'
import { Environments, type StoredEnvironment } from '../lib/entities/environments.ts'
import { Guests, type NewGuest, type StoredGuest, without } from '../lib/entities/guests.ts'
import { pageOf } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import type { Tx } from '../lib/tx.ts'
import * as guests from '../schemas/guests.ts'
import { success } from '../schemas/page.ts'

const refuseTakenEmail = (tx: Tx) =>
  tx.onConflict(() =>
    conflict('There is a guest with this e-mail address in the environment, or it was changed at the same time.'),
  )

/** Beside its spaces the environment itself. */
const reachesWhole = (caller: Principal, { accountId, id: environmentId }: StoredEnvironment) =>
  reachesSpace(caller, { accountId, environmentId })

/** A guest that invites another learns whom it may now mail, and nothing of what was known of that address before. */
const asSent = (guest: NewGuest, { name, spaces }: guests.GuestConfig, now: string): NewGuest => ({
  ...guest,
  name,
  spaces,
  createdAt: now,
  updatedAt: now,
})

export const create = serve(guests.create)(async ({ environments, body, caller, tx }) => {
  const again = body.flatMap(({ email, environmentId }, index) =>
    body.slice(0, index).some((before) => before.email === email && before.environmentId === environmentId)
      ? [{ key: `${index}.email`, message: 'is named twice' }]
      : [],
  )
  if (again.length > 0) throw invalid(again)
  const made: NewGuest[] = []
  for (const config of body) {
    const environment = environments.find(({ id }) => id === config.environmentId)
    if (!environment) throw notFound('environment', config.environmentId)
    if (config.spaces.length === 0 && !reachesWhole(caller, environment))
      throw forbidden('You may invite guests to the spaces you have alone.')
    await checkGrants(caller, environment, config.spaces)
    const guest = await addGuest(tx, config)
    made.push(caller.grants ? asSent(guest, config, tx.now) : shownGuest(caller, guest))
  }
  refuseTakenEmail(tx)
  return { data: made }
})

export const list = serve(guests.listed)(async ({ environments, query, caller }) => {
  const space = query.spaceId === undefined ? undefined : await loadScope('space', caller, query.spaceId)
  const environment = space && environments.find(({ id }) => id === space.environmentId)
  if (space && !environment) throw notFound('space', space.id)
  const knowsAll = space && environment ? knowsOthers(caller, environment, space) : !caller.grants
  const found = space
    ? await Guests.inSpace(space.id)
    : (await Promise.all(environments.map(({ id }) => Guests.inEnvironment(id)))).flat()
  const email = query.email?.trim().toLowerCase()
  const seen = found.filter(
    (guest) =>
      (email === undefined || guest.email === email) &&
      (knowsAll ? knowsGuest(caller, guest) : guest.id === caller.actorId),
  )
  return pageOf(
    seen.map((guest) => shownGuest(caller, guest)),
    query,
  )
})

export const get = serve(guests.get)(async ({ guest, caller }) => ({ data: shownGuest(caller, guest) }))

export const update = serve(guests.update)(async ({ guest, body, caller, tx }) => {
  if (body.environmentId !== undefined && body.environmentId !== guest.environmentId)
    throw invalidField('environmentId', 'is not the environment of the guest, and a guest stays in its environment')
  const environment = await Environments.get(guest.environmentId)
  if (!environment) throw notFound('guest', guest.id)
  if (body.spaces) await checkGrants(caller, environment, body.spaces)
  refuseTakenEmail(tx)
  const lost = body.spaces ? without(guest.spaces, body.spaces).map(({ id }) => id) : []
  const current = lost.length > 0 ? await withoutClips(tx, guest, lost) : guest
  return { data: await changeGuest(tx, current, merged(current, body)) }
})

/**
 * Takes the guest off the clips of spaces it loses, or off all of them.
 * @returns the guest as it is then: to leave a clip takes its workbook
 */
async function withoutClips(tx: Tx, guest: StoredGuest, spaceIds: (string | undefined)[]): Promise<StoredGuest> {
  for (const spaceId of spaceIds) await leaveClips(tx.actor, guest, spaceId)
  const current = await Guests.get(guest.id)
  if (!current) throw notFound('guest', guest.id)
  return current
}

export const remove = serve(guests.remove)(async ({ guest, query, tx }) => {
  const { spaceId } = query
  if (spaceId !== undefined && !guest.spaces.some(({ id }) => id === spaceId)) throw notFound('space', spaceId)
  const current = await withoutClips(tx, guest, [spaceId])
  if (spaceId === undefined) await removeGuest(tx, current)
  else await changeGuest(tx, current, { ...current, spaces: current.spaces.filter(({ id }) => id !== spaceId) })
  return success
})

/** A guest goes on with the session it has; a token that somebody else makes ends with the maker's credential. */
const sessionBy = ({ grants, actorId: userId, keyId, tokenId, session, ...own }: Principal): GuestSession => {
  if (grants) return { fixed: own.fixed, link: own.link, madeBy: own.madeBy, since: own.since }
  return { madeBy: keyId === undefined ? { userId, tokenId, session } : { keyId } }
}

export const token = serve(guests.token)(async ({ guest, query, caller }) => {
  if (caller.clipId !== undefined || (caller.fixed && query.spaceId !== caller.spaceId))
    throw forbidden('This token was got by a shared link and opens its own space or data clip alone.')
  // A guest gets tokens for all it has; others for what they reach themselves.
  const { spaces } = caller.roles ? shownGuest(caller, guest) : guest
  if (query.spaceId !== undefined && !spaces.some(({ id }) => id === query.spaceId))
    throw notFound('space', query.spaceId)
  if (guest.spaces.length === 0) throw conflict('The guest has no space.')
  if (query.spaceId === undefined && spaces.length < guest.spaces.length)
    throw forbidden('The guest has spaces beside those you reach: name one of yours.')
  return { data: { token: await guestToken(guest, { ...sessionBy(caller), spaceId: query.spaceId }), valid: true } }
})

export const roles = serve(guests.roles)(async ({ guest, caller }) => ({
  data: rolesOfGuest(shownGuest(caller, guest)),
}))

export const assignRole = serve(guests.assignRole)(async ({ guest, body, caller, tx }) => {
  const environment = await loadScope('environment', caller, guest.environmentId)
  const space = await loadScope('space', caller, body.resourceId)
  await checkGrants(caller, environment, [{ id: space.id, workbooks: undefined, sheets: undefined }])
  const after = await changeGuest(tx, guest, { ...guest, spaces: withSpace(guest, body.roleId, space.id) })
  return { data: rolesOfGuest(after).find(({ resourceId }) => resourceId === space.id)! }
})

export const removeRole = serve(guests.removeRole)(async ({ guest, params, tx }) => {
  const left = withoutSpace(guest, params.actorRoleId)
  const lost = without(guest.spaces, left).map(({ id }) => id)
  await changeGuest(tx, await withoutClips(tx, guest, lost), { ...guest, spaces: left })
  return success
})

export const handler = lambda(create, list, get, update, remove, token, roles, assignRole, removeRole)
