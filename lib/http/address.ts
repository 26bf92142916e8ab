/** The network address of a caller, also behind the distribution. */
import ipaddr from 'ipaddr.js'
import { same } from '../auth/secrets.ts'
import { env } from '../core/env.ts'
import type { Request } from './request.ts'

/** Set by the distribution (serverless.yml, WebApiViewer); anybody may send it, so it counts only beside the secret. */
const VIEWER = 'x-wharf-viewer-address'
const ORIGIN_SECRET = 'x-wharf-origin-secret'

/**
 * The address the caller has on the internet. A request by way of the distribution carries the distribution's secret
 * and the viewer's address; the connection's own address would be that of a CloudFront edge, shared by strangers.
 */
export function addressOf({ event, headers }: Pick<Request, 'event' | 'headers'>): string {
  const viewer = headers[VIEWER]
  return viewer !== undefined && isFromDistribution(headers[ORIGIN_SECRET]) && ipaddr.isValid(viewer)
    ? viewer
    : event.requestContext.http.sourceIp
}

function isFromDistribution(sent: string | undefined): boolean {
  const { ORIGIN_SECRET: secret } = env()
  return secret !== '' && sent !== undefined && same(sent, secret)
}
