/**
 * By the clock: publishes what a crash left between a write and the bus, of the table's events and of the sheets' logs, and
 * does what else is due: sends mails, and replaces a signing key that has become old. Woken in between for mails that were
 * just written, and by whoever wants a new signing key now (`npm run keys:rotate`).
 */
import type { ScheduledEvent } from 'aws-lambda'
import { rotateSigningKeys, rotateWhenOld } from '../../lib/auth/signing-keys.ts'
import { publishLeftCommits } from '../../lib/commits/publish.ts'
import { env } from '../../lib/core/env.ts'
import { log } from '../../lib/core/log.ts'
import { measure } from '../../lib/core/metrics.ts'
import { PENDING_GRACE_MS, publishPending } from '../../lib/events/sweep.ts'
import { sendDue, sendMail } from '../../lib/mail/send.ts'

type Woken = { mails: string[] } | { rotateKeys: { revoke?: boolean } }

/** `time` is the schedule's own clock. */
export async function handler(event: Pick<ScheduledEvent, 'time'> | Woken): Promise<object> {
  if ('mails' in event) return send(event.mails)
  if ('rotateKeys' in event) return { kid: await rotateSigningKeys({ revoke: event.rotateKeys.revoke === true }) }
  return sweep(event.time)
}

async function send(mails: string[]): Promise<{ mails: number }> {
  const sent = await Promise.all(mails.map((id) => sendMail(id)))
  return { mails: sent.filter(Boolean).length }
}

/** What one part meets does not hold up the others; it fails the run, which is repeated. */
async function sweep(time: string): Promise<{ events: number; commits: number; mails: number }> {
  const before = new Date(Date.parse(time) - PENDING_GRACE_MS)
  const [events, commits, mails, keys] = await Promise.allSettled([
    publishPending(before),
    publishLeftCommits(before),
    sendDue(new Date(time)),
    rotateWhenOld(env().SIGNING_KEY_DAYS, new Date(time)),
  ])
  if (events.status === 'rejected') throw events.reason
  if (commits.status === 'rejected') throw commits.reason
  if (mails.status === 'rejected') throw mails.reason
  if (keys.status === 'rejected') throw keys.reason
  const published = { events: events.value, commits: commits.value }
  const recovered = published.events + published.commits
  if (recovered > 0) {
    log.warn('Published what was left pending', published)
    measure({ EventsRecovered: recovered })
  }
  return { ...published, mails: mails.value }
}
