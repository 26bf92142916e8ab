/** S3 checksums and ETags: https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { crc32c } from './crc32c.ts'
import { S3Error } from './errors.ts'
import type { S3Request } from './request.ts'

const DIGEST_BYTES = { crc32: 4, crc32c: 4, sha1: 20, sha256: 32 } as const
export type ChecksumAlgorithm = keyof typeof DIGEST_BYTES
export const CHECKSUM_ALGORITHMS = Object.keys(DIGEST_BYTES) as ChecksumAlgorithm[]
type HashName = ChecksumAlgorithm | 'md5'

/** COMPOSITE: the checksum of the parts' checksums, marked `-n`. FULL_OBJECT: of the bytes themselves. */
export type ChecksumType = 'COMPOSITE' | 'FULL_OBJECT'

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

function createRunningCrc(crc: Crc): RunningHash {
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

function createRunningHash(name: HashName): RunningHash {
  if (name === 'crc32') return createRunningCrc(crc32)
  if (name === 'crc32c') return createRunningCrc(crc32c)
  return createHash(name)
}

export class Digest {
  sizeBytes = 0
  readonly #running: Map<HashName, RunningHash>
  readonly #finished = new Map<HashName, Buffer>()

  constructor(names: readonly HashName[]) {
    this.#running = new Map(names.map((name) => [name, createRunningHash(name)]))
  }

  update(piece: Buffer): void {
    this.sizeBytes += piece.length
    for (const hash of this.#running.values()) hash.update(piece)
  }

  getDigest(name: HashName): Buffer {
    const cached = this.#finished.get(name)
    if (cached) return cached
    const digest = this.#running.get(name)!.digest()
    this.#finished.set(name, digest)
    return digest
  }

  get md5(): string {
    return this.getDigest('md5').toString('hex')
  }

  checksum(algorithm: ChecksumAlgorithm): Checksum {
    return { algorithm, value: this.getDigest(algorithm).toString('base64'), type: 'FULL_OBJECT' }
  }
}

export function computeCompositeChecksum(algorithm: ChecksumAlgorithm, parts: string[]): Checksum {
  const digest = new Digest([algorithm])
  for (const part of parts) digest.update(Buffer.from(part, 'base64'))
  return { algorithm, value: `${digest.checksum(algorithm).value}-${parts.length}`, type: 'COMPOSITE' }
}

export const buildChecksumHeaders = (checksum: Checksum | undefined): Record<string, string> =>
  checksum ? { [`x-amz-checksum-${checksum.algorithm}`]: checksum.value, 'x-amz-checksum-type': checksum.type } : {}

export const getChecksumElement = (algorithm: ChecksumAlgorithm): string => `Checksum${algorithm.toUpperCase()}`

export function parseAlgorithm(name: string): ChecksumAlgorithm {
  const algorithm = CHECKSUM_ALGORITHMS.find((candidate) => candidate === name.toLowerCase())
  if (algorithm) return algorithm
  throw new S3Error('NotImplemented', `The checksum algorithm ${name} is not implemented`)
}

export interface ClaimedChecksum {
  algorithm: ChecksumAlgorithm
  value?: string
}

export function readClaimedChecksum(request: S3Request): ClaimedChecksum | undefined {
  const headers = request.headerNames('x-amz-checksum-').filter((name) => !/-(algorithm|type|mode)$/.test(name))
  const trailers = splitList(request.header('x-amz-trailer')).filter((name) => name.startsWith('x-amz-checksum-'))
  const [name, ...extraNames] = [...headers, ...trailers]
  if (extraNames.length > 0) {
    throw new S3Error(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    )
  }
  if (!name) return assertNoMissingChecksum(request)
  const algorithm = parseAlgorithm(name.slice('x-amz-checksum-'.length))
  if (trailers.length > 0) return { algorithm }
  return { algorithm, value: assertChecksumForm(algorithm, request.header(name) ?? '') }
}

function assertNoMissingChecksum(request: S3Request): undefined {
  if (!request.header('x-amz-sdk-checksum-algorithm')) return
  throw new S3Error(
    'InvalidRequest',
    'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
  )
}

export function assertChecksumForm(algorithm: ChecksumAlgorithm, value: string): string {
  if (isBase64OfLength(value, DIGEST_BYTES[algorithm])) return value
  throw new S3Error('InvalidRequest', `Value for x-amz-checksum-${algorithm} header is invalid.`)
}

export function assertChecksum(claimed: ClaimedChecksum, digest: Digest): void {
  if (digest.checksum(claimed.algorithm).value === claimed.value) return
  const name = claimed.algorithm.toUpperCase()
  throw new S3Error('BadDigest', `The ${name} you specified did not match the calculated checksum.`)
}

export function readClaimedMd5(request: S3Request): string | undefined {
  const value = request.header('content-md5')
  if (value !== undefined && !isBase64OfLength(value, 16)) throw new S3Error('InvalidDigest')
  return value
}

export const splitList = (header: string | undefined): string[] =>
  (header ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter(Boolean)

function isBase64OfLength(value: string, length: number): boolean {
  const bytes = Buffer.from(value, 'base64')
  return bytes.length === length && bytes.toString('base64') === value
}
