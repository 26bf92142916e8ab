import { parseError, Refused } from './api.ts'
import type { LiveEvent, Session } from './connection.ts'

/** The server responds within 20 s. */
const RESPONSE_TIMEOUT_MS = 35_000

interface PollResponse {
  t: { t: string }
  m: { d: LiveEvent }[]
}

export async function longPoll(session: Session): Promise<void> {
  session.position ??= (await poll(session, '0')).t.t
  session.onConnected()
  while (!session.signal.aborted && session.canStay()) {
    const { t, m } = await poll(session, session.position)
    session.deliver(m.map(({ d }) => d))
    session.position = t.t
  }
}

async function poll(session: Session, position: string, canRetry = true): Promise<PollResponse> {
  const { api, tokens, channel, signal } = session
  const { token, subscribeKey } = await tokens.current(signal)
  const query = new URLSearchParams({ tt: position, auth: token })
  const url = `${new URL(api.url).origin}/v2/subscribe/${encodeURIComponent(subscribeKey)}/${channel}/0?${query}`
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]) })
  if (response.ok) return (await response.json()) as PollResponse
  const problem = await parseError(response)
  if (!(problem instanceof Refused) || response.status !== 403 || !canRetry) throw problem
  tokens.discard()
  return poll(session, position, false)
}
