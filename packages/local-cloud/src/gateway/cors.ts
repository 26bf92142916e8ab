/** CORS of an HTTP API: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html */
import type { IncomingMessage } from 'node:http'
import type { Reply } from './reply.ts'

export interface CorsOptions {
  allowedOrigins?: string[]
  allowedHeaders?: string[]
  allowedMethods?: string[]
  exposedResponseHeaders?: string[]
  allowCredentials?: boolean
  maxAge?: number
}

export interface Cors {
  preflight: Reply
  apply(req: IncomingMessage, headers: Reply['headers']): void
}

export function isPreflight(req: IncomingMessage): boolean {
  return req.method === 'OPTIONS' && Boolean(req.headers.origin && req.headers['access-control-request-method'])
}

export function createCors(options: CorsOptions): Cors {
  const origins = new Set(options.allowedOrigins ?? ['*'])
  const simpleHeaders = omitUndefined({
    'access-control-allow-credentials': options.allowCredentials ? 'true' : undefined,
    'access-control-expose-headers': joinList(options.exposedResponseHeaders)?.toLowerCase(),
  })
  const preflightHeaders = omitUndefined({
    ...simpleHeaders,
    'access-control-allow-methods': joinList(options.allowedMethods)?.toUpperCase(),
    'access-control-allow-headers': joinList(options.allowedHeaders)?.toLowerCase(),
    'access-control-max-age': options.maxAge?.toString(),
  })
  const matchOrigin = (origin: string) => (origins.has('*') ? '*' : origins.has(origin) ? origin : undefined)
  return {
    preflight: { statusCode: 204, headers: {}, body: Buffer.alloc(0) },
    apply(req, headers) {
      for (const name in headers) if (name.startsWith('access-control-')) delete headers[name]
      const origin = req.headers.origin && matchOrigin(req.headers.origin)
      if (!origin) return
      Object.assign(headers, isPreflight(req) ? preflightHeaders : simpleHeaders, {
        'access-control-allow-origin': origin,
      })
      if (origin !== '*') headers.vary = 'origin'
    },
  }
}

const joinList = (values?: string[]) => (values?.length ? values.join(',') : undefined)

function omitUndefined(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
}
