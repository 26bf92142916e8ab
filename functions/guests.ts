import { type GuestSession, issueGuestToken } from '../lib/auth/guest-principal.ts'
import { getGuestRoles, withGrantedSpace, withoutGrantedSpace } from '../lib/auth/guest-role-assignments.ts'
import {
  addGuest,
  canSeeOtherGuests,
  changeGuest,
  checkGrants,
  removeGuest,
  serializeGuest,
} from '../lib/auth/guests.ts'
import { canSeeGuest, canSeeSpace, loadScope } from '../lib/auth/load-resource.ts'
import type { Principal } from '../lib/auth/principal.ts'
import { removeFromClips } from '../lib/clips/collaborators.ts'
import { mergeDefined } from '../lib/core/diff.ts'
import { conflict, forbidden, invalid, invalidField, notFound } from '../lib/core/errors.ts'
import { Environments, type StoredEnvironment } from '../lib/entities/environments.ts'
import { excludeById, Guests, type NewGuest, type StoredGuest } from '../lib/entities/guests.ts'
import { paginate } from '../lib/http/page.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import type { Tx } from '../lib/tx.ts'
import * as guests from '../schemas/guests/endpoints.ts'
import { success } from '../schemas/kit/page.ts'
import { message } from '../schemas/messages/index.ts'

const assertEmailFree = (tx: Tx) => tx.onConflict(() => conflict(message('access.guestExists')))

const canSeeEnvironment = (caller: Principal, { accountId, id: environmentId }: StoredEnvironment) =>
  canSeeSpace(caller, { accountId, environmentId })

/** A guest who invites others must not learn what was already stored about that address. */
const toInvitedGuest = (guest: NewGuest, { name, spaces }: guests.GuestConfig, now: string): NewGuest => ({
  ...guest,
  name,
  spaces,
  createdAt: now,
  updatedAt: now,
})

export const create = serve(guests.create)(async ({ environments, body, caller, tx }) => {
  const duplicates = body.flatMap(({ email, environmentId }, index) =>
    body.slice(0, index).some((earlier) => earlier.email === email && earlier.environmentId === environmentId)
      ? [{ key: `${index}.email`, message: message('shape.duplicate') }]
      : [],
  )
  if (duplicates.length > 0) throw invalid(duplicates)
  const created: NewGuest[] = []
  for (const config of body) {
    const environment = environments.find(({ id }) => id === config.environmentId)
    if (!environment) throw notFound('environment', config.environmentId)
    if (config.spaces.length === 0 && !canSeeEnvironment(caller, environment))
      throw forbidden(message('access.inviteToOwnSpaces'))
    await checkGrants(caller, environment, config.spaces)
    const guest = await addGuest(tx, config)
    created.push(caller.grants ? toInvitedGuest(guest, config, tx.now) : serializeGuest(caller, guest))
  }
  assertEmailFree(tx)
  return { data: created }
})

export const list = serve(guests.listed)(async ({ environments, query, caller }) => {
  const space = query.spaceId === undefined ? undefined : await loadScope('space', caller, query.spaceId)
  const environment = space && environments.find(({ id }) => id === space.environmentId)
  if (space && !environment) throw notFound('space', space.id)
  const canSeeOthers = space && environment ? canSeeOtherGuests(caller, environment, space) : !caller.grants
  const candidates = space
    ? await Guests.inSpace(space.id)
    : (await Promise.all(environments.map(({ id }) => Guests.inEnvironment(id)))).flat()
  const email = query.email?.trim().toLowerCase()
  const visible = candidates.filter(
    (guest) =>
      (email === undefined || guest.email === email) &&
      (canSeeOthers ? canSeeGuest(caller, guest) : guest.id === caller.actorId),
  )
  return paginate(
    visible.map((guest) => serializeGuest(caller, guest)),
    query,
  )
})

export const get = serve(guests.get)(async ({ guest, caller }) => ({ data: serializeGuest(caller, guest) }))

