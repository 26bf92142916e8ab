/** Posts an event to a webhook's address, signed as Standard Webhooks has it (https://www.standardwebhooks.com). */
import { Webhook as Signer } from 'standardwebhooks'
import type { Event } from '../../schemas/events.ts'
import { ANSWER_BYTES, type Attempt } from '../../schemas/webhooks.ts'
import { ask, OutboundError } from '../core/outbound.ts'
import type { NewWebhook } from '../entities/webhooks.ts'
import { detailOf } from '../events/claimed.ts'
import { signingSecrets } from './secrets.ts'

const TIMEOUT_MS = 15_000

/** What is posted; the same at every try, whatever has become of the event since. */
function bodyOf(event: Event): string {
  const { acknowledgedAt: _at, acknowledgedBy: _by, ...told } = event
  return detailOf(told)
}

/** Never throws for what the address does: that is the attempt's outcome. */
export async function send(
  webhook: Pick<NewWebhook, 'environmentId' | 'id' | 'url' | 'secrets'>,
  event: Event,
  now: Date,
): Promise<Attempt> {
  const started = performance.now()
  const attempt = (outcome: Omit<Attempt, 'at' | 'durationMs'>): Attempt => ({
    at: now.toISOString(),
    durationMs: Math.round(performance.now() - started),
    ...outcome,
  })
  try {
    const { status, body } = await ask({
      url: webhook.url,
      ...(await signed(webhook, event, now)),
      timeoutMs: TIMEOUT_MS,
      answerBytes: ANSWER_BYTES,
    })
    return attempt({ success: status >= 200 && status < 300, statusCode: status, answer: textOf(body) })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return attempt({ success: false, error: error.message })
  }
}

/** The signature covers the id, the time and the body; by each secret that is valid, so that the receiver can move on. */
async function signed(webhook: Pick<NewWebhook, 'environmentId' | 'id' | 'secrets'>, event: Event, now: Date) {
  const body = bodyOf(event)
  const secrets = await signingSecrets(webhook, now)
  const signatures = secrets.map((secret) => new Signer(secret).sign(event.id, now, body))
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Wharf-Webhooks/1',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
  }
}

/** Bytes cut within a character, or none of text, leave replacement characters; a NUL would be shown as nothing. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '\uFFFD')
