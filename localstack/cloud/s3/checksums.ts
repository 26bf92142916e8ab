/**
 * Checksums of S3: the four x-amz-checksum algorithms and the MD5 of ETags, computed as bytes pass by,
 * and what a request claims about its body.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { crc32c } from './crc32c.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

const LENGTHS = { crc32: 4, crc32c: 4, sha1: 20, sha256: 32 } as const
export type ChecksumAlgorithm = keyof typeof LENGTHS
export const CHECKSUM_ALGORITHMS = Object.keys(LENGTHS) as ChecksumAlgorithm[]
type HashName = ChecksumAlgorithm | 'md5'

/** COMPOSITE: the checksum of the parts' checksums, marked `-n`. FULL_OBJECT: of the bytes themselves. */
export type ChecksumType = 'COMPOSITE' | 'FULL_OBJECT'

/** A checksum in the form S3 gives it: base64, for composite ones followed by `-n`. */
export interface Checksum {
  algorithm: ChecksumAlgorithm
  value: string
  type: ChecksumType
}

interface RunningHash {
  update(bytes: Uint8Array): unknown
  digest(): Buffer
}

type Crc = (bytes: Uint8Array, start?: number) => number

function runningCrc(crc: Crc): RunningHash {
  let value = 0
  return {
    update: (bytes) => {
      value = crc(bytes, value)
    },
    digest: () => {
      const digest = Buffer.alloc(4)
      digest.writeUInt32BE(value)
      return digest
    },
  }
}

function runningHash(name: HashName): RunningHash {
  if (name === 'crc32') return runningCrc(crc32)
  if (name === 'crc32c') return runningCrc(crc32c)
  return createHash(name)
}

/** Hashes a stream as it passes: `update` with every piece, then ask for what was named, once it has all passed. */
export class Digest {
  /** Bytes seen so far. */
  sizeBytes = 0
  readonly #running: Map<HashName, RunningHash>
  readonly #finished = new Map<HashName, Buffer>()

  constructor(names: readonly HashName[]) {
    this.#running = new Map(names.map((name) => [name, runningHash(name)]))
  }

  update(piece: Buffer): void {
    this.sizeBytes += piece.length
    for (const hash of this.#running.values()) hash.update(piece)
  }

  /** The raw digest of all bytes seen; the stream must have ended. `name` must be one given at construction. */
  value(name: HashName): Buffer {
    const known = this.#finished.get(name)
    if (known) return known
    const digest = this.#running.get(name)!.digest()
    this.#finished.set(name, digest)
    return digest
  }

  /** The MD5 as an ETag writes it, without quotes. */
  get md5(): string {
    return this.value('md5').toString('hex')
  }

  checksum(algorithm: ChecksumAlgorithm): Checksum {
    return { algorithm, value: this.value(algorithm).toString('base64'), type: 'FULL_OBJECT' }
  }
}

/** The checksum of a multipart object made of its parts' checksums (base64, in order). */
export function compositeChecksum(algorithm: ChecksumAlgorithm, parts: string[]): Checksum {
  const digest = new Digest([algorithm])
  for (const part of parts) digest.update(Buffer.from(part, 'base64'))
  return { algorithm, value: `${digest.checksum(algorithm).value}-${parts.length}`, type: 'COMPOSITE' }
}

/** The response headers of a checksum. */
export const checksumHeaders = (checksum: Checksum | undefined): Record<string, string> =>
  checksum ? { [`x-amz-checksum-${checksum.algorithm}`]: checksum.value, 'x-amz-checksum-type': checksum.type } : {}

/** The name the XML documents use: ChecksumCRC32, ChecksumSHA256... */
export const checksumElement = (algorithm: ChecksumAlgorithm): string => `Checksum${algorithm.toUpperCase()}`

/** Reads an algorithm name in any case; answers NotImplemented for the ones S3 knows and this does not. */
export function parseAlgorithm(name: string): ChecksumAlgorithm {
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name.toLowerCase())
  if (algorithm) return algorithm
  throw new S3Error('NotImplemented', `The checksum algorithm ${name} is not implemented`)
}

/** What a request says of its body: the algorithm, and the value unless it follows in a trailer. */
export interface ClaimedChecksum {
  algorithm: ChecksumAlgorithm
  value?: string
}

/**
 * The checksum a request claims, in a header or announced as a trailer.
 * @throws InvalidRequest for several, malformed or missing values; NotImplemented for unknown algorithms.
 */
export function claimedChecksum(request: S3Request): ClaimedChecksum | undefined {
  const headers = request.headerNames('x-amz-checksum-').filter((name) => !/-(algorithm|type|mode)$/.test(name))
  const trailers = splitList(request.header('x-amz-trailer')).filter((name) => name.startsWith('x-amz-checksum-'))
  const [name, ...others] = [...headers, ...trailers]
  if (others.length > 0) {
    throw new S3Error(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    )
  }
  if (!name) return assertNothingPromised(request)
  const algorithm = parseAlgorithm(name.slice('x-amz-checksum-'.length))
  if (trailers.length > 0) return { algorithm }
  return { algorithm, value: assertChecksumForm(algorithm, request.header(name) ?? '') }
}

function assertNothingPromised(request: S3Request): undefined {
  if (!request.header('x-amz-sdk-checksum-algorithm')) return
  throw new S3Error(
    'InvalidRequest',
    'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
  )
}

/** Answers the value when it is base64 of the algorithm's length. */
export function assertChecksumForm(algorithm: ChecksumAlgorithm, value: string): string {
  if (isBase64Of(value, LENGTHS[algorithm])) return value
  throw new S3Error('InvalidRequest', `Value for x-amz-checksum-${algorithm} header is invalid.`)
}

/** @throws BadDigest when the body is not what its checksum says. */
export function assertChecksum(claimed: ClaimedChecksum, digest: Digest): void {
  if (digest.checksum(claimed.algorithm).value === claimed.value) return
  const name = claimed.algorithm.toUpperCase()
  throw new S3Error('BadDigest', `The ${name} you specified did not match the calculated checksum.`)
}

/** The Content-MD5 header, in base64. @throws InvalidDigest when it is not an MD5. */
export function claimedMd5(request: S3Request): string | undefined {
  const value = request.header('content-md5')
  if (value !== undefined && !isBase64Of(value, 16)) throw new S3Error('InvalidDigest')
  return value
}

export const splitList = (header: string | undefined): string[] =>
  (header ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter(Boolean)

function isBase64Of(value: string, length: number): boolean {
  const bytes = Buffer.from(value, 'base64')
  return bytes.length === length && bytes.toString('base64') === value
}
