/**
 * Changes of users. Who is an administrator of an account and can sign in stands in a set, so that the last one is never
 * lost.
 */
import { conflict } from '../core/errors.ts'
import type { Write } from '../table/entity.ts'
import { join, leave, membersOf, stays } from '../table/members.ts'
import { claim, release } from '../table/unique.ts'
import type { Tx } from '../tx.ts'
import { emailClaim, emailSet, idpClaim, type NewUser, type StoredUser, Users } from './users.ts'

const setOf = (accountId: string): string => `administrators#${accountId}`

/** Has a role in the account as a whole, and can sign in. */
const standing = ({ actorRoles, passwordHash, idpRef }: NewUser): boolean =>
  (passwordHash ?? idpRef) !== undefined && actorRoles.some(({ environmentId }) => environmentId === undefined)

export const UserChanges = {
  insert(tx: Tx, user: NewUser): void {
    const { id, accountId } = user
    const { idpRef: _, ...unlinked } = user
    tx.write(Users.create(user), claim(...emailClaim(user), id), join(emailSet(user), id, { accountId }))
    tx.write(...linksBetween(unlinked, user))
    if (standing(user)) tx.write(join(setOf(user.accountId), user.id, {}))
  },
  /** Throws 409 where the account would have no administrator left. */
  async change(tx: Tx, before: StoredUser, after: NewUser): Promise<void> {
    tx.write(Users.replace(before, after), ...linksBetween(before, after))
    if (standing(after) && !standing(before)) tx.write(join(setOf(before.accountId), before.id, {}))
    if (standing(before) && !standing(after)) await leaveAdministrators(tx, before)
  },
  /** Throws 409 where the account would have no administrator left. */
  async delete(tx: Tx, before: StoredUser): Promise<void> {
    const { idpRef: _, ...gone } = before
    tx.write(Users.remove(before), release(...emailClaim(before)), leave(emailSet(before), before.id))
    tx.write(...linksBetween(before, gone))
    if (standing(before)) await leaveAdministrators(tx, before)
  },
}

/** One user of the account has an id of the provider. */
function linksBetween(before: NewUser, after: NewUser): Write[] {
  if (before.idpRef === after.idpRef) return []
  const { id, accountId } = before
  return [
    ...(before.idpRef === undefined ? [] : [release(...idpClaim(accountId, before.idpRef))]),
    ...(after.idpRef === undefined ? [] : [claim(...idpClaim(accountId, after.idpRef), id)]),
  ]
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
