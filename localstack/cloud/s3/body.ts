/** Streams of request bodies that throw at the end if a checksum or the length is wrong. */
import { createHash } from 'node:crypto'
import { ChunkSignatures } from '../signature/signature.ts'
import type { Authentication } from './authenticate.ts'
import { AwsChunkedDecoder } from './aws-chunked.ts'
import {
  assertChecksum,
  assertChecksumForm,
  type Checksum,
  type ClaimedChecksum,
  Digest,
  readClaimedChecksum,
  readClaimedMd5,
  splitList,
} from './checksums.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

/** The largest object one PUT may store, and the largest part: 5 GiB. */
const MAX_BODY_BYTES = 5 * 1024 ** 3
const SIGNED_STREAMS = ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER']
const UNSIGNED_STREAM = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'

export interface Body {
  /** Throws at the end if the data does not match the request's claims. */
  pieces: AsyncIterable<Buffer>
  digest: Digest
  claimed: ClaimedChecksum | undefined
}

/** Rejects malformed claims without reading. `checksumSubject` is what the x-amz-checksum headers cover. */
export function openBody(
  request: S3Request,
  authentication: Authentication,
  checksumSubject: 'body' | 'object' = 'body',
): Body {
  const claimed = checksumSubject === 'body' ? readClaimedChecksum(request) : undefined
  const md5 = readClaimedMd5(request)
  const digest = new Digest(claimed ? ['md5', claimed.algorithm] : ['md5'])
  assertLength(request)
  const decoder = createDecoder(request, authentication)
  const source = decoder
    ? decodePieces(request, decoder)
    : verifyPayloadHash(readRawPieces(request), authentication.payload)
  async function* verifyPieces(): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      digest.update(piece)
      yield piece
    }
    if (md5 !== undefined && digest.getDigest('md5').toString('base64') !== md5) throw new S3Error('BadDigest')
    if (claimed) assertChecksum(resolveTrailer(claimed, decoder), digest)
  }
  return { pieces: verifyPieces(), digest, claimed }
}

export const getBodyChecksum = (body: Body): Checksum | undefined =>
  body.claimed && body.digest.checksum(body.claimed.algorithm)

export async function readText(body: Body, limitBytes = 2 * 1024 * 1024): Promise<string> {
  const verifyPieces: Buffer[] = []
  for await (const piece of body.pieces) {
    if (body.digest.sizeBytes > limitBytes) throw new S3Error('MaxMessageLengthExceeded')
    verifyPieces.push(piece)
  }
  return Buffer.concat(verifyPieces).toString()
}

/** A failing reader must not close the connection, on which the error is sent. */
const readRawPieces = (request: S3Request): AsyncIterable<Buffer> =>
  request.incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>

function createDecoder(request: S3Request, { payload, context }: Authentication): AwsChunkedDecoder | undefined {
  if (SIGNED_STREAMS.includes(payload)) return new AwsChunkedDecoder(new ChunkSignatures(context))
  if (payload === UNSIGNED_STREAM) return new AwsChunkedDecoder()
  if (payload.startsWith('STREAMING-')) throw new S3Error('NotImplemented', `${payload} is not implemented`)
  return splitList(request.header('content-encoding')).includes('aws-chunked') ? new AwsChunkedDecoder() : undefined
}

async function* decodePieces(request: S3Request, decoder: AwsChunkedDecoder): AsyncGenerator<Buffer> {
  const expectedSize = request.header('x-amz-decoded-content-length')
  let size = 0
  for await (const bytes of readRawPieces(request)) {
    for (const piece of decoder.decode(bytes)) {
      size += piece.length
      yield piece
    }
  }
  decoder.end()
  if (expectedSize !== undefined && Number(expectedSize) !== size) throw new S3Error('IncompleteBody')
}

async function* verifyPayloadHash(source: AsyncIterable<Buffer>, payload: string): AsyncGenerator<Buffer> {
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

function resolveTrailer(claimed: ClaimedChecksum, decoder: AwsChunkedDecoder | undefined): ClaimedChecksum {
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
