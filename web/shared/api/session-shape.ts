export interface Session {
  token: string
  kind: 'user' | 'guest' | 'embedded'
  email?: string
  embedder?: string
  /** The address is not verified, so the session opens one space only. */
  byShared?: boolean
  spaceId?: string
  expiresAt: number
}
