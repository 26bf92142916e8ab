/** Changes of users. A set per account holds the active administrators, so that the last one cannot be removed. */
import { message } from '../../schemas/messages/index.ts'
import { conflict } from '../core/errors.ts'
import { addMember, assertMember, listMembers, removeMember } from '../table/sets.ts'
import { claimUnique, releaseUnique } from '../table/unique-names.ts'
import type { Write } from '../table/write.ts'
import type { Tx } from '../tx.ts'
import { buildEmailClaim, buildEmailSet, buildIdpClaim, type NewUser, type StoredUser, Users } from './users.ts'

const buildAdministratorSet = (accountId: string): string => `administrators#${accountId}`

const isActiveAdministrator = ({ actorRoles, passwordHash, idpRef }: NewUser): boolean =>
  (passwordHash ?? idpRef) !== undefined && actorRoles.some(({ environmentId }) => environmentId === undefined)

export const UserChanges = {
  insert(tx: Tx, user: NewUser): void {
    const { id, accountId } = user
    const { idpRef: _, ...userWithoutIdp } = user
    tx.write(
      Users.create(user),
      claimUnique(...buildEmailClaim(user), id),
      addMember(buildEmailSet(user), id, { accountId }),
    )
    tx.write(...buildIdpLinkWrites(userWithoutIdp, user))
    if (isActiveAdministrator(user)) tx.write(addMember(buildAdministratorSet(user.accountId), user.id, {}))
  },
  async change(tx: Tx, before: StoredUser, after: NewUser): Promise<void> {
    tx.write(Users.replace(before, after), ...buildIdpLinkWrites(before, after))
    if (isActiveAdministrator(after) && !isActiveAdministrator(before))
      tx.write(addMember(buildAdministratorSet(before.accountId), before.id, {}))
    if (isActiveAdministrator(before) && !isActiveAdministrator(after)) await removeAdministrator(tx, before)
  },
  /** @throws ApiError 409 when the account would have no administrator left */
  async delete(tx: Tx, before: StoredUser): Promise<void> {
    const { idpRef: _, ...userWithoutIdp } = before
    tx.write(
      Users.remove(before),
      releaseUnique(...buildEmailClaim(before)),
      removeMember(buildEmailSet(before), before.id),
    )
    tx.write(...buildIdpLinkWrites(before, userWithoutIdp))
    if (isActiveAdministrator(before)) await removeAdministrator(tx, before)
  },
}

/** An identity provider's id is unique in an account. */
function buildIdpLinkWrites(before: NewUser, after: NewUser): Write[] {
  if (before.idpRef === after.idpRef) return []
  const { id, accountId } = before
  return [
    ...(before.idpRef === undefined ? [] : [releaseUnique(...buildIdpClaim(accountId, before.idpRef))]),
    ...(after.idpRef === undefined ? [] : [claimUnique(...buildIdpClaim(accountId, after.idpRef), id)]),
  ]
}

/** Asserts that another administrator remains, so that two who remove each other concurrently cannot both succeed. */
async function removeAdministrator(tx: Tx, { accountId, id }: StoredUser): Promise<void> {
  for await (const members of listMembers(buildAdministratorSet(accountId), 2)) {
    const otherAdministrator = members.find(({ member }) => member !== id)
    if (!otherAdministrator) continue
    tx.write(
      removeMember(buildAdministratorSet(accountId), id),
      assertMember(buildAdministratorSet(accountId), otherAdministrator.member),
    )
    return
  }
  throw conflict(message('access.lastAdministrator'))
}
