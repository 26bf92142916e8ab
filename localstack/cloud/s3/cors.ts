/**
 * Cross-origin access: browsers upload to and download from S3 directly, from any origin. What protects an object is
 * the signature, which no page can make without the credentials.
 */
import type { IncomingMessage } from 'node:http'

const EXPOSED = [
  'ETag',
  'Content-Length',
  'Content-Range',
  'Content-Disposition',
  'Accept-Ranges',
  'Last-Modified',
  'Location',
  'x-amz-request-id',
  'x-amz-checksum-crc32',
  'x-amz-checksum-crc32c',
  'x-amz-checksum-sha1',
  'x-amz-checksum-sha256',
]

export const CORS_HEADERS: readonly [name: string, value: string][] = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', EXPOSED.join(', ')],
]

/** The headers of an answer to an OPTIONS preflight: whatever the page asks for is allowed. */
export function preflightHeaders(incoming: IncomingMessage): Record<string, string> {
  return {
    'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE',
    'access-control-allow-headers': incoming.headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '3000',
  }
}
