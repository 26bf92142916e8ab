/** Invitations, tokens and deletion of users. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type AuthCloud, catchProblem, startAuthCloud } from '../../support/auth-cloud.ts'
import {
  AT,
  buildRoleAssignment,
  createScope,
  createUser,
  deleteItem,
  newIdSuffix,
  putItem,
  type SeedScope,
} from '../../support/auth-items.ts'

let cloud: AuthCloud
let users: typeof import('../../../lib/auth/users.ts')
let outbox: typeof import('../../../lib/mail/outbox.ts')
let begin: typeof import('../../../lib/tx.ts')['begin']
let Users: typeof import('../../../lib/entities/users.ts')['Users']
let Tokens: typeof import('../../../lib/entities/tokens.ts')['Tokens']
let Invitations: typeof import('../../../lib/entities/invitations.ts')['Invitations']
let here: SeedScope

beforeAll(async () => {
  cloud = await startAuthCloud({ CONSOLE_URL: 'https://console.example' })
  users = await import('../../../lib/auth/users.ts')
  outbox = await import('../../../lib/mail/outbox.ts')
  begin = (await import('../../../lib/tx.ts')).begin
  Users = (await import('../../../lib/entities/users.ts')).Users
  Tokens = (await import('../../../lib/entities/tokens.ts')).Tokens
  Invitations = (await import('../../../lib/entities/invitations.ts')).Invitations
  here = await createScope()
})
afterAll(() => cloud.close())
afterEach(() => void vi.useRealTimers())

const PASSWORD = 'a password of some length'
const beginTx = (now = new Date().toISOString()) => begin({ accountId: here.accountId, actorId: 'us_usr_x' }, now)

async function inviteUser(more: object = {}, now?: string) {
  const tx = beginTx(now)
  const { accountId } = here
  const asked = {
    accountId,
    email: `${newIdSuffix()}@example.com`.toLowerCase(),
    name: 'Grace',
    actorRoles: [buildRoleAssignment('administrator')],
    ...more,
  }
  const made = await users.inviteUser(tx, asked as never, 'The Account')
  await tx.commit()
  return made
}
async function findMail(userId: string) {
  const [mail] = await Invitations.newestOf(userId)
  return outbox.serializeMail(mail!)
}
const findLinkToken = async (userId: string) => /#token=(\S+)/.exec((await findMail(userId)).text!)![1]!
const accept = (token: string, password = PASSWORD) => users.acceptInvite({ token, password }, '192.0.2.1')
const REFUSED =
  '401 unauthenticated: This link is not valid: it was already used, has expired or was replaced by a newer one.'

describe('invited user', () => {
  it('is created without a password, and receives an email with a link', async () => {
    const made = await inviteUser()
    expect(made.id).toMatch(/^us_usr_/)
    const kept = (await Users.get(made.id))!
    expect(kept).toEqual({ ...made, rev: 1 })
    expect(kept).toMatchObject({ idp: 'wharf', metadata: {}, name: 'Grace', accountId: here.accountId })
    expect(kept).not.toHaveProperty('passwordHash')
    expect(kept.createdAt).toBe(kept.updatedAt)
    const mail = await findMail(made.id)
    expect(mail).toMatchObject({
      userId: made.id,
      to: made.email,
      subject: 'Invitation to The Account',
      accountId: here.accountId,
    })
    const token = await findLinkToken(made.id)
    expect(token).toMatch(new RegExp(`^${made.id}_[A-Za-z0-9]{43}$`))
    expect(mail.text).toBe(
      [
        'Hello Grace,',
        'you are invited to The Account. Choose a password here:',
        `https://console.example/accept-invite#token=${token}`,
        'The link works once, within 72 hours.',
      ].join('\n\n'),
    )
    const { sha256 } = await import('../../../lib/core/crypto.ts')
    expect(kept.invite).toEqual({ hash: sha256(token), createdAt: kept.createdAt })
    expect(JSON.stringify(kept)).not.toContain(token)
  })

  it('signs in at the provider when the account has single sign-on', async () => {
    const other = await createScope()
    await putItem('sso', {
      id: other.accountId,
      issuer: 'https://i.example',
      clientId: 'c',
      createdAt: AT,
      updatedAt: AT,
    })
    const made = await inviteUser({ accountId: other.accountId })
    expect((await findMail(made.id)).text).toBe(
      [
        'Hello Grace,',
        'you are invited to The Account. Sign in here with this address:',
        `http://127.0.0.1/api/v1/auth/sso/start?accountId=${other.accountId}`,
      ].join('\n\n'),
    )
  })

  it('has a unique address, and roles on existing resources', async () => {
    const made = await inviteUser()
    expect(await catchProblem(() => inviteUser({ email: made.email.toUpperCase() }))).toBe(
      `409 conflict: A user with the address ${made.email.toUpperCase()} already exists.`,
    )
    const gone = [buildRoleAssignment('reader', { environmentId: `us_env_${newIdSuffix()}` })]
    expect(await catchProblem(() => inviteUser({ actorRoles: gone }))).toBe(
      '409 conflict: A resource referenced by one of the roles was just deleted.',
    )
    const { environmentId, spaceId } = here
    await inviteUser({
      actorRoles: [
        buildRoleAssignment('reader', { environmentId }),
        buildRoleAssignment('reader', { environmentId, spaceId }),
      ],
    })
  })

  it('sets a password through the link, once', async () => {
    const made = await inviteUser()
    const token = await findLinkToken(made.id)
    const { matchesPasswordHash, derivePasswordKey } = await import('../../../lib/core/crypto.ts')
    const entered = await accept(token)
    expect(entered).toMatchObject({ id: made.id, email: made.email })
    const kept = (await Users.get(made.id))!
    expect(kept).not.toHaveProperty('invite')
    expect(kept.updatedAt >= made.updatedAt).toBe(true)
    expect(matchesPasswordHash(await derivePasswordKey(made.email, PASSWORD), kept.passwordHash)).toBe(true)
    expect(await catchProblem(() => accept(token, 'another password'))).toBe(REFUSED)
    const { AuditLog } = await import('../../../lib/entities/audit.ts')
    const { data } = await AuditLog.page(here.accountId, { action: 'users.acceptInvite' }, 100)
    expect(data.find(({ resources }) => resources.includes(made.id))).toMatchObject({
      actorId: made.id,
      role: 'invited',
      address: '192.0.2.1',
      resources: [made.id],
    })
  })

  it('cannot use any other link', async () => {
    const made = await inviteUser()
    const token = await findLinkToken(made.id)
    const other = await inviteUser()
    const secret = token.slice(-43)
    for (const forged of [
      '',
      'x',
      made.id,
      `${made.id}_`,
      `${made.id}_${'A'.repeat(43)}`,
      `${other.id}_${secret}`,
      `${token}x`,
      `x${token}`,
      token.slice(0, -1),
      `us_usr_${'0'.repeat(26)}_${secret}`,
    ])
      expect(await catchProblem(() => accept(forged)), forged).toBe(REFUSED)
    expect((await Users.get(made.id))!.invite).toBeDefined()
    expect((await accept(token)).id).toBe(made.id)
  }, 60_000)

  it('can accept within 72 hours', async () => {
    const made = await inviteUser({}, new Date(Date.now() - 72 * 3_600_000 + 60_000).toISOString())
    const late = await inviteUser({}, new Date(Date.now() - 72 * 3_600_000 - 1000).toISOString())
    expect(await catchProblem(async () => accept(await findLinkToken(late.id)))).toBe(REFUSED)
    expect((await accept(await findLinkToken(made.id))).id).toBe(made.id)
  })

  it('cannot set a password when the account has single sign-on', async () => {
    const other = await createScope()
    const made = await inviteUser({ accountId: other.accountId })
    const token = await findLinkToken(made.id)
    await putItem('sso', {
      id: other.accountId,
      issuer: 'https://i.example',
      clientId: 'c',
      createdAt: AT,
      updatedAt: AT,
    })
    expect(await catchProblem(() => accept(token))).toBe(
      '409 conflict: This account uses single sign-on. Sign in there.',
    )
    await deleteItem('sso', other.accountId)
    expect((await accept(token)).id).toBe(made.id)
  })

  it('is accepted once by concurrent requests, and table errors do not count as a rejection', async () => {
    const made = await inviteUser()
    const token = await findLinkToken(made.id)
    const { documents } = await import('../../../lib/table/client.ts')
    const send = documents.send.bind(documents)
    const broken = vi
      .spyOn(documents, 'send')
      .mockImplementation(((command: { constructor: { name: string } }) =>
        command.constructor.name === 'TransactWriteCommand'
          ? Promise.reject(new Error('no table'))
          : send(command as never)) as never)
    expect(await catchProblem(() => accept(token).catch((error) => expect(error.message).toBe('no table')))).toBe(
      'none',
    )
    broken.mockRestore()
    const answers = await Promise.all([1, 2, 3].map((n) => catchProblem(() => accept(token, `password number ${n}`))))
    expect(answers.toSorted()).toEqual([REFUSED, REFUSED, 'none'])
  })

  it('receives a new link that replaces the previous one, until it has signed in', async () => {
    const made = await inviteUser({}, AT)
    const before = await findLinkToken(made.id)
    const tx = beginTx()
    await users.resendInvitation(tx, (await Users.get(made.id))!, 'The Account')
    await tx.commit()
    const token = await findLinkToken(made.id)
    expect(token).not.toBe(before)
    expect((await Users.get(made.id))!.invite!.createdAt).toBe(tx.now)
    expect(await catchProblem(() => accept(before))).toBe(REFUSED)
    await accept(token)
    expect(await catchProblem(async () => users.resendInvitation(beginTx(), (await Users.get(made.id))!, 'A'))).toBe(
      '409 conflict: The user has already accepted the invitation.',
    )
  })
})

describe('user tokens', () => {
  it('are stored without their value, at most 50', async () => {
    const someone = await createUser(here.accountId, [])
    const owner = { accountId: here.accountId, userId: someone.id }
    const tx = beginTx(AT)
    const { value, token } = await users.addPersonalToken(tx, owner, 'Script')
    await tx.commit()
    const { parseKey, matchesKeyHash } = await import('../../../lib/auth/keys.ts')
    expect(parseKey(value)).toEqual({ id: token.id, prefix: 'pat' })
    expect(matchesKeyHash(value, token.hash)).toBe(true)
    expect(await Tokens.get(token.id)).toEqual({
      ...owner,
      id: token.id,
      name: 'Script',
      createdAt: AT,
      hash: token.hash,
      rev: 1,
    })
    await Promise.all(
      Array.from({ length: 48 }, (_, i) =>
        putItem(
          'token',
          { id: `pat_${someone.id}${i}`, ...owner, name: 'T', createdAt: AT, hash: 'h' },
          { gsi1: someone.id },
        ),
      ),
    )
    const last = beginTx()
    await users.addPersonalToken(last, owner, 'Last')
    await last.commit()
    expect(await catchProblem(() => users.addPersonalToken(beginTx(), owner, 'More'))).toBe(
      '409 conflict: A user can have at most 50 tokens. Delete one first.',
    )
    const removal = beginTx()
    await users.removeUser(removal, (await Users.get(someone.id))!)
    await removal.commit()
    expect(await Users.get(someone.id)).toBeUndefined()
    expect(await Tokens.ofUser(someone.id)).toEqual([])
  })
})

describe('deleted user', () => {
  it('must leave an administrator behind', async () => {
    const other = await createScope()
    const [one, two] = [
      await createUser(other.accountId, [buildRoleAssignment('administrator')], { passwordHash: 'h' }),
      await createUser(other.accountId, [buildRoleAssignment('administrator')], { passwordHash: 'h' }),
    ]
    const removeUser = async (who: typeof one) => {
      const tx = begin({ accountId: other.accountId, actorId: 'us_usr_x' })
      await users.removeUser(tx, who)
      await tx.commit()
    }
    await removeUser(one)
    expect(await catchProblem(() => removeUser(two))).toMatch(
      /^409 conflict: An account needs at least one administrator/,
    )
  })
})

describe('email', () => {
  it('waits in the outbox with encrypted text for three days', async () => {
    const tx = beginTx(AT)
    const { accountId, environmentId, spaceId } = here
    outbox.queueMail(tx, {
      id: 'us_inv_m1',
      accountId,
      environmentId,
      spaceId,
      guestId: 'us_g_x',
      to: 'a@example.com',
      subject: 'One\r\nBcc: two\u0000',
      text: 'the text',
      hash: 'h',
    })
    outbox.queueMail(tx, { accountId, userId: 'us_usr_y', to: 'b@example.com', subject: 'S', text: 'other' })
    await tx.commit()
    const kept = (await Invitations.get('us_inv_m1'))!
    expect(kept).toEqual({
      id: 'us_inv_m1',
      accountId,
      environmentId,
      spaceId,
      guestId: 'us_g_x',
      to: 'a@example.com',
      subject: 'One Bcc: two ',
      hash: 'h',
      place: environmentId,
      person: 'us_g_x',
      sealed: expect.stringMatching(/^1\./),
      attempts: 0,
      createdAt: AT,
      expires: Math.floor(Date.parse(AT) / 1000) + 3 * 86_400,
      rev: 1,
    })
    const shown = outbox.serializeMail(kept)
    expect(shown).toMatchObject({ id: 'us_inv_m1', text: 'the text' })
    expect(shown).not.toHaveProperty('sealed')
    const { sealed: _, ...sent } = kept
    expect(outbox.serializeMail(sent)).not.toHaveProperty('text')
    const [other] = await Invitations.newestOf('us_usr_y')
    expect(other).toMatchObject({ place: accountId, person: 'us_usr_y', id: expect.stringMatching(/^us_inv_/) })
    const { documents } = await import('../../../lib/table/client.ts')
    const { GetCommand } = await import('@aws-sdk/lib-dynamodb')
    const key = { pk: 'invitation#us_inv_m1', sk: '-' }
    const { Item } = await documents.send(new GetCommand({ TableName: process.env.TABLE_NAME, Key: key }))
    expect(Item).not.toHaveProperty('pendingpk')
  })

  it('is due immediately when the deployment sends email, and wakes the sender', async () => {
    vi.resetModules()
    process.env.MAIL_FROM = 'wharf@example.com'
    const woken = vi.fn(async () => {})
    vi.doMock('../../../lib/events/invoke-async.ts', () => ({ invokePlatformFunction: woken }))
    try {
      const sending = await import('../../../lib/mail/outbox.ts')
      const tx = (await import('../../../lib/tx.ts')).begin({ accountId: here.accountId, actorId: 'x' }, AT)
      sending.queueMail(tx, {
        id: 'us_inv_m2',
        accountId: here.accountId,
        userId: 'us_usr_y',
        to: 'b@example.com',
        subject: 'S',
        text: 't',
      })
      expect(woken).not.toHaveBeenCalled()
      await tx.commit()
      expect(woken.mock.calls).toEqual([['publish-pending', { mails: ['us_inv_m2'] }]])
      const { dueBefore } = await import('../../../lib/table/due-queue.ts')
      const ids = []
      for await (const some of dueBefore('mail', new Date(AT))) ids.push(...some)
      expect(ids).toEqual(['us_inv_m2'])
    } finally {
      delete process.env.MAIL_FROM
      vi.doUnmock('../../../lib/events/invoke-async.ts')
    }
  })
})
