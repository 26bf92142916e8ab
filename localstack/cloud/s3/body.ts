/**
 * The body of a request as a stream of data that proves itself: unwraps aws-chunked, and before the stream ends
 * compares length, SHA-256, MD5 and checksum with what the request claimed. A consumer that has seen the end
 * without an error has the true body; one that has not must keep nothing.
 */
import { createHash } from 'node:crypto'
import { ChunkSignatures } from '../signature/signature.ts'
import type { Authentication } from './authenticate.ts'
import { AwsChunkedDecoder } from './aws-chunked.ts'
import {
  assertChecksum,
  assertChecksumForm,
  type Checksum,
  type ClaimedChecksum,
  claimedChecksum,
  claimedMd5,
  Digest,
  splitList,
} from './checksums.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

/** The largest object one PUT may store, and the largest part: 5 GiB. */
const MAX_BODY_BYTES = 5 * 1024 ** 3
const SIGNED_STREAMS = ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER']
const UNSIGNED_STREAM = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'

export interface Body {
  /** The data. Reading to its end throws when the data is not what the request claimed. */
  pieces: AsyncIterable<Buffer>
  /** MD5, size and the claimed checksum of the data, once `pieces` has ended. */
  digest: Digest
  /** The algorithm the client claimed a checksum with. */
  claimed: ClaimedChecksum | undefined
}

/**
 * Prepares the body of a request. Nothing is read yet; malformed claims are refused here.
 * `checksumOf` names what the x-amz-checksum headers are about, when it is not the body.
 */
export function openBody(
  request: S3Request,
  authentication: Authentication,
  checksumOf: 'body' | 'object' = 'body',
): Body {
  const claimed = checksumOf === 'body' ? claimedChecksum(request) : undefined
  const md5 = claimedMd5(request)
  const digest = new Digest(claimed ? ['md5', claimed.algorithm] : ['md5'])
  assertLength(request)
  const decoder = decoderFor(request, authentication)
  const source = decoder ? unwrapped(request, decoder) : withPayloadHash(rawPieces(request), authentication.payload)
  async function* pieces(): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      digest.update(piece)
      yield piece
    }
    if (md5 !== undefined && digest.value('md5').toString('base64') !== md5) throw new S3Error('BadDigest')
    if (claimed) assertChecksum(withTrailer(claimed, decoder), digest)
  }
  return { pieces: pieces(), digest, claimed }
}

/** The checksum to keep for a body that was read to its end. */
export const bodyChecksum = (body: Body): Checksum | undefined =>
  body.claimed && body.digest.checksum(body.claimed.algorithm)

/** Reads a whole small body as text. @throws MaxMessageLengthExceeded above `limitBytes`. */
export async function readText(body: Body, limitBytes = 2 * 1024 * 1024): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of body.pieces) {
    if (body.digest.sizeBytes > limitBytes) throw new S3Error('MaxMessageLengthExceeded')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** The bytes of the request. A failing reader must not close the connection: the error has to be answered on it. */
const rawPieces = (request: S3Request): AsyncIterable<Buffer> =>
  request.incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>

function decoderFor(request: S3Request, { payload, context }: Authentication): AwsChunkedDecoder | undefined {
  if (SIGNED_STREAMS.includes(payload)) return new AwsChunkedDecoder(new ChunkSignatures(context))
  if (payload === UNSIGNED_STREAM) return new AwsChunkedDecoder()
  if (payload.startsWith('STREAMING-')) throw new S3Error('NotImplemented', `${payload} is not implemented`)
  return splitList(request.header('content-encoding')).includes('aws-chunked') ? new AwsChunkedDecoder() : undefined
}

async function* unwrapped(request: S3Request, decoder: AwsChunkedDecoder): AsyncGenerator<Buffer> {
  const announced = request.header('x-amz-decoded-content-length')
  let size = 0
  for await (const bytes of rawPieces(request)) {
    for (const piece of decoder.decode(bytes)) {
      size += piece.length
      yield piece
    }
  }
  decoder.end()
  if (announced !== undefined && Number(announced) !== size) throw new S3Error('IncompleteBody')
}

/** Compares the data with the SHA-256 that was signed, unless the payload is unsigned. */
async function* withPayloadHash(source: AsyncIterable<Buffer>, payload: string): AsyncGenerator<Buffer> {
  if (payload === 'UNSIGNED-PAYLOAD') {
    yield* source
    return
  }
  if (!/^[0-9a-f]{64}$/.test(payload)) {
    throw new S3Error(
      'InvalidArgument',
      'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, or a valid sha256 value.',
    )
  }
  const hash = createHash('sha256')
  for await (const piece of source) {
    hash.update(piece)
    yield piece
  }
  const computed = hash.digest('hex')
  if (computed === payload) return
  throw new S3Error('XAmzContentSHA256Mismatch', undefined, {
    ClientComputedContentSHA256: payload,
    S3ComputedContentSHA256: computed,
  })
}

/** A checksum announced as a trailer gets its value when the body has ended. */
function withTrailer(claimed: ClaimedChecksum, decoder: AwsChunkedDecoder | undefined): ClaimedChecksum {
  if (claimed.value !== undefined) return claimed
  const value = decoder?.trailers.get(`x-amz-checksum-${claimed.algorithm}`)
  if (value === undefined) throw new S3Error('MalformedTrailerError')
  return { algorithm: claimed.algorithm, value: assertChecksumForm(claimed.algorithm, value) }
}

function assertLength(request: S3Request): void {
  const length = Number(request.header('x-amz-decoded-content-length') ?? request.header('content-length') ?? 0)
  if (length <= MAX_BODY_BYTES) return
  throw new S3Error('EntityTooLarge', undefined, {
    ProposedSize: String(length),
    MaxSizeAllowed: String(MAX_BODY_BYTES),
  })
}
