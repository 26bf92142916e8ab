/** Rejects requests of web pages, which can reach local ports by DNS rebinding or from their own origin. */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The port is not checked, so that forwarded ports and local proxies work. */
const OWN_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i

export const hasForeignHost = ({ headers }: IncomingMessage): boolean => !OWN_HOST.test(headers.host ?? '')

export const FOREIGN_HOST = {
  status: 421,
  reason: 'Misdirected Request',
  body: 'This server only accepts requests for 127.0.0.1, localhost and [::1].\n',
}

export function rejectForeignHost(res: ServerResponse): void {
  const { status, body } = FOREIGN_HOST
  res.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(body)
}

/** Scripts of web pages always send an origin, unless they cannot read the response. */
export const isFromPage = ({ headers }: IncomingMessage): boolean => headers.origin !== undefined

export const isAllowedForPages = ({ method, url = '/' }: IncomingMessage): boolean =>
  method === 'OPTIONS' || /[?&]X-Amz-Signature=/.test(url)

export function rejectPage(req: IncomingMessage, res: ServerResponse): void {
  req.resume()
  res.writeHead(403, { 'content-type': 'application/json', 'x-amzn-errortype': 'AccessDeniedException' })
  res.end('{"message":"Requests from web pages are not allowed."}')
}
