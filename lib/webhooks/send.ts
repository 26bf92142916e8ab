/** Sends an event to a webhook, signed according to Standard Webhooks (https://www.standardwebhooks.com). */
import { Webhook as Signer } from 'standardwebhooks'
import type { Event } from '../../schemas/events/shape.ts'
import { CLOUD_EVENT_TYPE, toCloudEvent } from '../../schemas/webhooks/cloud-event.ts'
import { type Attempt, RESPONSE_BYTES } from '../../schemas/webhooks/shape.ts'
import { OutboundError, safeFetch } from '../core/safe-fetch.ts'
import { trace } from '../core/spans.ts'
import { getTrace, getTraceFields, parseTrace } from '../core/trace-context.ts'
import type { NewWebhook } from '../entities/webhooks.ts'
import { serializeDetail, truncateForBus } from '../events/claim-check.ts'
import { decryptSigningSecrets } from './secrets.ts'

const TIMEOUT_MS = 15_000

type Receiver = Pick<NewWebhook, 'environmentId' | 'id' | 'secrets' | 'format'>

function buildBody(format: Receiver['format'], event: Event): { body: string; type: string } {
  const { acknowledgedAt: _at, acknowledgedBy: _by, ...published } = event
  return format === 'cloudevents'
    ? { body: JSON.stringify(toCloudEvent(truncateForBus(published))), type: CLOUD_EVENT_TYPE }
    : { body: serializeDetail(published), type: 'application/json' }
}

type Target = Receiver & Pick<NewWebhook, 'url'>

export function send(webhook: Target, event: Event, now: Date): Promise<Attempt> {
  const origin = parseTrace(event)
  const running = getTrace()
  return trace(
    {
      name: 'deliver webhook',
      kind: 'client',
      parent: running?.traceId === origin?.traceId ? running : origin,
      attributes: {
        'http.request.method': 'POST',
        'server.address': new URL(webhook.url).hostname,
        'messaging.message.id': event.id,
        'wharf.webhook.id': webhook.id,
      },
    },
    () => attempt(webhook, event, now),
    ({ success, statusCode, error = String(statusCode) }) => ({
      attributes: { 'http.response.status_code': statusCode },
      error: success ? undefined : error,
    }),
  )
}

async function attempt(webhook: Target, event: Event, now: Date): Promise<Attempt> {
  const started = performance.now()
  const buildAttempt = (outcome: Omit<Attempt, 'at' | 'durationMs'>): Attempt => ({
    at: now.toISOString(),
    durationMs: Math.round(performance.now() - started),
    ...outcome,
  })
  try {
    const { status, body } = await safeFetch({
      url: webhook.url,
      ...(await signRequest(webhook, event, now)),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: RESPONSE_BYTES,
    })
    return buildAttempt({ success: status >= 200 && status < 300, statusCode: status, answer: decodeText(body) })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return buildAttempt({ success: false, error: error.message })
  }
}

/** Signs with every valid secret, so that receivers can rotate at any time. */
async function signRequest(webhook: Receiver, event: Event, now: Date) {
  const { body, type } = buildBody(webhook.format, event)
  const secrets = await decryptSigningSecrets(webhook, now)
  const signatures = secrets.map((secret) => new Signer(secret).sign(event.id, now, body))
  return {
    body,
    headers: {
      ...getTraceFields(),
      'content-type': type,
      'user-agent': 'Wharf-Webhooks/1',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
  }
}

/** The body may be truncated or binary; NUL characters are made visible. */
const decodeText = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '\uFFFD')
