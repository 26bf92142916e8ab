/** What guests are given and lose: written with an event for each space, in the caller's unit of work. */
import { type GuestSpace, isPartial, SPACES_PER_GUEST } from '../../schemas/guest.ts'
import * as guests from '../../schemas/guests.ts'
import { conflict, forbidden, invalidField, notFound } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { StoredEnvironment } from '../entities/environments.ts'
import { Guests, type NewGuest, type StoredGuest, without } from '../entities/guests.ts'
import { Spaces, type StoredSpace, spaceNamespaces } from '../entities/spaces.ts'
import type { Tx } from '../tx.ts'
import { forgetDeleted, markDeleted } from './deleted-guests.ts'
import { may, type Principal } from './principal.ts'
import { loadScope, placeOfSpace, reachesSpace } from './scopes.ts'

/** Creates the guest, or adds the spaces to the one of this address. Throws 409 when it would have too many. */
export async function addGuest(tx: Tx, config: guests.GuestConfig): Promise<NewGuest> {
  const { environmentId, email, name } = config
  const before = await Guests.byEmail(environmentId, email)
  if (before) return changeGuest(tx, before, { ...before, spaces: together(before.spaces, config.spaces) })
  const guest: NewGuest = {
    id: newId('guest'),
    accountId: tx.actor.accountId,
    environmentId,
    email,
    name,
    spaces: config.spaces,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  Guests.insert(tx, guest)
  await forgetDeleted(tx, guest)
  await tell(tx, [], guest)
  return guest
}

/** Writes what changed, keeping when each space was last come into. */
export async function changeGuest(tx: Tx, before: StoredGuest, wanted: NewGuest): Promise<NewGuest> {
  if (wanted.spaces.length > SPACES_PER_GUEST)
    throw conflict(`A guest may have ${SPACES_PER_GUEST} spaces; ${before.email} would have ${wanted.spaces.length}.`)
  const lastAccessed = new Map(before.spaces.map((space) => [space.id, space.lastAccessed]))
  const spaces = wanted.spaces.map((space) => {
    const time = lastAccessed.get(space.id)
    return time ? { ...space, lastAccessed: time } : space
  })
  const after = { ...wanted, spaces, updatedAt: tx.now }
  Guests.change(tx, before, after)
  await tell(tx, before.spaces, after)
  return after
}

export async function removeGuest(tx: Tx, guest: StoredGuest): Promise<void> {
  Guests.delete(tx, guest)
  markDeleted(tx, guest)
  await tell(tx, guest.spaces, { ...guest, spaces: [] })
}

async function tell(tx: Tx, before: GuestSpace[], { environmentId, spaces }: NewGuest): Promise<void> {
  const [added, removed] = [without(spaces, before), without(before, spaces)]
  if (added.length + removed.length === 0) return
  const found = await Spaces.getMany([...added, ...removed].map(({ id }) => id))
  const namespaces = new Map(found.map((space) => [space.id, spaceNamespaces(space)]))
  for (const [topic, some] of [
    [guests.guestAdded, added],
    [guests.guestRemoved, removed],
  ] as const)
    for (const { id } of some) tx.emit(topic, { environmentId, spaceId: id }, {}, { namespaces: namespaces.get(id) })
}

/** Both grants as one: being given more takes nothing away. */
function together(before: GuestSpace[], more: guests.Grant[]): GuestSpace[] {
  const widened = before.map((had) => {
    const given = more.find(({ id }) => id === had.id)
    return given ? wider(had, given) : had
  })
  return [...widened, ...without(more, before)]
}

function wider(had: GuestSpace, given: GuestSpace): GuestSpace {
  if (!isPartial(had) || !isPartial(given)) return { id: had.id }
  const both = (key: 'workbooks' | 'sheets') => {
    const old = had[key] ?? []
    const all = [...old, ...without(given[key] ?? [], old)]
    return all.length > 0 ? { [key]: all } : {}
  }
  return { id: had.id, ...both('workbooks'), ...both('sheets') }
}

/**
 * Everything granted is in the environment and reached by the one who gives it.
 * @throws 404 for what the caller cannot know of, 403 for a guest that may not invite there
 */
export async function checkGrants(caller: Principal, environment: StoredEnvironment, grants: guests.Grant[]) {
  refuseByLink(caller)
  await Promise.all(grants.map((grant) => checkGrant(caller, environment, grant)))
}

/** @throws 403 for a guest who came by a shared link: the address it gave is not proven */
export function refuseByLink({ clipId, fixed }: Principal): void {
  if (clipId !== undefined || fixed)
    throw forbidden('Guests who came by a shared link may not invite others: their address is not proven.')
}

async function checkGrant(caller: Principal, environment: StoredEnvironment, grant: guests.Grant): Promise<void> {
  const space = await loadScope('space', caller, grant.id)
  if (space.environmentId !== environment.id) throw notFound('space', grant.id)
  const workbooks = grant.workbooks?.map(({ id }) => loadScope('workbook', caller, id)) ?? []
  const sheets = grant.sheets?.map(({ id }) => loadScope('sheet', caller, id)) ?? []
  for (const part of await Promise.all([...workbooks, ...sheets]))
    if (part.spaceId !== space.id)
      throw invalidField('spaces', `name ${part.id}, which is not in the space ${space.id}`)
  if (caller.grants) refuseInviting(caller.grants, environment, space, grant)
}

function refuseInviting(
  grants: GuestSpace[],
  environment: StoredEnvironment,
  space: StoredSpace,
  wanted: guests.Grant,
): void {
  if (!guestsMayInvite(environment, space)) throw forbidden('Guests may not invite others to this space.')
  const own = grants.find(({ id }) => id === space.id)
  if (own && isPartial(own) && !isPartial(wanted))
    throw forbidden('You may invite others to the workbooks you have, not to the whole space.')
}

/** The space's own word, or else the environment's; without one they may. */
export const guestsMayInvite = (environment: StoredEnvironment, space: StoredSpace): boolean =>
  sidebarSays('showGuestInvite', environment, space)

/** May the caller invite guests to the whole space? */
export function mayInviteTo(caller: Principal, environment: StoredEnvironment, space: StoredSpace): boolean {
  const { grants, fixed, clipId } = caller
  if (!may(caller, 'invitations:write', placeOfSpace(space))) return false
  const own = grants?.find(({ id }) => id === space.id)
  if (!grants || !own) return !grants
  return !fixed && clipId === undefined && !isPartial(own) && guestsMayInvite(environment, space)
}

/** A guest of a whole space knows who else has it, unless the sidebar keeps that to itself; one of parts knows itself alone. */
export function knowsOthers(
  { grants, clipId }: Principal,
  environment: StoredEnvironment,
  space: StoredSpace,
): boolean {
  if (!grants) return true
  const own = grants.find(({ id }) => id === space.id)
  return clipId === undefined && !!own && !isPartial(own) && sidebarSays('showGuests', environment, space)
}

function sidebarSays(what: string, environment: StoredEnvironment, space: StoredSpace): boolean {
  for (const kept of [space.metadata, space.settings, environment.metadata]) {
    const said = (kept as { sidebarConfig?: Record<string, unknown> } | null | undefined)?.sidebarConfig?.[what]
    if (typeof said === 'boolean') return said
  }
  return true
}

/** The guest as the caller may see it: of another's spaces one who has spaces sees those it has itself. */
export const shownGuest = <G extends NewGuest>(caller: Principal, guest: G): G =>
  caller.grants || caller.roles
    ? { ...guest, spaces: guest.spaces.filter(({ id: spaceId }) => reachesSpace(caller, { ...guest, spaceId })) }
    : guest
