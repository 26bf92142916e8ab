/** The reference as this platform serves it: the OpenAPI document, and pages to read in a browser. */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'

const KEPT = 'It may be kept for five minutes; `If-None-Match` with its `ETag` asks whether it changed since.'

export const openApi = endpoint({
  id: 'reference.openApi',
  method: 'GET',
  path: '/openapi.json',
  summary: 'Reads this API as an OpenAPI 3.1 document',
  description: KEPT,
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
  summary: 'Shows this API as a page to read and to try',
  description: KEPT,
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
    'Shows a page of the reference (`events`, `jobs`, `limits`, `errors`, guides), or reads a file of it (`events.json`)',
  description: `\`events.json\` holds a JSON Schema of every topic's payload and context. ${KEPT}`,
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
