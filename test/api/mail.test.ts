/** Mails leave the outbox once, by SES, where the deployment has an address to send from. */
import { beforeAll, describe, expect, it } from 'vitest'
import { mintAccount, server, type TestAccount } from '../support/api.ts'
import { askCloud } from '../support/signed-request.ts'

const FROM = 'wharf@example.com'
let account: TestAccount
let count = 0

interface Mail {
  Source: string
  Destination: { ToAddresses: string[] }
  Subject: string
  Body: { text_part: string }
}

beforeAll(async () => {
  server()
  process.env.MAIL_FROM = FROM
  const { env } = await import('../../lib/core/env.ts')
  expect(env().MAIL_FROM).toBe(FROM)
  account = await mintAccount()
})

const address = () => `mail-${process.pid}-${Date.now()}-${count++}@example.com`
const mailbox = async (): Promise<Mail[]> =>
  ((await askCloud(server().environment, '/_aws/ses')) as { messages: Mail[] }).messages
const mailsTo = async (to: string) => (await mailbox()).filter((mail) => mail.Destination.ToAddresses.includes(to))

/** A mail in the outbox, as an invitation writes it; the mailer is not woken. */
async function written(to: string, subject = 'Hello') {
  const { putMail } = await import('../../lib/auth/outbox.ts')
  const { begin } = await import('../../lib/tx.ts')
  const { newId } = await import('../../lib/core/ids.ts')
  const tx = begin({ accountId: account.accountId, actorId: account.userId })
  const id = newId('invitation')
  putMail(tx, { id, accountId: account.accountId, userId: account.userId, to, subject, text: `Grüße, ${to}` })
  const { commit } = tx
  await commit()
  return id
}
const mailer = async () => import('../../lib/mail/send.ts')
const stored = async (id: string) => (await import('../../lib/entities/invitations.ts')).Invitations.get(id)

describe('a mail', () => {
  it('is sent once by many who send it at the same moment, and loses its text', async () => {
    const to = address()
    const id = await written(to, 'Two\r\nlines')
    const { sendMail } = await mailer()
    const sent = await Promise.all(Array.from({ length: 8 }, () => sendMail(id)))
    expect(sent.filter(Boolean)).toHaveLength(1)
    expect(await mailsTo(to)).toMatchObject([
      { Source: FROM, Subject: 'Two lines', Body: { text_part: `Grüße, ${to}` } },
    ])
    const after = (await stored(id))!
    expect(after.sealed).toBeUndefined()
    expect(after.sentAt).toBeDefined()
    expect(await sendMail(id)).toBe(false)
    const { shownMail } = await import('../../lib/auth/outbox.ts')
    expect(shownMail(after)).not.toHaveProperty('text')
  })

  it('that nobody sent is found by the clock', async () => {
    const to = address()
    const id = await written(to)
    const { handler } = await import('../../functions/system/publish-pending.ts')
    await handler({ time: new Date(Date.now() + 1000).toISOString() })
    expect(await mailsTo(to)).toHaveLength(1)
    expect((await stored(id))!.sentAt).toBeDefined()
  })

  it('is sent when the mailer is woken for it', async () => {
    const to = address()
    const id = await written(to)
    const { handler } = await import('../../functions/system/publish-pending.ts')
    expect(await handler({ mails: [id, 'us_inv_none'] })).toEqual({ mails: 1 })
    expect(await mailsTo(to)).toHaveLength(1)
  })

  it('that SES refuses is tried again after a pause, and stays in the outbox', async () => {
    const id = await written('')
    const { sendMail } = await mailer()
    const now = new Date()
    expect(await sendMail(id, now)).toBe(false)
    const { attempts, sentAt, sealed } = (await stored(id))!
    expect([attempts, sentAt, typeof sealed]).toEqual([1, undefined, 'string'])
    expect(await sendMail(id, new Date(now.getTime() + 30_000))).toBe(false)
    expect((await stored(id))!.attempts).toBe(1)
    expect(await sendMail(id, new Date(now.getTime() + 61_000))).toBe(false)
    expect((await stored(id))!.attempts).toBe(2)
  })
})
