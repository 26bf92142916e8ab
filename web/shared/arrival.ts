/** What a link brought: its token is taken out of the address before anything else happens, and stays in memory alone. */
export interface Arrival {
  token?: string
  /** Of a single sign-on: what it was started with. */
  state?: string
}

export function arrive(): Arrival {
  const { pathname, search, hash } = location
  const [behind, query] = [new URLSearchParams(hash.slice(1)), new URLSearchParams(search)]
  const token = behind.get('token') ?? query.get('token') ?? undefined
  if (!token) return {}
  query.delete('token')
  const rest = query.size > 0 ? `?${query}` : ''
  history.replaceState(null, '', pathname + rest)
  return { token, state: behind.get('state') ?? undefined }
}
