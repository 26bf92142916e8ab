/** Mails are stored in the transaction that causes them and sent afterwards, or read via GET /invitations. */
import { type Invitation, MAIL_RETENTION_DAYS } from '../../schemas/invitations/shape.ts'
import { DAY_SECONDS } from '../../schemas/kit/time.ts'
import { decrypt, encrypt } from '../core/crypto.ts'
import { env } from '../core/env.ts'
import { newId } from '../core/ids.ts'
import { lazy } from '../core/lazy.ts'
import { Invitations, MAIL_QUEUE, type StoredInvitation } from '../entities/invitations.ts'
import { enqueueAt } from '../table/due-queue.ts'
import type { Tx } from '../tx.ts'

const loadInvokeAsync = lazy(() => import('../events/invoke-async.ts'))

export type NewMail = {
  id?: string
  accountId: string
  to: string
  subject: string
  text: string
  hash?: string
} & ({ environmentId: string; spaceId: string; guestId: string } | { userId: string })

export function queueMail(tx: Tx, { id = newId('invitation'), text, ...mail }: NewMail): void {
  const write = Invitations.create({
    ...mail,
    id,
    place: 'environmentId' in mail ? mail.environmentId : mail.accountId,
    person: 'guestId' in mail ? mail.guestId : mail.userId,
    subject: mail.subject.replace(/\p{Cc}+/gu, ' '),
    sealed: encrypt(text, id),
    attempts: 0,
    createdAt: tx.now,
    expires: Math.floor(Date.parse(tx.now) / 1000) + MAIL_RETENTION_DAYS * DAY_SECONDS,
  })
  const isSendingEnabled = env().MAIL_FROM !== ''
  tx.write(isSendingEnabled ? enqueueAt(write, MAIL_QUEUE, id, tx.now) : write)
  if (!isSendingEnabled) return
  tx.afterCommit(async () => (await loadInvokeAsync()).invokePlatformFunction('publish-pending', { mails: [id] }))
}

export const serializeMail = ({ sealed: ciphertext, ...mail }: StoredInvitation): Invitation => ({
  ...mail,
  ...(ciphertext ? { text: decrypt(ciphertext, mail.id) } : {}),
})
