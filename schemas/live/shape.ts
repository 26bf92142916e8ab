/** Milliseconds; API Gateway ends a request after 30 s. */
export const LONG_POLL_MS = 20_000
export const MAX_EVENTS_PER_POLL = 100
export const DONE = { status: 200, message: 'OK', service: 'Presence' } as const
