/** Streams of request bodies that throw at the end if a checksum is wrong. */
import { createHash } from 'node:crypto'
import { createBodyCheck, Digest } from './checksums.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

/** The largest object one PUT may store, and the largest part: 5 GiB. */
const MAX_BODY_BYTES = 5 * 1024 ** 3

export interface Body {
  /** Throws at the end if the data does not match the request's claims. */
  pieces: AsyncIterable<Buffer>
  digest: Digest
}

/** Rejects malformed claims without reading. */
export function openBody(request: S3Request, payloadHash: string): Body {
  const check = createBodyCheck(request)
  const digest = new Digest()
  assertLength(request)
  assertNotChunked(request, payloadHash)
  const source = verifyPayloadHash(readRawPieces(request), payloadHash)
  async function* verifyPieces(): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      digest.update(piece)
      check.update(piece)
      yield piece
    }
    check.assertMatches(digest)
  }
  return { pieces: verifyPieces(), digest }
}

export async function readText(body: Body, limitBytes = 2 * 1024 * 1024): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of body.pieces) {
    if (body.digest.sizeBytes > limitBytes) throw new S3Error('MaxMessageLengthExceeded')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** A failing reader must not close the connection, on which the error is sent. */
const readRawPieces = (request: S3Request): AsyncIterable<Buffer> =>
  request.incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>

/** SDKs encode streams this way, to send their checksum at the end. */
function assertNotChunked(request: S3Request, payloadHash: string): void {
  const isChunked = /\baws-chunked\b/i.test(request.header('content-encoding') ?? '')
  if (isChunked || payloadHash.startsWith('STREAMING-'))
    throw new S3Error('NotImplemented', 'The encoding aws-chunked is not implemented')
}

async function* verifyPayloadHash(source: AsyncIterable<Buffer>, payloadHash: string): AsyncGenerator<Buffer> {
  if (payloadHash === 'UNSIGNED-PAYLOAD') {
    yield* source
    return
  }
  if (!/^[0-9a-f]{64}$/.test(payloadHash)) {
    throw new S3Error('InvalidArgument', 'x-amz-content-sha256 must be UNSIGNED-PAYLOAD or a valid sha256 value.')
  }
  const hash = createHash('sha256')
  for await (const piece of source) {
    hash.update(piece)
    yield piece
  }
  const computed = hash.digest('hex')
  if (computed === payloadHash) return
  throw new S3Error('XAmzContentSHA256Mismatch', undefined, {
    ClientComputedContentSHA256: payloadHash,
    S3ComputedContentSHA256: computed,
  })
}

function assertLength(request: S3Request): void {
  const length = Number(request.header('content-length') ?? 0)
  if (length <= MAX_BODY_BYTES) return
  throw new S3Error('EntityTooLarge', undefined, {
    ProposedSize: String(length),
    MaxSizeAllowed: String(MAX_BODY_BYTES),
  })
}
