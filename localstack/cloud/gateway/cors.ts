/**
 * Cross-origin answers of an HTTP API, from the `cors` block of serverless.yml.
 * Once configured, the gateway alone decides: `access-control-*` headers of a function are dropped.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
import type { IncomingMessage } from 'node:http'
import type { Reply } from './reply.ts'

/** As written in serverless.yml under `provider.httpApi.cors`. */
export interface CorsOptions {
  allowedOrigins?: string[]
  allowedHeaders?: string[]
  allowedMethods?: string[]
  exposedResponseHeaders?: string[]
  allowCredentials?: boolean
  /** Seconds a browser may remember a preflight answer. */
  maxAge?: number
}

export interface Cors {
  /** The answer to a preflight no route takes. */
  preflight: Reply
  /** Adds what the request's origin may see to a reply's headers. */
  apply(req: IncomingMessage, headers: Reply['headers']): void
}

/** A browser's question before a request: may this origin send that method? */
export function isPreflight(req: IncomingMessage): boolean {
  return req.method === 'OPTIONS' && Boolean(req.headers.origin && req.headers['access-control-request-method'])
}

export function cors(options: CorsOptions): Cors {
  const origins = new Set(options.allowedOrigins ?? ['*'])
  const simple = present({
    'access-control-allow-credentials': options.allowCredentials ? 'true' : undefined,
    'access-control-expose-headers': list(options.exposedResponseHeaders)?.toLowerCase(),
  })
  const asked = present({
    ...simple,
    'access-control-allow-methods': list(options.allowedMethods)?.toUpperCase(),
    'access-control-allow-headers': list(options.allowedHeaders)?.toLowerCase(),
    'access-control-max-age': options.maxAge?.toString(),
  })
  const allowedOrigin = (origin: string) => (origins.has('*') ? '*' : origins.has(origin) ? origin : undefined)
  return {
    preflight: { statusCode: 204, headers: {}, body: Buffer.alloc(0) },
    apply(req, headers) {
      for (const name in headers) if (name.startsWith('access-control-')) delete headers[name]
      const origin = req.headers.origin && allowedOrigin(req.headers.origin)
      if (!origin) return
      Object.assign(headers, isPreflight(req) ? asked : simple, { 'access-control-allow-origin': origin })
      if (origin !== '*') headers.vary = 'origin'
    },
  }
}

const list = (values?: string[]) => (values?.length ? values.join(',') : undefined)

function present(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
}
