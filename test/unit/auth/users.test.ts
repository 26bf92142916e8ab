/** Users come by invitation, have tokens, and go. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type AuthCloud, authCloud, problem } from '../../support/auth-cloud.ts'
import { AT, drop, held, type Place, place, put, tail, user } from '../../support/auth-items.ts'

let cloud: AuthCloud
let users: typeof import('../../../lib/auth/users.ts')
let outbox: typeof import('../../../lib/auth/outbox.ts')
let begin: typeof import('../../../lib/tx.ts')['begin']
let Users: typeof import('../../../lib/entities/users.ts')['Users']
let Tokens: typeof import('../../../lib/entities/tokens.ts')['Tokens']
let Invitations: typeof import('../../../lib/entities/invitations.ts')['Invitations']
let here: Place

beforeAll(async () => {
  cloud = await authCloud({ CONSOLE_URL: 'https://console.example' })
  users = await import('../../../lib/auth/users.ts')
  outbox = await import('../../../lib/auth/outbox.ts')
  begin = (await import('../../../lib/tx.ts')).begin
  Users = (await import('../../../lib/entities/users.ts')).Users
  Tokens = (await import('../../../lib/entities/tokens.ts')).Tokens
  Invitations = (await import('../../../lib/entities/invitations.ts')).Invitations
  here = await place()
})
afterAll(() => cloud.close())
afterEach(() => void vi.useRealTimers())

const PASSWORD = 'a password of some length'
const unit = (now = new Date().toISOString()) => begin({ accountId: here.accountId, actorId: 'us_usr_x' }, now)

async function invited(more: object = {}, now?: string) {
  const tx = unit(now)
  const { accountId } = here
  const asked = {
    accountId,
    email: `${tail()}@example.com`.toLowerCase(),
    name: 'Grace',
    actorRoles: [held('administrator')],
    ...more,
  }
  const made = await users.inviteUser(tx, asked as never, 'The Account')
  await tx.commit()
  return made
}
/** The newest mail to a person, as administrators see it. */
async function mailTo(userId: string) {
  const [mail] = await Invitations.newestOf(userId)
  return outbox.shownMail(mail!)
}
const linkTo = async (userId: string) => /#token=(\S+)/.exec((await mailTo(userId)).text!)![1]!
const accept = (token: string, password = PASSWORD) => users.acceptInvite({ token, password }, '192.0.2.1')
const REFUSED = '401 unauthenticated: The link is not valid: it was used, is too old, or a newer one was mailed.'

