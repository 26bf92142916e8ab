/** The Model Context Protocol over HTTP, for AI agents. */
import { env } from '../lib/core/env.ts'
import { Bytes } from '../lib/http/response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { createApi } from '../lib/mcp/api.ts'
import { handleMessage } from '../lib/mcp/server.ts'
import * as mcp from '../schemas/mcp/endpoints.ts'

/** Clients must accept both; the server returns JSON only. */
const ACCEPT = 'application/json, text/event-stream'
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

export const handle = serve(mcp.handle)(async ({ body, request, tx }) => {
  const headers = new Headers({ accept: ACCEPT, 'content-type': 'application/json' })
  for (const name of PROTOCOL_HEADERS) if (request.headers[name] !== undefined) headers.set(name, request.headers[name])
  const message = new Request(`${env().BASE_URL}/v1/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })
  const api = createApi(env().BASE_URL, request.headers.authorization!)
  const response = await handleMessage({ api, tx }, message)
  return new Bytes(
    Buffer.from(await response.arrayBuffer()),
    { 'content-type': response.headers.get('content-type') ?? 'application/json' },
    response.status,
  )
})

export const handler = lambda(handle)
