/** Payloads that are stored without reading their lists, which are made only if they are read. */
export interface UnreadPayload {
  recordCount: number
  minJsonBytes: number
  storedBytes: number
  serialize(): Buffer
}

const unreadPayloads = new WeakMap<object, UnreadPayload>()

export const findUnread = (payload: unknown): UnreadPayload | undefined =>
  typeof payload === 'object' && payload !== null ? unreadPayloads.get(payload) : undefined

export function withUnread<P extends object>(
  payload: P,
  read: Record<string, () => unknown>,
  unread: UnreadPayload,
): P {
  const complete = { ...payload }
  for (const [name, get] of Object.entries(read)) Object.defineProperty(complete, name, { enumerable: true, get })
  unreadPayloads.set(complete, unread)
  return complete
}