describe('an invited user', () => {
  it('is there without a password, and gets a mail with a link', async () => {
    const made = await invited()
    expect(made.id).toMatch(/^us_usr_/)
    const kept = (await Users.get(made.id))!
    expect(kept).toEqual({ ...made, rev: 1 })
    expect(kept).toMatchObject({ idp: 'wharf', metadata: {}, name: 'Grace', accountId: here.accountId })
    expect(kept).not.toHaveProperty('passwordHash')
    expect(kept.createdAt).toBe(kept.updatedAt)
    const mail = await mailTo(made.id)
    expect(mail).toMatchObject({
      userId: made.id,
      to: made.email,
      subject: 'Invitation to The Account',
      accountId: here.accountId,
    })
    const token = await linkTo(made.id)
    expect(token).toMatch(new RegExp(`^${made.id}_[A-Za-z0-9]{43}$`))
    expect(mail.text).toBe(
      [
        'Hello Grace,',
        'you are invited to The Account. Choose a password here:',
        `https://console.example/accept-invite#token=${token}`,
        'The link works once, within 72 hours.',
      ].join('\n\n'),
    )
    const { sha256 } = await import('../../../lib/auth/secrets.ts')
    expect(kept.invite).toEqual({ hash: sha256(token), createdAt: kept.createdAt })
    expect(JSON.stringify(kept)).not.toContain(token)
  })

  it('signs in at the provider where the account has single sign-on', async () => {
    const other = await place()
    await put('sso', { id: other.accountId, issuer: 'https://i.example', clientId: 'c', createdAt: AT, updatedAt: AT })
    const made = await invited({ accountId: other.accountId })
    expect((await mailTo(made.id)).text).toBe(
      [
        'Hello Grace,',
        'you are invited to The Account. Sign in here with this address:',
        `http://127.0.0.1/api/v1/auth/sso/start?accountId=${other.accountId}`,
      ].join('\n\n'),
    )
  })

  it('has an address that nobody else has, and roles on what is there', async () => {
    const made = await invited()
    expect(await problem(() => invited({ email: made.email.toUpperCase() }))).toBe(
      `409 conflict: There is a user with the address ${made.email.toUpperCase()}.`,
    )
    const gone = [held('reader', { environmentId: `us_env_${tail()}` })]
    expect(await problem(() => invited({ actorRoles: gone }))).toBe(
      '409 conflict: What one of the roles is on was deleted at the same time.',
    )
    const { environmentId, spaceId } = here
    await invited({ actorRoles: [held('reader', { environmentId }), held('reader', { environmentId, spaceId })] })
  })

  it('chooses a password by the link, once', async () => {
    const made = await invited()
    const token = await linkTo(made.id)
    const { passwordFits, passwordKey } = await import('../../../lib/auth/secrets.ts')
    const entered = await accept(token)
    expect(entered).toMatchObject({ id: made.id, email: made.email })
    const kept = (await Users.get(made.id))!
    expect(kept).not.toHaveProperty('invite')
    expect(kept.updatedAt >= made.updatedAt).toBe(true)
    expect(passwordFits(await passwordKey(made.email, PASSWORD), kept.passwordHash)).toBe(true)
    expect(await problem(() => accept(token, 'another password'))).toBe(REFUSED)
    const { AuditLog } = await import('../../../lib/entities/audit.ts')
    const { data } = await AuditLog.page(here.accountId, { action: 'users.acceptInvite' }, 100)
    expect(data.find(({ resources }) => resources.includes(made.id))).toMatchObject({
      actorId: made.id,
      role: 'invited',
      address: '192.0.2.1',
      resources: [made.id],
    })
  })

  it('comes in by no other link', async () => {
    const made = await invited()
    const token = await linkTo(made.id)
    const other = await invited()
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
      expect(await problem(() => accept(forged)), forged).toBe(REFUSED)
    expect((await Users.get(made.id))!.invite).toBeDefined()
    expect((await accept(token)).id).toBe(made.id)
  }, 60_000)

  it('comes in within 72 hours', async () => {
    const made = await invited({}, new Date(Date.now() - 72 * 3_600_000 + 60_000).toISOString())
    const late = await invited({}, new Date(Date.now() - 72 * 3_600_000 - 1000).toISOString())
    expect(await problem(async () => accept(await linkTo(late.id)))).toBe(REFUSED)
    expect((await accept(await linkTo(made.id))).id).toBe(made.id)
  })

  it('does not choose a password where the account has single sign-on', async () => {
    const other = await place()
    const made = await invited({ accountId: other.accountId })
    const token = await linkTo(made.id)
    await put('sso', { id: other.accountId, issuer: 'https://i.example', clientId: 'c', createdAt: AT, updatedAt: AT })
    expect(await problem(() => accept(token))).toBe('409 conflict: This account uses single sign-on: sign in there.')
    await drop('sso', other.accountId)
    expect((await accept(token)).id).toBe(made.id)
  })

  it('is let in once of many at the same moment, and errors of the table are no refusal', async () => {
    const made = await invited()
    const token = await linkTo(made.id)
    const { documents } = await import('../../../lib/table/client.ts')
    const send = documents.send.bind(documents)
    const broken = vi
      .spyOn(documents, 'send')
      .mockImplementation(((command: { constructor: { name: string } }) =>
        command.constructor.name === 'TransactWriteCommand'
          ? Promise.reject(new Error('no table'))
          : send(command as never)) as never)
    expect(await problem(() => accept(token).catch((error) => expect(error.message).toBe('no table')))).toBe('none')
    broken.mockRestore()
    const answers = await Promise.all([1, 2, 3].map((n) => problem(() => accept(token, `password number ${n}`))))
    expect(answers.toSorted()).toEqual([REFUSED, REFUSED, 'none'])
  })

  it('gets another link, which ends the one before, until it is in', async () => {
    const made = await invited({}, AT)
    const before = await linkTo(made.id)
    const tx = unit()
    await users.inviteAgain(tx, (await Users.get(made.id))!, 'The Account')
    await tx.commit()
    const token = await linkTo(made.id)
    expect(token).not.toBe(before)
    expect((await Users.get(made.id))!.invite!.createdAt).toBe(tx.now)
    expect(await problem(() => accept(before))).toBe(REFUSED)
    await accept(token)
    expect(await problem(async () => users.inviteAgain(unit(), (await Users.get(made.id))!, 'A'))).toBe(
      '409 conflict: The user has accepted the invitation already.',
    )
  })
})

