/**
 * Stored users. Their e-mail addresses are claimed once in the whole deployment: a user signs in by it. Who is an
 * administrator of an account and can sign in stands in a set, so that the last one is never lost.
 */
import * as z from 'zod'
import { Time } from '../../schemas/ids.ts'
import { HeldRole } from '../../schemas/role.ts'
import { User } from '../../schemas/user.ts'
import { conflict } from '../core/errors.ts'
import { entity, type Stored } from '../table/entity.ts'
import { join, leave, membersOf, stays } from '../table/members.ts'
import { claim, ownerOf, release } from '../table/unique.ts'
import type { Tx } from '../tx.ts'

const Shape = User.extend({
  passwordHash: z.string().optional(),
  actorRoles: z.array(HeldRole),
  /** The link it was invited by, as long as it was not used. */
  invite: z.object({ hash: z.string(), createdAt: Time }).optional(),
})

const stored = entity({ name: 'user', shape: Shape, by: { inAccount: { index: 'gsi1', of: ['accountId'] } } })
export type StoredUser = Stored<typeof Shape>
export type NewUser = z.infer<typeof Shape>

const claimed = ({ email }: Pick<NewUser, 'email'>) => ['user.email', email] as const
const setOf = (accountId: string): string => `administrators#${accountId}`

/** Has a role in the account as a whole, and can sign in. */
const standing = ({ actorRoles, passwordHash, idpRef }: NewUser): boolean =>
  (passwordHash ?? idpRef) !== undefined && actorRoles.some(({ environmentId }) => environmentId === undefined)

export const Users = {
  get: stored.get,
  inAccount: (accountId: string): Promise<StoredUser[]> => stored.list('inAccount', { accountId }),
  async byEmail(email: string): Promise<StoredUser | undefined> {
    const id = await ownerOf(...claimed({ email: email.toLowerCase() }))
    return id ? stored.get(id) : undefined
  },
  insert(tx: Tx, user: NewUser): void {
    tx.write(stored.create(user), claim(...claimed(user), user.id))
    if (standing(user)) tx.write(join(setOf(user.accountId), user.id, {}))
  },
  /** Throws 409 where the account would have no administrator left. */
  async change(tx: Tx, before: StoredUser, after: NewUser): Promise<void> {
    tx.write(stored.replace(before, after))
    if (standing(after) && !standing(before)) tx.write(join(setOf(before.accountId), before.id, {}))
    if (standing(before) && !standing(after)) await leaveAdministrators(tx, before)
  },
  /** Throws 409 where the account would have no administrator left. */
  async delete(tx: Tx, before: StoredUser): Promise<void> {
    tx.write(stored.remove(before), release(...claimed(before)))
    if (standing(before)) await leaveAdministrators(tx, before)
  },
}

/** Commits only if another one is still there then: of two who remove each other at the same time one stays. */
async function leaveAdministrators(tx: Tx, { accountId, id }: StoredUser): Promise<void> {
  for await (const members of membersOf(setOf(accountId), 2)) {
    const other = members.find(({ member }) => member !== id)
    if (!other) continue
    tx.write(leave(setOf(accountId), id), stays(setOf(accountId), other.member))
    return
  }
  throw conflict('An account keeps at least one administrator who can sign in: make somebody else one first.')
}
