/** Sends the mails in the outbox. Each is claimed first and sent again only if its sender failed. */
import { decrypt } from '../core/crypto.ts'
import { env } from '../core/env.ts'
import { log } from '../core/log.ts'
import { Invitations, MAIL_QUEUE, type StoredInvitation } from '../entities/invitations.ts'
import { dueBefore, enqueueAt } from '../table/due-queue.ts'
import { retryOnConflict, transact, tryCommit } from '../table/transact.ts'
import { deliver } from './ses.ts'

/** After the last attempt the mail stays in the outbox unsent. */
const RETRY_DELAYS_SECONDS = [60, 120, 300, 600, 1800, 3600, 7200, 14_400]
const MAX_MARK_ATTEMPTS = 5

export async function sendMail(id: string, now = new Date()): Promise<boolean> {
  const { MAIL_FROM } = env()
  const mail = await Invitations.get(id)
  const { sealed: ciphertext, sentAt, attempts = 0 } = mail ?? {}
  if (!MAIL_FROM || !mail || !ciphertext || sentAt || !(await claimMail(mail, now))) return false
  const { to, subject } = mail
  try {
    await deliver({ from: MAIL_FROM, to, subject, text: decrypt(ciphertext, id) })
  } catch (error) {
    const isLastAttempt = attempts + 1 >= RETRY_DELAYS_SECONDS.length
    log.error(
      isLastAttempt ? 'A mail could not be sent after all attempts' : 'A mail could not be sent and will be retried',
      { id, error: error as Error },
    )
    return false
  }
  await markSent(id, now)
  return true
}

/** Postpones the next attempt before sending, so that of several senders one proceeds. */
async function claimMail(mail: StoredInvitation, now: Date): Promise<boolean> {
  const delaySeconds = RETRY_DELAYS_SECONDS[mail.attempts]
  const retryAt =
    mail.triedAt === undefined ? 0 : Date.parse(mail.triedAt) + (RETRY_DELAYS_SECONDS[mail.attempts - 1] ?? 0) * 1000
  if (delaySeconds === undefined || retryAt > now.getTime()) return false
  const write = Invitations.replace(mail, { ...mail, attempts: mail.attempts + 1, triedAt: now.toISOString() })
  const nextAttemptAt = new Date(now.getTime() + delaySeconds * 1000).toISOString()
  const isLastAttempt = mail.attempts + 1 >= RETRY_DELAYS_SECONDS.length
  return tryCommit(transact([isLastAttempt ? write : enqueueAt(write, MAIL_QUEUE, mail.id, nextAttemptAt)]))
}

/** The guest may use the link at the same time, hence the retries. */
async function markSent(id: string, now: Date): Promise<void> {
  const marked = retryOnConflict(MAX_MARK_ATTEMPTS, async () => {
    const mail = await Invitations.get(id)
    if (!mail) return
    const { sealed: _, rev: __, ...fields } = mail
    await transact([Invitations.replace(mail, { ...fields, sentAt: now.toISOString() })])
  })
  await tryCommit(marked)
}

export async function sendDueMails(now: Date): Promise<number> {
  let sent = 0
  if (!env().MAIL_FROM) return sent
  for await (const ids of dueBefore(MAIL_QUEUE, now)) for (const id of ids) if (await sendMail(id, now)) sent++
  return sent
}
