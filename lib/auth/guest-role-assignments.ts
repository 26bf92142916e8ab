/** Presents a guest's grants as roles on spaces; only the grants are stored. */

import { type ActorRole, buildRoleId } from '../../schemas/access/roles.ts'
import { type GuestSpace, isPartial } from '../../schemas/guests/shape.ts'
import { message } from '../../schemas/messages/index.ts'
import { invalidField, notFound } from '../core/errors.ts'
import type { NewGuest } from '../entities/guests.ts'
import { deriveGuestRole } from './guest-principal.ts'
import { parseRole } from './roles.ts'

const getIdSuffix = (id: string): string => id.slice(id.lastIndexOf('_') + 1)
const buildGuestRoleId = (guest: NewGuest, spaceId: string): string =>
  `us_acr_${getIdSuffix(guest.id)}${getIdSuffix(spaceId)}`

export const getGuestRoles = (guest: NewGuest): ActorRole[] =>
  guest.spaces.map((grant) => ({
    id: buildGuestRoleId(guest, grant.id),
    roleId: buildRoleId(
      deriveGuestRole(isPartial(grant) ? [grant] : guest.spaces.filter((space) => !isPartial(space))),
    ),
    actorId: guest.id,
    resourceId: grant.id,
    createdAt: guest.createdAt,
    updatedAt: guest.updatedAt,
  }))

export function withGrantedSpace(guest: NewGuest, roleId: string, spaceId: string): GuestSpace[] {
  const role = parseRole('guest', roleId)
  if (role === 'singleWorkbookGuest' || role === 'multiWorkbookGuest')
    throw invalidField('roleId', message('access.roleNamesNoWorkbooks', { endpoint: 'PATCH /guests/{guestId}' }))
  const others = guest.spaces.filter(({ id }) => id !== spaceId)
  return others.length === guest.spaces.length
    ? [...others, { id: spaceId }]
    : guest.spaces.map(widenToWholeSpace(spaceId))
}

const widenToWholeSpace = (spaceId: string) => (grant: GuestSpace) => (grant.id === spaceId ? { id: spaceId } : grant)

export function withoutGrantedSpace(guest: NewGuest, actorRoleId: string): GuestSpace[] {
  const remaining = guest.spaces.filter(({ id }) => buildGuestRoleId(guest, id) !== actorRoleId)
  if (remaining.length === guest.spaces.length) throw notFound('role', actorRoleId)
  return remaining
}
