/** Stored guests, listed by environment and by space; an email address is unique in an environment. */
import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import { Guest } from '../../schemas/guests/shape.ts'
import { Id } from '../../schemas/kit/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import { addMember, listMembers, removeMember } from '../table/sets.ts'
import { claimUnique, findOwner, releaseUnique } from '../table/unique-names.ts'
import type { Tx } from '../tx.ts'

const Shape = Guest.extend({ accountId: Id })

const stored = entity({ name: 'guest', shape: Shape, by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } } })
export type StoredGuest = Stored<typeof Shape>
export type NewGuest = z.infer<typeof Shape>

const buildClaimKey = ({ environmentId, email }: Pick<NewGuest, 'environmentId' | 'email'>) =>
  ['guest.email', `${environmentId}#${email}`] as const
const buildSetName = (spaceId: string): string => `guests#${spaceId}`
const READ_BATCH_SIZE = 100

export const Guests = {
  get: stored.get,
  inEnvironment: (environmentId: string): Promise<StoredGuest[]> => stored.list('inEnvironment', { environmentId }),
  async byEmail(environmentId: string, email: string): Promise<StoredGuest | undefined> {
    const id = await findOwner(...buildClaimKey({ environmentId, email }))
    return id === undefined ? undefined : stored.get(id)
  },
  /** Guests with access to the space or a part of it, in id order; strongly consistent. */
  async inSpace(spaceId: string): Promise<StoredGuest[]> {
    const found: StoredGuest[] = []
    for await (const members of listMembers(buildSetName(spaceId), READ_BATCH_SIZE))
      found.push(...(await stored.getMany(members.map(({ member }) => member))))
    return found.filter(({ spaces }) => spaces.some(({ id }) => id === spaceId))
  },
  insert(tx: Tx, guest: NewGuest): void {
    tx.write(
      stored.create(guest),
      claimUnique(...buildClaimKey(guest), guest.id),
      ...buildMembershipWrites(guest.id, [], guest.spaces),
    )
  },
  change(tx: Tx, before: StoredGuest, after: NewGuest): void {
    tx.write(stored.replace(before, after), ...buildMembershipWrites(before.id, before.spaces, after.spaces))
    if (!isDeepStrictEqual(buildClaimKey(before), buildClaimKey(after)))
      tx.write(releaseUnique(...buildClaimKey(before)), claimUnique(...buildClaimKey(after), after.id))
  },
  delete(tx: Tx, before: StoredGuest): void {
    tx.write(
      stored.remove(before),
      releaseUnique(...buildClaimKey(before)),
      ...buildMembershipWrites(before.id, before.spaces, []),
    )
  },
}

export const excludeById = <T extends { id: string }>(items: readonly T[], excluded: readonly { id: string }[]): T[] =>
  items.filter(({ id }) => !excluded.some((item) => item.id === id))

const buildMembershipWrites = (guestId: string, before: NewGuest['spaces'], after: NewGuest['spaces']) => [
  ...excludeById(after, before).map(({ id }) => addMember(buildSetName(id), guestId, {})),
  ...excludeById(before, after).map(({ id }) => removeMember(buildSetName(id), guestId)),
]
