/** CORS of S3: any origin is allowed, because objects are protected by signatures. */
import type { IncomingMessage } from 'node:http'

const EXPOSED_HEADERS = [
  'ETag',
  'Content-Length',
  'Content-Range',
  'Content-Disposition',
  'Accept-Ranges',
  'Last-Modified',
  'x-amz-request-id',
]

export const CORS_HEADERS: readonly [name: string, value: string][] = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', EXPOSED_HEADERS.join(', ')],
]

export function buildPreflightHeaders(incoming: IncomingMessage): Record<string, string> {
  return {
    'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE',
    'access-control-allow-headers': incoming.headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '3000',
  }
}
