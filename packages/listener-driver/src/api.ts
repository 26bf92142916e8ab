/** The requests a driver makes beside following events. */

/** A refusal that asking again does not change: the key is wrong or gone, or there is no such environment or space. */
export class Refused extends Error {
  /** HTTP status. */
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'Refused'
    this.status = status
  }
}

/** What `GET /v1/subscription` answers. */
export interface EventToken {
  accountId: string
  subscribeKey: string
  /** Minutes. */
  ttl: number
  token: string
  webSocketUrl?: string
}

export interface Api {
  /** Ends in /api. */
  url: string
  /** A key or token that may read events. */
  token: string
}

const TIMEOUT_MS = 30_000

/** @throws Refused, or any other Error where asking again later may help */
export async function get<T>(api: Api, path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(`${api.url}/v1${path}`, {
    headers: { authorization: `Bearer ${api.token}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  if (!response.ok) throw await problemOf(response)
  return ((await response.json()) as { data: T }).data
}

const PASSING = new Set([408, 425, 429])

/** The error of an answer that is none: refused for good, or for now. */
export async function problemOf(response: Response): Promise<Error> {
  const body = (await response.json().catch(() => undefined)) as { errors?: { message: string }[] } | undefined
  const message = body?.errors?.map((each) => each.message).join(' ') || `HTTP ${response.status}`
  return response.status >= 400 && response.status < 500 && !PASSING.has(response.status)
    ? new Refused(response.status, message)
    : new Error(message)
}
