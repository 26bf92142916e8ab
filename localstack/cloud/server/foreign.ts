/**
 * What no request to this machine may look like. A web page can have its browser ask any port of the machine it is on: under
 * another name that leads here (DNS rebinding), or from its own origin. Callers of AWS's services are programs; the one thing pages
 * ask of them are requests to buckets that somebody presigned for them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A browser sends the port it connects to, so the port proves nothing: forwarded ports and proxies of this machine stay usable. */
const OWN_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i

export const hasForeignHost = ({ headers }: IncomingMessage): boolean => !OWN_HOST.test(headers.host ?? '')

export const FOREIGN_HOST = {
  status: 421,
  reason: 'Misdirected Request',
  body: 'This server answers as 127.0.0.1, localhost and [::1] alone.\n',
}

export function refuseForeignHost(res: ServerResponse): void {
  const { status, body } = FOREIGN_HOST
  res.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(body)
}

/** Does a page ask what pages have no business with? Without an origin no page's script asked, or its answer is not to be read. */
export const isFromPage = ({ headers }: IncomingMessage): boolean => headers.origin !== undefined

/** Requests to buckets that pages may make: presigned, by a presigned form, and the browser's question before either. */
export function isForPages({ method, url = '/', headers }: IncomingMessage): boolean {
  if (method === 'OPTIONS') return true
  if (method === 'POST' && /^multipart\/form-data/i.test(headers['content-type'] ?? '')) return true
  return /[?&]X-Amz-Signature=/.test(url)
}

export function refusePage(req: IncomingMessage, res: ServerResponse): void {
  req.resume()
  res.writeHead(403, { 'content-type': 'application/json', 'x-amzn-errortype': 'AccessDeniedException' })
  res.end('{"message":"Web pages are not answered here."}')
}
