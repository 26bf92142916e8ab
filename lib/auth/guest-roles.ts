/** A guest's grants as roles on spaces: what it was given is kept once, with the guest. */
import { type GuestSpace, isPartial } from '../../schemas/guest.ts'
import { type ActorRole, roleIdOf } from '../../schemas/role.ts'
import { invalidField, notFound } from '../core/errors.ts'
import type { NewGuest } from '../entities/guests.ts'
import { roleOf } from './guest-access.ts'
import { roleFor } from './roles.ts'

const tail = (id: string): string => id.slice(id.lastIndexOf('_') + 1)
/** The same at every reading: guest and space say which it is. */
const roleIdAt = (guest: NewGuest, spaceId: string): string => `us_acr_${tail(guest.id)}${tail(spaceId)}`

/** One role for each space of the guest; of all its spaces it is called after what it has of them. */
export const rolesOfGuest = (guest: NewGuest): ActorRole[] =>
  guest.spaces.map((grant) => ({
    id: roleIdAt(guest, grant.id),
    roleId: roleIdOf(roleOf(isPartial(grant) ? [grant] : guest.spaces.filter((each) => !isPartial(each)))),
    actorId: guest.id,
    resourceId: grant.id,
    createdAt: guest.createdAt,
    updatedAt: guest.updatedAt,
  }))

/** The guest's grants with the whole space. Throws 400 for a role that is given otherwise. */
export function withSpace(guest: NewGuest, roleId: string, spaceId: string): GuestSpace[] {
  const role = roleFor('guest', roleId)
  if (role === 'singleWorkbookGuest' || role === 'multiWorkbookGuest')
    throw invalidField('roleId', 'names no workbooks: give them by PATCH /guests/{guestId}')
  const others = guest.spaces.filter(({ id }) => id !== spaceId)
  return others.length === guest.spaces.length ? [...others, { id: spaceId }] : guest.spaces.map(whole(spaceId))
}

const whole = (spaceId: string) => (grant: GuestSpace) => (grant.id === spaceId ? { id: spaceId } : grant)

/** The guest's grants without the one the role stands for. Throws 404 when there is none. */
export function withoutSpace(guest: NewGuest, actorRoleId: string): GuestSpace[] {
  const left = guest.spaces.filter(({ id }) => roleIdAt(guest, id) !== actorRoleId)
  if (left.length === guest.spaces.length) throw notFound('role', actorRoleId)
  return left
}
