/** Follows events by requests that wait until there are some, as long as that is the way to do it. */
import { problemOf, Refused } from './api.ts'
import type { LiveEvent, Session } from './connection.ts'

/** The server answers within 20 s; later than this nothing is coming any more. */
const ANSWER_MS = 35_000

interface Answer {
  t: { t: string }
  m: { d: LiveEvent }[]
}

export async function longPoll(session: Session): Promise<void> {
  session.position ??= (await poll(session, '0')).t.t
  session.connected()
  while (!session.signal.aborted && session.mayStay()) {
    const { t, m } = await poll(session, session.position)
    session.deliver(m.map(({ d }) => d))
    session.position = t.t
  }
}

/** One request; a refused token is replaced once. */
async function poll(session: Session, position: string, again = true): Promise<Answer> {
  const { api, tokens, channel, signal } = session
  const { token, subscribeKey } = await tokens.current(signal)
  const query = new URLSearchParams({ tt: position, auth: token })
  const url = `${new URL(api.url).origin}/v2/subscribe/${encodeURIComponent(subscribeKey)}/${channel}/0?${query}`
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) })
  if (response.ok) return (await response.json()) as Answer
  const problem = await problemOf(response)
  if (!(problem instanceof Refused) || response.status !== 403 || !again) throw problem
  tokens.drop()
  return poll(session, position, false)
}
