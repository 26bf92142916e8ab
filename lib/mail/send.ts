/**
 * Sends what waits in the outbox, each mail once: whoever sends one claims it first, and one that was sent loses its text.
 * A mail is sent again only where a sender died between the sending and its note, or met an error: then after a pause.
 */
import { unseal } from '../auth/secrets.ts'
import { env } from '../core/env.ts'
import { log } from '../core/log.ts'
import { Invitations, MAIL_QUEUE, type StoredInvitation } from '../entities/invitations.ts'
import { due, dueAt } from '../table/due.ts'
import { committed, transact } from '../table/transact.ts'
import { deliver } from './ses.ts'

/** Pauses after each attempt; after the last one the mail stays in the outbox unsent. */
const PAUSE_SECONDS = [60, 120, 300, 600, 1800, 3600, 7200, 14_400]

/** Sends the mail unless it was sent or is being sent. Answers whether this call sent it. */
export async function sendMail(id: string, now = new Date()): Promise<boolean> {
  const { MAIL_FROM } = env()
  const mail = await Invitations.get(id)
  const { sealed, sentAt, attempts = 0 } = mail ?? {}
  if (!MAIL_FROM || !mail || !sealed || sentAt || !(await claimed(mail, now))) return false
  const { to, subject } = mail
  try {
    await deliver({ from: MAIL_FROM, to, subject, text: unseal(sealed, id) })
  } catch (error) {
    const last = attempts + 1 >= PAUSE_SECONDS.length
    log.error(last ? 'A mail could not be sent' : 'A mail is tried again', { id, error: error as Error })
    return false
  }
  await noteSent(id, now)
  return true
}

/** Moves its time on before it is sent: of several senders one goes on. */
async function claimed(mail: StoredInvitation, now: Date): Promise<boolean> {
  const pause = PAUSE_SECONDS[mail.attempts]
  const waiting =
    mail.triedAt === undefined ? 0 : Date.parse(mail.triedAt) + (PAUSE_SECONDS[mail.attempts - 1] ?? 0) * 1000
  if (pause === undefined || waiting > now.getTime()) return false
  const write = Invitations.replace(mail, { ...mail, attempts: mail.attempts + 1, triedAt: now.toISOString() })
  const next = new Date(now.getTime() + pause * 1000).toISOString()
  const last = mail.attempts + 1 >= PAUSE_SECONDS.length
  return committed(transact([last ? write : dueAt(write, MAIL_QUEUE, mail.id, next)]))
}

/** The guest may use the link at the same moment: then the note is written over that. */
async function noteSent(id: string, now: Date): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const mail = await Invitations.get(id)
    if (!mail) return
    const { sealed: _, rev: __, ...rest } = mail
    if (await committed(transact([Invitations.replace(mail, { ...rest, sentAt: now.toISOString() })]))) return
  }
}

/** Sends what is due at `now`. Answers how many were sent. */
export async function sendDue(now: Date): Promise<number> {
  let sent = 0
  if (!env().MAIL_FROM) return sent
  for await (const ids of due(MAIL_QUEUE, now)) for (const id of ids) if (await sendMail(id, now)) sent++
  return sent
}
