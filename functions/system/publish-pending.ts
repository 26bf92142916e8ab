/** Scheduled: publishes what a crash left unpublished, sends due mails and rotates old signing keys. */
import type { ScheduledEvent } from 'aws-lambda'
import { rotateIfOlderThan, rotateSigningKeys } from '../../lib/auth/signing-keys.ts'
import { publishPendingCommits } from '../../lib/commits/publish.ts'
import { env } from '../../lib/core/env.ts'
import { log } from '../../lib/core/log.ts'
import { recordMetrics } from '../../lib/core/metrics.ts'
import { PENDING_GRACE_MS, publishPendingEvents } from '../../lib/events/republish.ts'
import { sendDueMails, sendMail } from '../../lib/mail/send.ts'

type Invocation = { mails: string[] } | { rotateKeys: { revoke?: boolean } }

export async function handler(event: Pick<ScheduledEvent, 'time'> | Invocation): Promise<object> {
  if ('mails' in event) return sendMails(event.mails)
  if ('rotateKeys' in event) return { kid: await rotateSigningKeys({ revoke: event.rotateKeys.revoke === true }) }
  return runDueWork(event.time)
}

async function sendMails(mails: string[]): Promise<{ mails: number }> {
  const sent = await Promise.all(mails.map((id) => sendMail(id)))
  return { mails: sent.filter(Boolean).length }
}

/** A failing step does not stop the others, but fails the run, which is retried. */
async function runDueWork(time: string): Promise<{ events: number; commits: number; mails: number }> {
  const before = new Date(Date.parse(time) - PENDING_GRACE_MS)
  const [events, commits, mails, keys] = await Promise.allSettled([
    publishPendingEvents(before),
    publishPendingCommits(before),
    sendDueMails(new Date(time)),
    rotateIfOlderThan(env().SIGNING_KEY_DAYS, new Date(time)),
  ])
  if (events.status === 'rejected') throw events.reason
  if (commits.status === 'rejected') throw commits.reason
  if (mails.status === 'rejected') throw mails.reason
  if (keys.status === 'rejected') throw keys.reason
  const published = { events: events.value, commits: commits.value }
  const recovered = published.events + published.commits
  if (recovered > 0) {
    log.warn('Published pending events', published)
    recordMetrics({ EventsRecovered: recovered })
  }
  return { ...published, mails: mails.value }
}
