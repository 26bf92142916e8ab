/** Creates and changes guests, with an event per space they gain or lose. */

import type * as guests from '../../schemas/guests/endpoints.ts'
import * as guestEvents from '../../schemas/guests/events.ts'
import { type GuestSpace, isPartial, MAX_SPACES_PER_GUEST } from '../../schemas/guests/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { conflict, forbidden, invalidField, notFound } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { StoredEnvironment } from '../entities/environments.ts'
import { excludeById, Guests, type NewGuest, type StoredGuest } from '../entities/guests.ts'
import { Spaces, type StoredSpace, spaceNamespaces } from '../entities/spaces.ts'
import type { Tx } from '../tx.ts'
import { markGuestDeleted, unmarkGuestDeleted } from './deleted-guests.ts'
import { canSeeSpace, loadScope, locateSpace } from './load-resource.ts'
import { may, type Principal } from './principal.ts'

/** Adds the spaces to an existing guest with this address. Throws 409 above the limit. */
export async function addGuest(tx: Tx, config: guests.GuestConfig): Promise<NewGuest> {
  const { environmentId, email, name } = config
  const before = await Guests.byEmail(environmentId, email)
  if (before) return changeGuest(tx, before, { ...before, spaces: mergeGrants(before.spaces, config.spaces) })
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
  await unmarkGuestDeleted(tx, guest)
  await emitGuestChanges(tx, [], guest)
  return guest
}

export async function changeGuest(tx: Tx, before: StoredGuest, wanted: NewGuest): Promise<NewGuest> {
  if (wanted.spaces.length > MAX_SPACES_PER_GUEST)
    throw conflict(
      message('access.tooManySpacesOfGuest', {
        count: MAX_SPACES_PER_GUEST,
        email: before.email,
        spaces: wanted.spaces.length,
      }),
    )
  const lastAccessed = new Map(before.spaces.map((space) => [space.id, space.lastAccessed]))
  const spaces = wanted.spaces.map((space) => {
    const time = lastAccessed.get(space.id)
    return time ? { ...space, lastAccessed: time } : space
  })
  const after = { ...wanted, spaces, updatedAt: tx.now }
  Guests.change(tx, before, after)
  await emitGuestChanges(tx, before.spaces, after)
  return after
}

export async function removeGuest(tx: Tx, guest: StoredGuest): Promise<void> {
  Guests.delete(tx, guest)
  markGuestDeleted(tx, guest)
  await emitGuestChanges(tx, guest.spaces, { ...guest, spaces: [] })
}

async function emitGuestChanges(tx: Tx, before: GuestSpace[], { environmentId, spaces }: NewGuest): Promise<void> {
  const [added, removed] = [excludeById(spaces, before), excludeById(before, spaces)]
  if (added.length + removed.length === 0) return
  const found = await Spaces.getMany([...added, ...removed].map(({ id }) => id))
  const namespaces = new Map(found.map((space) => [space.id, spaceNamespaces(space)]))
  for (const [topic, changed] of [
    [guestEvents.guestAdded, added],
    [guestEvents.guestRemoved, removed],
  ] as const)
    for (const { id } of changed) tx.emit(topic, { environmentId, spaceId: id }, {}, { namespaces: namespaces.get(id) })
}

function mergeGrants(before: GuestSpace[], additions: guests.Grant[]): GuestSpace[] {
  const widened = before.map((existing) => {
    const addition = additions.find(({ id }) => id === existing.id)
    return addition ? mergeGrant(existing, addition) : existing
  })
  return [...widened, ...excludeById(additions, before)]
}

function mergeGrant(existing: GuestSpace, addition: GuestSpace): GuestSpace {
  if (!isPartial(existing) || !isPartial(addition)) return { id: existing.id }
  const mergeParts = (key: 'workbooks' | 'sheets') => {
    const previous = existing[key] ?? []
    const merged = [...previous, ...excludeById(addition[key] ?? [], previous)]
    return merged.length > 0 ? { [key]: merged } : {}
  }
  return { id: existing.id, ...mergeParts('workbooks'), ...mergeParts('sheets') }
}

/** @throws 404 for resources the caller cannot see, 403 for a guest who may not invite others */
export async function checkGrants(caller: Principal, environment: StoredEnvironment, grants: guests.Grant[]) {
  assertNotLinkGuest(caller)
  await Promise.all(grants.map((grant) => checkGrant(caller, environment, grant)))
}

/** Guests of a shared link have not verified their address. */
export function assertNotLinkGuest({ clipId, fixed }: Principal): void {
  if (clipId !== undefined || fixed) throw forbidden(message('access.linkGuestsCannotInvite'))
}

async function checkGrant(caller: Principal, environment: StoredEnvironment, grant: guests.Grant): Promise<void> {
  const space = await loadScope('space', caller, grant.id)
  if (space.environmentId !== environment.id) throw notFound('space', grant.id)
  const workbooks = grant.workbooks?.map(({ id }) => loadScope('workbook', caller, id)) ?? []
  const sheets = grant.sheets?.map(({ id }) => loadScope('sheet', caller, id)) ?? []
  for (const part of await Promise.all([...workbooks, ...sheets]))
    if (part.spaceId !== space.id)
      throw invalidField('spaces', message('access.partNotInSpace', { id: part.id, spaceId: space.id }))
  if (caller.grants) assertGuestMayInvite(caller.grants, environment, space, grant)
}

function assertGuestMayInvite(
  grants: GuestSpace[],
  environment: StoredEnvironment,
  space: StoredSpace,
  wanted: guests.Grant,
): void {
  if (!canGuestsInvite(environment, space)) throw forbidden(message('access.guestsCannotInvite'))
  const ownGrant = grants.find(({ id }) => id === space.id)
  if (ownGrant && isPartial(ownGrant) && !isPartial(wanted)) throw forbidden(message('access.inviteToOwnWorkbooks'))
}

export const canGuestsInvite = (environment: StoredEnvironment, space: StoredSpace): boolean =>
  readSidebarFlag('showGuestInvite', environment, space)

export function canInviteTo(caller: Principal, environment: StoredEnvironment, space: StoredSpace): boolean {
  const { grants, fixed, clipId } = caller
  if (!may(caller, 'invitations:write', locateSpace(space))) return false
  const ownGrant = grants?.find(({ id }) => id === space.id)
  if (!grants || !ownGrant) return !grants
  return !fixed && clipId === undefined && !isPartial(ownGrant) && canGuestsInvite(environment, space)
}

/** Guests of a whole space see the others unless the sidebar hides them; guests of parts do not. */
export function canSeeOtherGuests(
  { grants, clipId }: Principal,
  environment: StoredEnvironment,
  space: StoredSpace,
): boolean {
  if (!grants) return true
  const ownGrant = grants.find(({ id }) => id === space.id)
  return clipId === undefined && !!ownGrant && !isPartial(ownGrant) && readSidebarFlag('showGuests', environment, space)
}

function readSidebarFlag(flag: string, environment: StoredEnvironment, space: StoredSpace): boolean {
  for (const source of [space.metadata, space.settings, environment.metadata]) {
    const value = (source as { sidebarConfig?: Record<string, unknown> } | null | undefined)?.sidebarConfig?.[flag]
    if (typeof value === 'boolean') return value
  }
  return true
}

/** Callers limited to some spaces see only those spaces of the guest. */
export const serializeGuest = <G extends NewGuest>(caller: Principal, guest: G): G =>
  caller.grants || caller.roles
    ? { ...guest, spaces: guest.spaces.filter(({ id: spaceId }) => canSeeSpace(caller, { ...guest, spaceId })) }
    : guest
