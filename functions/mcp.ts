/** The Model Context Protocol over HTTP, for AI agents. */
import type { Principal } from '../lib/auth/principal.ts'
import { env } from '../lib/core/env.ts'
import { lazy } from '../lib/core/lazy.ts'
import { Bytes } from '../lib/http/response.ts'
import { lambda, serve } from '../lib/http/serve.ts'
import { createApi } from '../lib/mcp/api.ts'
import { handleMessage } from '../lib/mcp/server.ts'
import * as mcp from '../schemas/mcp/endpoints.ts'

/** Longer than a function runs. */
const MESSAGE_SECONDS = 60
/** Clients must accept both; the server returns JSON only. */
const ACCEPT = 'application/json, text/event-stream'
const PROTOCOL_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

export const handle = serve(mcp.handle)(async ({ body, request, caller, tx }) => {
  const headers = new Headers({ accept: ACCEPT, 'content-type': 'application/json' })
  for (const name of PROTOCOL_HEADERS) if (request.headers[name] !== undefined) headers.set(name, request.headers[name])
  const message = new Request(`${env().BASE_URL}/v1/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })
  const api = createApi(env().BASE_URL, await buildAuthorization(caller, request.headers.authorization!))
  const response = await handleMessage({ api, tx, access: caller.agentAccess ?? 'write' }, message)
  return new Bytes(
    Buffer.from(await response.arrayBuffer()),
    { 'content-type': response.headers.get('content-type') ?? 'application/json' },
    response.status,
  )
})

const loadSigning = lazy(() => import('../lib/auth/signing.ts'))

/** The API rejects tokens of connected agents, so each message gets a token that is valid only while it runs. */
async function buildAuthorization(caller: Principal, authorization: string): Promise<string> {
  const { accountId, actorId, tokenId, isForAgents } = caller
  if (!isForAgents || tokenId === undefined) return authorization
  const { signToken } = await loadSigning()
  const claims = { sub: actorId, acc: accountId, kind: 'user' as const, pat: tokenId }
  return `Bearer ${(await signToken(claims, MESSAGE_SECONDS)).token}`
}

export const handler = lambda(handle)
