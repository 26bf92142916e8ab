/** Mail leaves the outbox once, through SES, where the deployment has a sender address. */
import { beforeAll, describe, expect, it } from 'vitest'
import { getServer } from '../support/api.ts'
import { account, createFreshAccount } from '../support/fresh-account.ts'
import { callCloud } from '../support/signed-request.ts'
import { createUniqueName } from '../support/unique-name.ts'

const FROM = 'wharf@example.com'

interface Mail {
  Source: string
  Destination: { ToAddresses: string[] }
  Subject: string
  Body: { text_part: string }
}

beforeAll(async () => {
  getServer()
  process.env.MAIL_FROM = FROM
  const { env } = await import('../../lib/core/env.ts')
  expect(env().MAIL_FROM).toBe(FROM)
  await createFreshAccount()
})

const address = () => `${createUniqueName('mail')}@example.com`
const mailbox = async (): Promise<Mail[]> =>
  ((await callCloud(getServer().environment, '/_aws/ses')) as { messages: Mail[] }).messages
const mailsTo = async (to: string) => (await mailbox()).filter((mail) => mail.Destination.ToAddresses.includes(to))

async function putMailInOutbox(to: string, subject = 'Hello') {
  const { queueMail } = await import('../../lib/mail/outbox.ts')
  const { begin } = await import('../../lib/tx.ts')
  const { newId } = await import('../../lib/core/ids.ts')
  const tx = begin({ accountId: account.accountId, actorId: account.userId })
  const id = newId('invitation')
  queueMail(tx, { id, accountId: account.accountId, userId: account.userId, to, subject, text: `Grüße, ${to}` })
  const { commit } = tx
  await commit()
  return id
}
const mailer = async () => import('../../lib/mail/send.ts')
const getInvitation = async (id: string) => (await import('../../lib/entities/invitations.ts')).Invitations.get(id)

describe('a mail', () => {
  it('is sent once by many concurrent senders, and its text is deleted', async () => {
    const to = address()
    const id = await putMailInOutbox(to, 'Two\r\nlines')
    const { sendMail } = await mailer()
    const sent = await Promise.all(Array.from({ length: 8 }, () => sendMail(id)))
    expect(sent.filter(Boolean)).toHaveLength(1)
    expect(await mailsTo(to)).toMatchObject([
      { Source: FROM, Subject: 'Two lines', Body: { text_part: `Grüße, ${to}` } },
    ])
    const after = (await getInvitation(id))!
    expect(after.sealed).toBeUndefined()
    expect(after.sentAt).toBeDefined()
    expect(await sendMail(id)).toBe(false)
    const { serializeMail } = await import('../../lib/mail/outbox.ts')
    expect(serializeMail(after)).not.toHaveProperty('text')
  })

  it('that was not sent is picked up by the schedule', async () => {
    const to = address()
    const id = await putMailInOutbox(to)
    const { handler } = await import('../../functions/system/publish-pending.ts')
    await handler({ time: new Date(Date.now() + 1000).toISOString() })
    expect(await mailsTo(to)).toHaveLength(1)
    expect((await getInvitation(id))!.sentAt).toBeDefined()
  })

  it('is sent when the mailer is invoked for it', async () => {
    const to = address()
    const id = await putMailInOutbox(to)
    const { handler } = await import('../../functions/system/publish-pending.ts')
    expect(await handler({ mails: [id, 'us_inv_none'] })).toEqual({ mails: 1 })
    expect(await mailsTo(to)).toHaveLength(1)
  })

  it('that SES rejects is retried after a pause and stays in the outbox', async () => {
    const id = await putMailInOutbox('')
    const { sendMail } = await mailer()
    const now = new Date()
    expect(await sendMail(id, now)).toBe(false)
    const { attempts, sentAt, sealed } = (await getInvitation(id))!
    expect([attempts, sentAt, typeof sealed]).toEqual([1, undefined, 'string'])
    expect(await sendMail(id, new Date(now.getTime() + 30_000))).toBe(false)
    expect((await getInvitation(id))!.attempts).toBe(1)
    expect(await sendMail(id, new Date(now.getTime() + 61_000))).toBe(false)
    expect((await getInvitation(id))!.attempts).toBe(2)
  })
})