export const update = serve(guests.update)(async ({ guest, body, caller, tx }) => {
  if (body.environmentId !== undefined && body.environmentId !== guest.environmentId)
    throw invalidField('environmentId', message('requests.guestOfOtherEnvironment'))
  const environment = await Environments.get(guest.environmentId)
  if (!environment) throw notFound('guest', guest.id)
  if (body.spaces) await checkGrants(caller, environment, body.spaces)
  assertEmailFree(tx)
  const removedSpaceIds = body.spaces ? excludeById(guest.spaces, body.spaces).map(({ id }) => id) : []
  const current = removedSpaceIds.length > 0 ? await leaveSpaceClips(tx, guest, removedSpaceIds) : guest
  return { data: await changeGuest(tx, current, mergeDefined(current, body)) }
})

async function leaveSpaceClips(tx: Tx, guest: StoredGuest, spaceIds: (string | undefined)[]): Promise<StoredGuest> {
  for (const spaceId of spaceIds) await removeFromClips(tx.actor, guest, spaceId)
  const current = await Guests.get(guest.id)
  if (!current) throw notFound('guest', guest.id)
  return current
}

export const remove = serve(guests.remove)(async ({ guest, query, tx }) => {
  const { spaceId } = query
  if (spaceId !== undefined && !guest.spaces.some(({ id }) => id === spaceId)) throw notFound('space', spaceId)
  const current = await leaveSpaceClips(tx, guest, [spaceId])
  if (spaceId === undefined) await removeGuest(tx, current)
  else await changeGuest(tx, current, { ...current, spaces: current.spaces.filter(({ id }) => id !== spaceId) })
  return success
})

/** A guest's token keeps the session. A token made for someone else expires with its maker's credential. */
const deriveSession = ({ grants, actorId: userId, keyId, tokenId, session, ...remaining }: Principal): GuestSession => {
  if (grants) return { fixed: remaining.fixed, link: remaining.link, madeBy: remaining.madeBy, since: remaining.since }
  return { madeBy: keyId === undefined ? { userId, tokenId, session } : { keyId } }
}

export const token = serve(guests.token)(async ({ guest, query, caller }) => {
  if (caller.clipId !== undefined || (caller.fixed && query.spaceId !== caller.spaceId))
    throw forbidden(message('access.sharedLinkLimited'))
  const { spaces } = caller.roles ? serializeGuest(caller, guest) : guest
  if (query.spaceId !== undefined && !spaces.some(({ id }) => id === query.spaceId))
    throw notFound('space', query.spaceId)
  if (guest.spaces.length === 0) throw conflict(message('access.guestHasNoAccess'))
  if (query.spaceId === undefined && spaces.length < guest.spaces.length)
    throw forbidden(message('access.guestHasHiddenSpaces'))
  return {
    data: { token: await issueGuestToken(guest, { ...deriveSession(caller), spaceId: query.spaceId }), valid: true },
  }
})

export const roles = serve(guests.roles)(async ({ guest, caller }) => ({
  data: getGuestRoles(serializeGuest(caller, guest)),
}))

export const assignRole = serve(guests.assignRole)(async ({ guest, body, caller, tx }) => {
  const environment = await loadScope('environment', caller, guest.environmentId)
  const space = await loadScope('space', caller, body.resourceId)
  await checkGrants(caller, environment, [{ id: space.id, workbooks: undefined, sheets: undefined }])
  const after = await changeGuest(tx, guest, { ...guest, spaces: withGrantedSpace(guest, body.roleId, space.id) })
  return { data: getGuestRoles(after).find(({ resourceId }) => resourceId === space.id)! }
})

export const removeRole = serve(guests.removeRole)(async ({ guest, params, tx }) => {
  const remainingSpaces = withoutGrantedSpace(guest, params.actorRoleId)
  const removedSpaceIds = excludeById(guest.spaces, remainingSpaces).map(({ id }) => id)
  await changeGuest(tx, await leaveSpaceClips(tx, guest, removedSpaceIds), { ...guest, spaces: remainingSpaces })
  return success
})

export const handler = lambda(create, list, get, update, remove, token, roles, assignRole, removeRole)
