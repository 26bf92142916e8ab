/** A permanent error: an invalid key, or an unknown environment or space. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'Refused'
    this.status = status
  }
}

export interface EventToken {
  accountId: string
  subscribeKey: string
  ttl: number
  token: string
  webSocketUrl?: string
}

export interface Api {
  url: string
  token: string
}

const TIMEOUT_MS = 30_000

/** @throws Refused for permanent errors, other errors if a retry may help */
export async function get<T>(api: Api, path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(`${api.url}/v1${path}`, {
    headers: { authorization: `Bearer ${api.token}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  if (!response.ok) throw await parseError(response)
  return ((await response.json()) as { data: T }).data
}

const TRANSIENT_STATUSES = new Set([408, 425, 429])

export async function parseError(response: Response): Promise<Error> {
  const body = (await response.json().catch(() => undefined)) as { errors?: { message: string }[] } | undefined
  const message = body?.errors?.map((error) => error.message).join(' ') || `HTTP ${response.status}`
  return response.status >= 400 && response.status < 500 && !TRANSIENT_STATUSES.has(response.status)
    ? new Refused(response.status, message)
    : new Error(message)
}
