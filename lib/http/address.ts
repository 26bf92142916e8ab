/** Determines the caller's network address, also behind the distribution. */
import ipaddr from 'ipaddr.js'
import { constantTimeEqual } from '../core/crypto.ts'
import { env } from '../core/env.ts'
import type { Request } from './request.ts'

/** Set by the distribution (WebApiViewer). Anyone can send it, so it requires the secret. */
const VIEWER_ADDRESS_HEADER = 'x-wharf-viewer-address'
const ORIGIN_SECRET_HEADER = 'x-wharf-origin-secret'

/** Behind the distribution the connection's address would be a CloudFront edge, shared by strangers. */
export function getClientAddress({ event, headers }: Pick<Request, 'event' | 'headers'>): string {
  const viewer = headers[VIEWER_ADDRESS_HEADER]
  return viewer !== undefined && isFromDistribution(headers[ORIGIN_SECRET_HEADER]) && ipaddr.isValid(viewer)
    ? viewer
    : event.requestContext.http.sourceIp
}

function isFromDistribution(provided: string | undefined): boolean {
  const { ORIGIN_SECRET: secret } = env()
  return secret !== '' && provided !== undefined && constantTimeEqual(provided, secret)
}
