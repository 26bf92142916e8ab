/** Invites and deletes users; deleting one revokes its access immediately. */
import { HOUR_MS } from '../../schemas/kit/time.ts'
import { message } from '../../schemas/messages/index.ts'
import { INVITE_HOURS, MAX_TOKENS_PER_USER } from '../../schemas/users/shape.ts'
import { constantTimeEqual, hashPassword, randomText, sha256 } from '../core/crypto.ts'
import { ApiError, conflict, unauthenticated } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { AuditLog } from '../entities/audit.ts'
import { SignOns } from '../entities/sso.ts'
import { type StoredToken, Tokens } from '../entities/tokens.ts'
import { UserChanges } from '../entities/user-changes.ts'
import { type NewUser, type StoredUser, Users } from '../entities/users.ts'
import { queueMail } from '../mail/outbox.ts'
import { begin, type Tx } from '../tx.ts'
import { generateKey } from './keys.ts'
import { buildPageLink, buildSsoStartLink } from './links.ts'
import { assertLocationsExist } from './roles.ts'

type Invitee = Pick<NewUser, 'accountId' | 'email' | 'name' | 'actorRoles'>

const EMAIL_WRITE_INDEX = 1

export async function inviteUser(tx: Tx, invitee: Invitee, accountName: string): Promise<NewUser> {
  const id = newId('user')
  const link = createInviteLink(id, tx.now)
  const user: NewUser = {
    ...invitee,
    id,
    idp: 'wharf',
    metadata: {},
    invite: link.kept,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  UserChanges.insert(tx, user)
  await writeMail(tx, user, accountName, link.token)
  tx.write(...assertLocationsExist(user.actorRoles))
  tx.onConflict(({ failed }) =>
    failed.includes(EMAIL_WRITE_INDEX)
      ? conflict(message('access.userExists', { email: user.email }))
      : conflict(message('access.resourceOfRoleDeleted')),
  )
  return user
}

/** Invalidates the previous link. Throws 409 if the user already accepted. */
export async function resendInvitation(tx: Tx, user: StoredUser, accountName: string): Promise<void> {
  if (!user.invite) throw conflict(message('access.invitationAccepted'))
  const link = createInviteLink(user.id, tx.now)
  await UserChanges.change(tx, user, { ...user, invite: link.kept })
  await writeMail(tx, user, accountName, link.token)
}

function createInviteLink(userId: string, now: string) {
  const token = `${userId}_${randomText(43)}`
  return { token, kept: { hash: sha256(token), createdAt: now } }
}

async function writeMail(tx: Tx, user: NewUser, accountName: string, token: string): Promise<void> {
  const signOn = await SignOns.get(user.accountId)
  const paragraphs = signOn
    ? [`you are invited to ${accountName}. Sign in here with this address:`, buildSsoStartLink(user.accountId)]
    : [
        `you are invited to ${accountName}. Choose a password here:`,
        buildPageLink('accept-invite', token),
        `The link works once, within ${INVITE_HOURS} hours.`,
      ]
  queueMail(tx, {
    accountId: user.accountId,
    userId: user.id,
    to: user.email,
    subject: `Invitation to ${accountName}`,
    text: [`Hello ${user.name},`, ...paragraphs].join('\n\n'),
  })
}

const USER_TOKEN = /^(us_usr_[0-9A-Z]{26})_[A-Za-z0-9]{43}$/
/** Read when no user matches, so that every attempt takes the same steps. */
const PLACEHOLDER_USER_ID = 'us_usr_00000000000000000000000000'

/** @throws 401 for any invalid link (at the same cost as a valid one), 409 if the account uses single sign-on */
export async function acceptInvite(
  { token, password }: { token: string; password: string },
  address: string,
): Promise<NewUser> {
  const user = await Users.get(USER_TOKEN.exec(token)?.[1] ?? PLACEHOLDER_USER_ID)
  const passwordHash = await hashPassword(user?.email ?? PLACEHOLDER_USER_ID, password)
  const isMatch = constantTimeEqual(sha256(token), user?.invite?.hash ?? sha256(PLACEHOLDER_USER_ID))
  const age = Date.now() - Date.parse(user?.invite?.createdAt ?? '1970-01-01')
  if (!user?.invite || !isMatch || age > INVITE_HOURS * HOUR_MS) throw invalidLink()
  if (await SignOns.get(user.accountId)) throw conflict(message('access.usesSingleSignOn'))
  const tx = begin({ accountId: user.accountId, actorId: user.id })
  const { invite: _, rev: __, ...fields } = user
  const after = { ...fields, passwordHash, updatedAt: tx.now }
  await UserChanges.change(tx, user, after)
  AuditLog.add(tx, { action: 'users.acceptInvite', role: 'invited', address, resources: [user.id] })
  try {
    await tx.commit()
  } catch (error) {
    // The link was used or replaced at the same time.
    if (error instanceof ApiError && error.code === 'conflict') throw invalidLink()
    throw error
  }
  return after
}

const invalidLink = () => unauthenticated(message('access.linkNotValid'))

export async function removeUser(tx: Tx, user: StoredUser): Promise<void> {
  await UserChanges.delete(tx, user)
  tx.write(...(await Tokens.ofUser(user.id)).slice(0, MAX_TOKENS_PER_USER).map(Tokens.remove))
}

/** @throws ApiError 409 */
export async function assertTokensLeft(userId: string): Promise<void> {
  if ((await Tokens.ofUser(userId)).length >= MAX_TOKENS_PER_USER)
    throw conflict(message('access.tooManyTokens', { count: MAX_TOKENS_PER_USER }))
}

export async function addPersonalToken(
  tx: Tx,
  user: { accountId: string; userId: string },
  name: string,
): Promise<{ value: string; token: Omit<StoredToken, 'rev'> }> {
  await assertTokensLeft(user.userId)
  const key = generateKey('pat')
  const token = { ...user, id: key.id, name, createdAt: tx.now, hash: key.hash }
  tx.write(Tokens.create(token))
  return { value: key.value, token }
}
