/** Stored guests, listed by environment and by space. An e-mail address exists once in an environment. */
import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import { Guest } from '../../schemas/guest.ts'
import { Id } from '../../schemas/ids.ts'
import { entity, type Stored } from '../table/entity.ts'
import { join, leave, membersOf } from '../table/members.ts'
import { claim, ownerOf, release } from '../table/unique.ts'
import type { Tx } from '../tx.ts'

const Shape = Guest.extend({ accountId: Id })

const stored = entity({ name: 'guest', shape: Shape, by: { inEnvironment: { index: 'gsi1', of: ['environmentId'] } } })
export type StoredGuest = Stored<typeof Shape>
export type NewGuest = z.infer<typeof Shape>

const claimed = ({ environmentId, email }: Pick<NewGuest, 'environmentId' | 'email'>) =>
  ['guest.email', `${environmentId}#${email}`] as const
const setOf = (spaceId: string): string => `guests#${spaceId}`
/** Guests read in one request. */
const READ = 100

export const Guests = {
  get: stored.get,
  inEnvironment: (environmentId: string): Promise<StoredGuest[]> => stored.list('inEnvironment', { environmentId }),
  /** A strongly consistent read. */
  async byEmail(environmentId: string, email: string): Promise<StoredGuest | undefined> {
    const id = await ownerOf(...claimed({ environmentId, email }))
    return id === undefined ? undefined : stored.get(id)
  },
  /** Everybody who has the space or a part of it, in the order of ids; strongly consistent. */
  async inSpace(spaceId: string): Promise<StoredGuest[]> {
    const found: StoredGuest[] = []
    for await (const members of membersOf(setOf(spaceId), READ))
      found.push(...(await stored.getMany(members.map(({ member }) => member))))
    return found.filter(({ spaces }) => spaces.some(({ id }) => id === spaceId))
  },
  insert(tx: Tx, guest: NewGuest): void {
    tx.write(stored.create(guest), claim(...claimed(guest), guest.id), ...memberships(guest.id, [], guest.spaces))
  },
  change(tx: Tx, before: StoredGuest, after: NewGuest): void {
    tx.write(stored.replace(before, after), ...memberships(before.id, before.spaces, after.spaces))
    if (!isDeepStrictEqual(claimed(before), claimed(after)))
      tx.write(release(...claimed(before)), claim(...claimed(after), after.id))
  },
  delete(tx: Tx, before: StoredGuest): void {
    tx.write(stored.remove(before), release(...claimed(before)), ...memberships(before.id, before.spaces, []))
  },
}

/** Those of `some` that are not among `others`. */
export const without = <T extends { id: string }>(some: readonly T[], others: readonly { id: string }[]): T[] =>
  some.filter(({ id }) => !others.some((other) => other.id === id))

const memberships = (guestId: string, before: NewGuest['spaces'], after: NewGuest['spaces']) => [
  ...without(after, before).map(({ id }) => join(setOf(id), guestId, {})),
  ...without(before, after).map(({ id }) => leave(setOf(id), guestId)),
]