describe('a token of a user', () => {
  it('is kept without its value, 50 of them', async () => {
    const someone = await user(here.accountId, [])
    const owner = { accountId: here.accountId, userId: someone.id }
    const tx = unit(AT)
    const { value, token } = await users.addToken(tx, owner, 'Script')
    await tx.commit()
    const { keyIdOf, keyMatches } = await import('../../../lib/auth/keys.ts')
    expect(keyIdOf(value)).toEqual({ id: token.id, prefix: 'pat' })
    expect(keyMatches(value, token.hash)).toBe(true)
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
        put(
          'token',
          { id: `pat_${someone.id}${i}`, ...owner, name: 'T', createdAt: AT, hash: 'h' },
          { gsi1: someone.id },
        ),
      ),
    )
    const last = unit()
    await users.addToken(last, owner, 'Last')
    await last.commit()
    expect(await problem(() => users.addToken(unit(), owner, 'More'))).toBe(
      '409 conflict: A user may have 50 tokens: delete one first.',
    )
    const removal = unit()
    await users.removeUser(removal, (await Users.get(someone.id))!)
    await removal.commit()
    expect(await Users.get(someone.id)).toBeUndefined()
    expect(await Tokens.ofUser(someone.id)).toEqual([])
  })
})

describe('a deleted user', () => {
  it('leaves an administrator behind', async () => {
    const other = await place()
    const [one, two] = [
      await user(other.accountId, [held('administrator')], { passwordHash: 'h' }),
      await user(other.accountId, [held('administrator')], { passwordHash: 'h' }),
    ]
    const remove = async (who: typeof one) => {
      const tx = begin({ accountId: other.accountId, actorId: 'us_usr_x' })
      await users.removeUser(tx, who)
      await tx.commit()
    }
    await remove(one)
    expect(await problem(() => remove(two))).toMatch(/^409 conflict: An account keeps at least one administrator/)
  })
})

describe('a mail', () => {
  it('waits in the outbox with its text sealed, for three days', async () => {
    const tx = unit(AT)
    const { accountId, environmentId, spaceId } = here
    outbox.putMail(tx, {
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
    outbox.putMail(tx, { accountId, userId: 'us_usr_y', to: 'b@example.com', subject: 'S', text: 'other' })
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
    const shown = outbox.shownMail(kept)
    expect(shown).toMatchObject({ id: 'us_inv_m1', text: 'the text' })
    expect(shown).not.toHaveProperty('sealed')
    const { sealed: _, ...sent } = kept
    expect(outbox.shownMail(sent)).not.toHaveProperty('text')
    const [other] = await Invitations.newestOf('us_usr_y')
    expect(other).toMatchObject({ place: accountId, person: 'us_usr_y', id: expect.stringMatching(/^us_inv_/) })
    const { documents } = await import('../../../lib/table/client.ts')
    const { GetCommand } = await import('@aws-sdk/lib-dynamodb')
    const key = { pk: 'invitation#us_inv_m1', sk: '-' }
    const { Item } = await documents.send(new GetCommand({ TableName: process.env.TABLE_NAME, Key: key }))
    expect(Item).not.toHaveProperty('pendingpk')
  })

  it('is due at once where the deployment sends mail, and the sender is woken', async () => {
    vi.resetModules()
    process.env.MAIL_FROM = 'wharf@example.com'
    const woken = vi.fn(async () => {})
    vi.doMock('../../../lib/events/later.ts', () => ({ platformLater: woken }))
    try {
      const sending = await import('../../../lib/auth/outbox.ts')
      const tx = (await import('../../../lib/tx.ts')).begin({ accountId: here.accountId, actorId: 'x' }, AT)
      sending.putMail(tx, {
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
      const { due } = await import('../../../lib/table/due.ts')
      const ids = []
      for await (const some of due('mail', new Date(AT))) ids.push(...some)
      expect(ids).toEqual(['us_inv_m2'])
    } finally {
      delete process.env.MAIL_FROM
      vi.doUnmock('../../../lib/events/later.ts')
    }
  })
})
