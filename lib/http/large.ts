/**
 * Answers of any size. Lambda sends at most 6 MB: what is larger is written to the bucket as it is made, and the answer is
 * a redirect to it. Memory holds a part, never the whole.
 */

import { ulid } from 'ulid'
import { DIRECT_BYTES } from '../../schemas/sizes.ts'
import { presignGet, putStream } from '../objects/store.ts'
import type { Request } from './request.ts'
import { Bytes, compress } from './respond.ts'

/** Most texts compress to a quarter: up to this many bytes it is tried whether they fit compressed. */
const COMPRESSED_BYTES = 16 * 1024 * 1024
/** How long the redirect works; the bucket forgets the object within a day. */
const READ_SECONDS = 300

interface Named {
  /** As a browser saves it. */
  name: string
  /** Content type. */
  type: string
}

/**
 * The reply of some bytes.
 * @param place whose they are: kept apart by environment and space while they stand in the bucket
 */
export async function largeReply(
  request: Request,
  place: { environmentId: string; spaceId: string },
  { name, type }: Named,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<Bytes> {
  const compressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  const limit = compressed ? COMPRESSED_BYTES : DIRECT_BYTES
  const iterator = iterate(chunks)
  const first: Buffer[] = []
  let bytes = 0
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    first.push(next.value)
    bytes += next.value.length
    if (bytes > limit) return redirect(place, { name, type }, chain(first, iterator))
  }
  const whole = Buffer.concat(first)
  const headers = { 'content-type': type, ...(type === 'application/json' ? {} : disposition(name)) }
  if (bytes <= DIRECT_BYTES) return new Bytes(whole, headers)
  const zipped = await compress(whole)
  if (zipped.length > DIRECT_BYTES) return redirect(place, { name, type }, iterate([whole]))
  return new Bytes(zipped, { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' })
}

/** A reply of any size as JSON. */
export const largeJson = (
  request: Request,
  place: { environmentId: string; spaceId: string },
  name: string,
  body: unknown,
): Promise<Bytes> =>
  largeReply(request, place, { name: `${name}.json`, type: 'application/json' }, [Buffer.from(JSON.stringify(body))])

const disposition = (name: string) => ({
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
})

async function* iterate(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  yield* chunks
}

async function* chain(first: Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  while (first.length > 0) yield first.shift()!
  yield* rest
}

async function redirect(
  place: { environmentId: string; spaceId: string },
  { name, type }: Named,
  chunks: AsyncIterable<Buffer>,
): Promise<Bytes> {
  const key = `answers/${place.environmentId}/${place.spaceId}/${ulid()}`
  const options = { contentType: type, contentDisposition: disposition(name)['content-disposition'] }
  await putStream(key, chunks, options)
  const location = await presignGet(key, READ_SECONDS, options)
  return new Bytes(Buffer.alloc(0), { 'content-type': type, location, 'cache-control': 'no-store' }, 302)
}
