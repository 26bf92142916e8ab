/**
 * A request taken apart as a signature covers it. The URL is split by hand: a URL parser would resolve `..` and `//`, which are
 * ordinary characters of S3's keys.
 */
import type { IncomingMessage } from 'node:http'

export interface SignedRequest {
  method: string
  /** As canonical requests encode it, see SignedParts. */
  path: string
  /** Decoded, in the order sent; one name may occur several times. */
  parameters: [name: string, value: string][]
  headers: IncomingMessage['headers']
}

/** The path stays as sent: services other than S3 sign it so, encoded once more. @throws URIError */
export function signedRequest(req: IncomingMessage): SignedRequest {
  const { path, query } = splitUrl(req.url ?? '/')
  return { method: req.method ?? 'GET', path, parameters: parseQuery(query), headers: req.headers }
}

export function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

/** @throws URIError */
export function parseQuery(query: string): [string, string][] {
  const pairs = query.split('&').filter(Boolean)
  return pairs.map((pair) => {
    const [name, ...value] = pair.replaceAll('+', ' ').split('=')
    return [decodeURIComponent(name!), decodeURIComponent(value.join('='))]
  })
}

/** The first value of a query parameter. */
export const parameterOf = ({ parameters }: SignedRequest, name: string): string | undefined =>
  parameters.find(([known]) => known === name)?.[1]

export const isPresigned = (request: SignedRequest): boolean => parameterOf(request, 'X-Amz-Signature') !== undefined
