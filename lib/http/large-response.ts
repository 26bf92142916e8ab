/** Responses of any size: Lambda sends at most 6 MB, so larger ones redirect to an object in the bucket. */

import { ulid } from 'ulid'
import { INLINE_RESPONSE_BYTES } from '../../schemas/kit/byte-limits.ts'
import { presignGet, putStream } from '../objects/store.ts'
import type { Request } from './request.ts'
import { Bytes, compress } from './response.ts'

/** Most texts compress to a quarter, so up to this size it is worth compressing them. */
const MAX_COMPRESSIBLE_BYTES = 16 * 1024 * 1024
const LINK_SECONDS = 300

interface Scope {
  environmentId: string
  spaceId?: string | undefined
}

interface NamedContent {
  name: string
  type: string
}

export async function createLargeReply(
  request: Request,
  scope: Scope,
  { name, type }: NamedContent,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<Bytes> {
  const acceptsGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  const limit = acceptsGzip ? MAX_COMPRESSIBLE_BYTES : INLINE_RESPONSE_BYTES
  const iterator = iterate(chunks)
  const first: Buffer[] = []
  let bytes = 0
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    first.push(next.value)
    bytes += next.value.length
    if (bytes > limit) return redirectToUpload(scope, { name, type }, chain(first, iterator))
  }
  const headers = { 'content-type': type, ...(type === 'application/json' ? {} : buildDisposition(name)) }
  if (bytes <= INLINE_RESPONSE_BYTES) return new Bytes(Buffer.concat(first), headers)
  const zipped = await compress(...first)
  if (zipped.length > INLINE_RESPONSE_BYTES) return redirectToUpload(scope, { name, type }, iterate(first))
  return new Bytes(zipped, { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' })
}

export const createLargeJsonReply = (request: Request, scope: Scope, name: string, body: unknown): Promise<Bytes> =>
  createLargeReply(request, scope, { name: `${name}.json`, type: 'application/json' }, [
    Buffer.from(JSON.stringify(body)),
  ])

const buildDisposition = (name: string) => ({
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
})

async function* iterate(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  yield* chunks
}

async function* chain(first: Buffer[], remaining: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  while (first.length > 0) yield first.shift()!
  yield* remaining
}

async function redirectToUpload(
  { environmentId, spaceId }: Scope,
  { name, type }: NamedContent,
  chunks: AsyncIterable<Buffer>,
): Promise<Bytes> {
  const key = ['answers', environmentId, ...(spaceId === undefined ? [] : [spaceId]), ulid()].join('/')
  const options = { contentType: type, contentDisposition: buildDisposition(name)['content-disposition'] }
  await putStream(key, chunks, options)
  const location = await presignGet(key, LINK_SECONDS, options)
  return new Bytes(Buffer.alloc(0), { 'content-type': type, location, 'cache-control': 'no-store' }, 302)
}
