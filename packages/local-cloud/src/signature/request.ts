/** The signed parts of a request. Splits URLs by hand, since `..` and `//` are ordinary in S3 keys. */
import type { IncomingMessage } from 'node:http'

export interface SignedRequest {
  method: string
  path: string
  parameters: [name: string, value: string][]
  headers: IncomingMessage['headers']
}

/** The path is not decoded: services other than S3 sign it encoded twice. @throws URIError */
export function toSignedRequest(req: IncomingMessage): SignedRequest {
  const { path, query } = splitUrl(req.url ?? '/')
  return { method: req.method ?? 'GET', path, parameters: parseQuery(query), headers: req.headers }
}

export function splitUrl(url: string): { path: string; query: string } {
  const queryStart = url.indexOf('?')
  return queryStart < 0
    ? { path: url, query: '' }
    : { path: url.slice(0, queryStart), query: url.slice(queryStart + 1) }
}

export function parseQuery(query: string): [string, string][] {
  const pairs = query.split('&').filter(Boolean)
  return pairs.map((pair) => {
    const [name, ...value] = pair.replaceAll('+', ' ').split('=')
    return [decodeURIComponent(name!), decodeURIComponent(value.join('='))]
  })
}

export const findParameter = ({ parameters }: SignedRequest, name: string): string | undefined =>
  parameters.find(([candidate]) => candidate === name)?.[1]

export const isPresigned = (request: SignedRequest): boolean => findParameter(request, 'X-Amz-Signature') !== undefined
