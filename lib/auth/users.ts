/** Users come by invitation and go at once: what they reach ends with the request that deletes them. */
import { INVITE_HOURS, TOKENS_PER_USER } from '../../schemas/user.ts'
import { ApiError, conflict, unauthenticated } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { AuditLog } from '../entities/audit.ts'
import { SignOns } from '../entities/sso.ts'
import { type StoredToken, Tokens } from '../entities/tokens.ts'
import { UserChanges } from '../entities/user-changes.ts'
import { type NewUser, type StoredUser, Users } from '../entities/users.ts'
import { begin, type Tx } from '../tx.ts'
import { newKey } from './keys.ts'
import { pageLink, signInLink } from './links.ts'
import { putMail } from './outbox.ts'
import { placesStay } from './roles.ts'
import { hashPassword, randomText, same, sha256 } from './secrets.ts'

type Invited = Pick<NewUser, 'accountId' | 'email' | 'name' | 'actorRoles'>

/** The second of what is written: the user's address is taken once in the account. */
const ADDRESS_AT = 1

/** Creates the user, who has no password yet, and writes the mail with the link. */
export async function inviteUser(tx: Tx, invited: Invited, accountName: string): Promise<NewUser> {
  const id = newId('user')
  const link = newLink(id, tx.now)
  const user: NewUser = {
    ...invited,
    id,
    idp: 'wharf',
    metadata: {},
    invite: link.kept,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  UserChanges.insert(tx, user)
  await writeMail(tx, user, accountName, link.token)
  tx.write(...placesStay(user.actorRoles))
  tx.onConflict(({ failed }) =>
    failed.includes(ADDRESS_AT)
      ? conflict(`There is a user with the address ${user.email}.`)
      : conflict('What one of the roles is on was deleted at the same time.'),
  )
  return user
}

/** Mails a new link, in place of the one before. Throws 409 for a user who came in already. */
export async function inviteAgain(tx: Tx, user: StoredUser, accountName: string): Promise<void> {
  if (!user.invite) throw conflict('The user has accepted the invitation already.')
  const link = newLink(user.id, tx.now)
  await UserChanges.change(tx, user, { ...user, invite: link.kept })
  await writeMail(tx, user, accountName, link.token)
}

/** About 250 random bits behind the user's id. */
function newLink(userId: string, now: string) {
  const token = `${userId}_${randomText(43)}`
  return { token, kept: { hash: sha256(token), createdAt: now } }
}

async function writeMail(tx: Tx, user: NewUser, accountName: string, token: string): Promise<void> {
  const signOn = await SignOns.get(user.accountId)
  const way = signOn
    ? [`you are invited to ${accountName}. Sign in here with this address:`, signInLink(user.accountId)]
    : [
        `you are invited to ${accountName}. Choose a password here:`,
        pageLink('accept-invite', token),
        `The link works once, within ${INVITE_HOURS} hours.`,
      ]
  putMail(tx, {
    accountId: user.accountId,
    userId: user.id,
    to: user.email,
    subject: `Invitation to ${accountName}`,
    text: [`Hello ${user.name},`, ...way].join('\n\n'),
  })
}

const USER_TOKEN = /^(us_usr_[0-9A-Z]{26})_[A-Za-z0-9]{43}$/
/** Read in place of a user that no token names: every attempt takes the same steps. */
const NOBODY = 'us_usr_00000000000000000000000000'

/**
 * Sets the password by an invitation's link, once. As much is worked for a link of nobody as for a right one.
 * @param address where the request came from
 * @throws 401, the same whatever is wrong with the link, 409 where the account has single sign-on
 */
export async function acceptInvite(
  { token, password }: { token: string; password: string },
  address: string,
): Promise<NewUser> {
  const user = await Users.get(USER_TOKEN.exec(token)?.[1] ?? NOBODY)
  const passwordHash = await hashPassword(user?.email ?? NOBODY, password)
  const fits = same(sha256(token), user?.invite?.hash ?? sha256(NOBODY))
  const age = Date.now() - Date.parse(user?.invite?.createdAt ?? '1970-01-01')
  if (!user?.invite || !fits || age > INVITE_HOURS * 3_600_000) throw refused()
  if (await SignOns.get(user.accountId)) throw conflict('This account uses single sign-on: sign in there.')
  const tx = begin({ accountId: user.accountId, actorId: user.id })
  const { invite: _, rev: __, ...rest } = user
  const after = { ...rest, passwordHash, updatedAt: tx.now }
  await UserChanges.change(tx, user, after)
  AuditLog.add(tx, { action: 'users.acceptInvite', role: 'invited', address, resources: [user.id] })
  try {
    await tx.commit()
  } catch (error) {
    // Somebody else used the link at the same moment, or a new one was mailed.
    if (error instanceof ApiError && error.code === 'conflict') throw refused()
    throw error
  }
  return after
}

const refused = () => unauthenticated('The link is not valid: it was used, is too old, or a newer one was mailed.')

/** Deletes the user with its tokens, none of which work once it is gone. Throws 409 for the last administrator. */
export async function removeUser(tx: Tx, user: StoredUser): Promise<void> {
  await UserChanges.delete(tx, user)
  tx.write(...(await Tokens.ofUser(user.id)).slice(0, TOKENS_PER_USER).map(Tokens.remove))
}

/** Adds a personal access token of the user. Throws 409 when there are as many as there may be. */
export async function addToken(
  tx: Tx,
  user: { accountId: string; userId: string },
  name: string,
): Promise<{ value: string; token: Omit<StoredToken, 'rev'> }> {
  if ((await Tokens.ofUser(user.userId)).length >= TOKENS_PER_USER)
    throw conflict(`A user may have ${TOKENS_PER_USER} tokens: delete one first.`)
  const key = newKey('pat')
  const token = { ...user, id: key.id, name, createdAt: tx.now, hash: key.hash }
  tx.write(Tokens.create(token))
  return { value: key.value, token }
}
