/** Invitations, tokens and deletion of users. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { catchProblem, startAuthCloud } from '../../support/auth-cloud.ts'
import {
  AT,
  buildRoleAssignment,
  configureSignOn,
  createScope,
  deleteItem,
  newIdSuffix,
} from '../../support/auth-items.ts'

await startAuthCloud({ CONSOLE_URL: 'https://console.example' })
const users = await import('../../../lib/auth/users.ts')
const outbox = await import('../../../lib/mail/outbox.ts')
const begin = (await import('../../../lib/tx.ts')).begin
const Invitations = (await import('../../../lib/entities/invitations.ts')).Invitations
const here = await createScope()
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
  it('signs in at the provider when the account has single sign-on', async () => {
    const other = await createScope()
    await configureSignOn(other.accountId)
    const made = await inviteUser({ accountId: other.accountId })
    expect((await findMail(made.id)).text).toBe(
      [
        'Hello Grace,',
        'you are invited to The Account. Sign in here with this address:',
        `http://127.0.0.1/api/v1/auth/sso/start?accountId=${other.accountId}`,
      ].join('\n\n'),
    )
  })

  it('cannot set a password when the account has single sign-on', async () => {
    const other = await createScope()
    const made = await inviteUser({ accountId: other.accountId })
    const token = await findLinkToken(made.id)
    await configureSignOn(other.accountId)
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
