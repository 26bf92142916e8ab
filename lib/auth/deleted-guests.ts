/**
 * Addresses whose guest was deleted: a public link lets such an address in only after somebody has invited it again. What is
 * stored is a keyed hash, which says nothing of the address to whoever does not have the deployment's secret.
 */
import { createHmac } from 'node:crypto'
import type { NewGuest } from '../entities/guests.ts'
import { claim, ownerOf, release } from '../table/unique.ts'
import type { Tx } from '../tx.ts'
import { deploymentKey } from './deployment-key.ts'

type Address = Pick<NewGuest, 'environmentId' | 'email'>

const marked = ({ environmentId, email }: Address) => {
  const hash = createHmac('sha256', deploymentKey('wharf deleted guest key 1')).update(email).digest('base64url')
  return ['guest.deleted', `${environmentId}#${hash}`] as const
}

/** Whether the guest of this address was deleted, and nobody has invited it since. */
export const isDeletedGuest = async (address: Address): Promise<boolean> =>
  (await ownerOf(...marked(address))) !== undefined

export async function markDeleted(tx: Tx, guest: NewGuest): Promise<void> {
  if (!(await isDeletedGuest(guest))) tx.write(claim(...marked(guest), guest.id))
}

/** Somebody with the right to invites the address. */
export async function forgetDeleted(tx: Tx, address: Address): Promise<void> {
  if (await isDeletedGuest(address)) tx.write(release(...marked(address)))
}
