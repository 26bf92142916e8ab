/** Endpoints of the API reference: the OpenAPI document and pages for browsers. */
import * as z from 'zod'
import { endpoint } from '../kit/endpoint.ts'

const CACHING_DESCRIPTION =
  'The response may be cached for five minutes; send its `ETag` as `If-None-Match` to check whether it changed.'

export const openApi = endpoint({
  id: 'reference.openApi',
  method: 'GET',
  path: '/openapi.json',
  summary: 'Reads this API as an OpenAPI 3.1 document',
  description: CACHING_DESCRIPTION,
  policy: { public: true },
  reply: 'bytes',
  replyTypes: ['application/json'],
  also: ['unchanged'],
  example: {},
})

export const page = endpoint({
  id: 'reference.page',
  method: 'GET',
  root: true,
  path: '/docs',
  summary: 'Shows this API as a page to read and try out',
  description: CACHING_DESCRIPTION,
  policy: { public: true },
  reply: 'bytes',
  replyTypes: ['text/html; charset=utf-8'],
  also: ['unchanged'],
  example: {},
})

export const file = endpoint({
  id: 'reference.file',
  method: 'GET',
  root: true,
  path: '/docs/{name}',
  summary:
    'Shows a page of the reference (`events`, `jobs`, `limits`, `errors`, guides), or returns one of its files (`events.json`, `asyncapi.json`)',
  description: `\`events.json\` contains a JSON Schema of every topic's payload and context, \`asyncapi.json\` describes the WebSocket as an AsyncAPI 3.0 document. ${CACHING_DESCRIPTION}`,
  policy: { public: true },
  params: z.object({ name: z.string().min(1).max(100) }),
  reply: 'bytes',
  replyTypes: [
    'application/json',
    'text/html; charset=utf-8',
    'text/css; charset=utf-8',
    'text/javascript; charset=utf-8',
  ],
  also: ['unchanged'],
  errors: ['not-found'],
  example: { params: { name: 'events.json' } },
})
