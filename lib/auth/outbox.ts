/** The outbox: mails are written with what they are about, and leave afterwards, by the mailer or by whoever reads them here. */
import { type Invitation, MAIL_DAYS } from '../../schemas/invitation.ts'
import { env } from '../core/env.ts'
import { newId } from '../core/ids.ts'
import { onDemand } from '../core/on-demand.ts'
import { Invitations, MAIL_QUEUE, type StoredInvitation } from '../entities/invitations.ts'
import { dueAt } from '../table/due.ts'
import type { Tx } from '../tx.ts'
import { seal, unseal } from './secrets.ts'

const later = onDemand(() => import('../events/later.ts'))

/** A mail to a guest about a space, or to a user. */
export type NewMail = {
  id?: string
  accountId: string
  to: string
  subject: string
  text: string
  /** Of the token in it, where that is the mail's own. */
  hash?: string
} & ({ environmentId: string; spaceId: string; guestId: string } | { userId: string })

/** Writes the mail in the caller's unit of work; where the deployment sends mail, it is sent after the commit. */
export function putMail(tx: Tx, { id = newId('invitation'), text, ...mail }: NewMail): void {
  const write = Invitations.create({
    ...mail,
    id,
    place: 'environmentId' in mail ? mail.environmentId : mail.accountId,
    person: 'guestId' in mail ? mail.guestId : mail.userId,
    subject: mail.subject.replace(/\p{Cc}+/gu, ' '),
    sealed: seal(text, id),
    attempts: 0,
    createdAt: tx.now,
    expires: Math.floor(Date.parse(tx.now) / 1000) + MAIL_DAYS * 86_400,
  })
  const sending = env().MAIL_FROM !== ''
  tx.write(sending ? dueAt(write, MAIL_QUEUE, id, tx.now) : write)
  if (!sending) return
  tx.afterCommit(async () => (await later()).platformLater('publish-pending', { mails: [id] }))
}

/** A mail as those see it who may read the outbox; one that was sent has no text any more. */
export const shownMail = ({ sealed, ...mail }: StoredInvitation): Invitation => ({
  ...mail,
  ...(sealed ? { text: unseal(sealed, mail.id) } : {}),
})
