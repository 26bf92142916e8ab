/** Addresses of deleted guests, as keyed hashes: public links admit them only after a new invitation. */
import { createHmac } from 'node:crypto'
import { deriveDeploymentKey } from '../core/deployment-key.ts'
import type { NewGuest } from '../entities/guests.ts'
import { addMember, isMember, listMembers, type Member, removeMember } from '../table/sets.ts'
import type { Tx } from '../tx.ts'

const PAGE_SIZE = 100

type Address = Pick<NewGuest, 'environmentId' | 'email'>

const buildSetName = (environmentId: string): string => `guest.deleted#${environmentId}`

const buildMemberKey = ({ environmentId, email }: Address) => {
  const hash = createHmac('sha256', deriveDeploymentKey('wharf deleted guest key 1')).update(email).digest('base64url')
  return [buildSetName(environmentId), hash] as const
}

export const isDeletedGuest = (address: Address): Promise<boolean> => isMember(...buildMemberKey(address))

export const markGuestDeleted = (tx: Tx, guest: NewGuest): void =>
  tx.write(addMember(...buildMemberKey(guest), { guestId: guest.id }))

export async function unmarkGuestDeleted(tx: Tx, address: Address): Promise<void> {
  if (await isDeletedGuest(address)) tx.write(removeMember(...buildMemberKey(address)))
}

export const listDeletedGuests = (environmentId: string) => listMembers(buildSetName(environmentId), PAGE_SIZE)

export const deleteGuestMark = (tx: Tx, environmentId: string, { member }: Member): void =>
  tx.write(removeMember(buildSetName(environmentId), member))
