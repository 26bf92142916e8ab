type QueryValue = string | number | boolean | null | undefined | readonly (string | number | boolean)[]

/** A part of a path. `..` would lead to another endpoint. */
export function segment(id: string): string {
  if (!id || id === '.' || id === '..') throw new TypeError(`An id in a path is not valid: ${JSON.stringify(id)}`)
  return encodeURIComponent(id)
}

export function buildQuery(query: object): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, QueryValue][])
    for (const single of [value].flat())
      if (single !== undefined && single !== null) search.append(name, String(single))
  return search.size > 0 ? `?${search}` : ''
}

/** Paths include `/api/v1`, but the address that the platform prints ends with it. */
export const toOrigin = (baseUrl: string): string => baseUrl.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '')
