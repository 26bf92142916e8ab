/**
 * Addresses whose guest was deleted: a public link lets such an address in only after somebody has invited it again. What is
 * stored is a keyed hash, which says nothing of the address to whoever does not have the deployment's secret.
 */
import { createHmac } from 'node:crypto'
import type { NewGuest } from '../entities/guests.ts'
import { isMember, join, leave, type Member, membersOf } from '../table/members.ts'
import type { Tx } from '../tx.ts'
import { deploymentKey } from './deployment-key.ts'

/** Marks read in one request. */
const PAGE = 100

type Address = Pick<NewGuest, 'environmentId' | 'email'>

const setOf = (environmentId: string): string => `guest.deleted#${environmentId}`

const marked = ({ environmentId, email }: Address) => {
  const hash = createHmac('sha256', deploymentKey('wharf deleted guest key 1')).update(email).digest('base64url')
  return [setOf(environmentId), hash] as const
}

/** Whether the guest of this address was deleted, and nobody has invited it since. */
export const isDeletedGuest = (address: Address): Promise<boolean> => isMember(...marked(address))

export const markDeleted = (tx: Tx, guest: NewGuest): void => tx.write(join(...marked(guest), { guestId: guest.id }))

/** Somebody with the right to invites the address. */
export async function forgetDeleted(tx: Tx, address: Address): Promise<void> {
  if (await isDeletedGuest(address)) tx.write(leave(...marked(address)))
}

/** The marks of an environment, page by page. */
export const deletedGuestsOf = (environmentId: string) => membersOf(setOf(environmentId), PAGE)

export const forgetMark = (tx: Tx, environmentId: string, { member }: Member): void =>
  tx.write(leave(setOf(environmentId), member))
