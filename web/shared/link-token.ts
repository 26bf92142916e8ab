/** Takes the token of a link out of the URL immediately and holds it in memory only. */
export interface LinkToken {
  token?: string
  state?: string
}

export function takeLinkToken(): LinkToken {
  const { pathname, search, hash } = location
  const [hashParams, query] = [new URLSearchParams(hash.slice(1)), new URLSearchParams(search)]
  const token = hashParams.get('token') ?? query.get('token') ?? undefined
  if (!token) return {}
  query.delete('token')
  const remainingQuery = query.size > 0 ? `?${query}` : ''
  history.replaceState(null, '', pathname + remainingQuery)
  return { token, state: hashParams.get('state') ?? undefined }
}
