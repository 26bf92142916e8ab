/** The endpoint for AI agents that speak the Model Context Protocol. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'

export const handle = endpoint({
  id: 'mcp.handle',
  method: 'POST',
  path: '/mcp',
  summary: 'Handles a message of the Model Context Protocol, for AI agents',
  description:
    'Streamable HTTP without sessions: each request is one JSON-RPC message, in the protocol of 2026-07-28 or earlier. ' +
    'A tool runs with the permissions of the caller, and its requests to the API count for the rate limit of the token.',
  policy: { can: 'spaces:read', on: 'environments', acceptsAgents: true },
  body: z.looseObject({ jsonrpc: z.literal('2.0') }),
  reply: 'bytes',
  replyTypes: ['application/json'],
  example: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
})
